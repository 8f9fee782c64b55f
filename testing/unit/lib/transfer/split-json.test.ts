import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type JsonSlice, splitJson, splitLines } from '@/lib/transfer/json/split-json'

const bounds = { maxBytes: 1000, maxDepth: 20, maxCount: 1000 }

async function* inPieces(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function slices(found: AsyncIterable<JsonSlice>): Promise<unknown[]> {
  const all: unknown[] = []
  for await (const slice of found)
    all.push(slice.kind === 'value' ? JSON.parse(slice.bytes.toString()) : `${slice.kind} ${slice.index}`)
  return all
}
const wide = { ...bounds, maxBytes: 1e6, maxDepth: 1000 }

const values = fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 6 })
const spaces = fc.constantFrom('', ' ', '\n', '\r\n\t')

describe('values of an array, or one after another', () => {
  test('are those that a parser finds, wherever the chunks end', async () => {
    await fc.assert(
      fc.asyncProperty(values, fc.integer({ min: 1, max: 9 }), spaces, async (list, size, space) => {
        const text = `${space}[${space}${list.map((value) => JSON.stringify(value)).join(`${space},${space}`)}${space}]${space}`
        expect(await slices(splitJson(inPieces(text, size), wide))).toEqual(JSON.parse(text))
      }),
    )
    await fc.assert(
      fc.asyncProperty(values, fc.integer({ min: 1, max: 9 }), async (list, size) => {
        // one number after another needs a space between, and an array at the top is a list
        const records = list.map((value) => JSON.parse(JSON.stringify({ value })) as unknown)
        const text = records.map((value) => JSON.stringify(value)).join('\n')
        expect(await slices(splitJson(inPieces(text, size), wide))).toEqual(records)
      }),
    )
  })

  test('are those of all arrays that follow each other', async () => {
    for (const size of [1, 3, 50]) {
      const found = await slices(splitJson(inPieces('[1,[2]]\n[{"a":3}] []{"b":4}', size), bounds))
      expect(found).toEqual([1, [2], { a: 3 }, { b: 4 }])
    }
  })

  test('are passed over up to a place, and counted', async () => {
    const tally = { count: 0 }
    const text = JSON.stringify([{ a: 1 }, 'two', 3, [4]])
    expect(await slices(splitJson(inPieces(text, 3), { ...bounds, from: 2, tally }))).toEqual([3, [4]])
    expect(tally.count).toBe(4)
  })

  test('are refused where they are too long or too deep, and the next are read', async () => {
    const deep = `${'['.repeat(30)}${']'.repeat(30)}`
    const text = `[{"a":"${'x'.repeat(2000)}"},1,${deep},{"b":2}]`
    const found = await slices(splitJson(inPieces(text, 64), bounds))
    expect(found).toEqual(['refused 0', 1, 'refused 2', { b: 2 }])
  })

  test.each(['[{"a":1},{"b":', '[{"a":1},"b', '[{"a":1},', '[{"a":1}'])(
    'are cut where the file ends: %s',
    async (text) => {
      expect(await slices(splitJson(inPieces(text, 4), bounds))).toEqual([{ a: 1 }, 'cut 1'])
    },
  )
})

describe('lines', () => {
  test('are each a value, blank ones left out', async () => {
    const text = '{"a":1}\r\n\n  \n{"b":"x\\"y"}\n{"c":3}'
    for (const size of [1, 4, 100]) {
      const found = await slices(splitLines(inPieces(text, size), bounds))
      expect(found).toEqual([{ a: 1 }, { b: 'x"y' }, { c: 3 }])
    }
    expect(await slices(splitLines(inPieces(text, 5), { ...bounds, from: 2 }))).toEqual([{ c: 3 }])
  })

  test('are refused where they are too long or too deep, and the next are read', async () => {
    const text = `{"a":"${'x'.repeat(2000)}"}\n${'['.repeat(30)}${']'.repeat(30)}\n{"b":"${'['.repeat(30)}"}`
    const found = await slices(splitLines(inPieces(text, 64), bounds))
    expect(found).toEqual(['refused 0', 'refused 1', { b: '['.repeat(30) }])
  })
})

describe('long texts of the elements of a member', () => {
  const read = async (text: string, size: number, given = wide) => {
    const texts: string[] = []
    let [taken, kept] = ['', 0]
    const take = async (piece: Buffer, isLast: boolean) => {
      taken += piece.toString()
      if (!isLast) return
      texts.push(taken)
      taken = ''
    }
    const longTexts = { of: 'files', from: 10, most: 1_000_000, take }
    const found: unknown[] = []
    for await (const slice of splitJson(inPieces(text, size), { ...given, ofMembers: true, longTexts })) {
      if (slice.kind === 'value') kept = Math.max(kept, slice.bytes.length)
      found.push(slice.kind === 'value' ? JSON.parse(slice.bytes.toString()) : slice.kind)
    }
    return { texts, found, kept }
  }
  const long = 'a, "] \\ } words'

  test('are taken in pieces wherever the chunks end, and leave an empty text', async () => {
    const files = [{ a: long, b: 'short' }, { [long]: { c: [long] } }, 7]
    const text = JSON.stringify({ files, other: [{ a: long }] })
    const inFile = JSON.stringify(long).slice(1, -1)
    for (const size of [1, 2, 7, 10_000]) {
      const { texts, found } = await read(text, size)
      expect(texts).toEqual([inFile, inFile, inFile])
      expect(found).toEqual([{ a: '', b: 'short' }, { '': { c: [''] } }, 7, { a: long }])
    }
  })

  test('are not held, and refuse their value where they are too long', async () => {
    const text = JSON.stringify({
      files: [{ a: 'x'.repeat(900_000) }, { a: 'x'.repeat(1_100_000) }, { b: 1 }],
    })
    const { texts, found, kept } = await read(text, 64 * 1024)
    expect([texts.map(({ length }) => length), found, kept]).toEqual([
      [900_000],
      [{ a: '' }, 'refused', { b: 1 }],
      8,
    ])
  })
})
