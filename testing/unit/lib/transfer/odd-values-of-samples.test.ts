import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { UnreadableExportError } from '@/lib/transfer'
import { fixture, readAll } from '@/testing/worlds/exported-files'

const folder = path.join(import.meta.dirname, '../../../fixtures/exports/formats')
const samples = readdirSync(folder).filter((name) => /\.jsonl?$/.test(name))
/** Of the places of a file, every so many is tried. */
const STEP = process.env.RAMIFY_TEST_LONG ? 1 : 3

const words = 'odd zebras walk slowly along blue rivers'
/** Values of every other type, none of which a field of these files has. */
const odd: readonly unknown[] = [null, 7, [], {}, [null, 3, ['x']], true, { id: {} }]
/** Fields of which a text is an id, a kind or a setting of the program, and no part of a chat. */
const bookkeeping =
  /^(?:.*[iI]ds?|uuid|type|version|status|object|lang|sender|mgt|models?|name|folders|workspaceDirectory|__exported_at|mime(?:_type)?|header|enableFolders|.*Username|products|.*(?:_at|At)|exportType|systemPurposeId|parent(?:Id|_id)?|metadata|timestamp|.*Time|selected|kind|source|mode)$/
/** A text that is cut into messages by offsets is kept in pieces. */
const isInPieces = (name: string, key: string) => name === 'zed.json' && key === 'text'

type Key = string | number

/** The way to each value in a value. */
function waysIn(value: unknown, way: readonly Key[] = []): { way: Key[]; isLeaf: boolean }[] {
  if (typeof value !== 'object' || value === null) return [{ way: [...way], isLeaf: true }]
  const entries: [Key, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return [
    { way: [...way], isLeaf: false },
    ...entries.flatMap(([key, inner]) => waysIn(inner, [...way, key])),
  ]
}

function withValueAt(value: unknown, [key, ...rest]: readonly Key[], put: unknown): unknown {
  if (key === undefined) return put
  if (Array.isArray(value))
    return value.map((item, index) => (index === key ? withValueAt(item, rest, put) : item))
  const record = value as Record<string, unknown>
  return { ...record, [key]: withValueAt(record[key], rest, put) }
}

/** A file with another value in a place, for many places in it. */
function* changed(name: string) {
  const whole = fixture(`formats/${name}`).toString()
  const lines = name.endsWith('.jsonl') ? whole.split('\n').filter(Boolean) : [whole]
  let count = 0
  for (const [number, line] of lines.entries()) {
    const value: unknown = JSON.parse(line)
    for (const { way, isLeaf } of waysIn(value)) {
      count += 1
      if (count % STEP !== 0) continue
      const put = isLeaf && count % (STEP * 4) !== 0 ? words : odd[count % odd.length]
      const text = lines.with(number, JSON.stringify(withValueAt(value, way, put))).join('\n')
      yield {
        text,
        put,
        where: `${number}: ${way.join('.')} = ${JSON.stringify(put)}`,
        key: String(way.findLast((step) => typeof step === 'string')),
      }
    }
  }
}

test.each(samples)(
  '%s with another value in any place is read or refused, and no text is lost',
  async (name) => {
    const failed: string[] = []
    for (const { text, put, where, key } of changed(name)) {
      const found = await readAll(name, text).catch((error: unknown) => error)
      if (found instanceof Error) {
        if (!(found instanceof UnreadableExportError)) failed.push(`${where}: ${found.stack}`)
        continue
      }
      const { chats, problems, notes } = found as Awaited<ReturnType<typeof readAll>>
      const isTold = problems.length + notes.length > 0 || chats.some((chat) => chat.problems.length > 0)
      const isKept = JSON.stringify(chats).includes(words)
      if (put === words && !isKept && !isTold && !bookkeeping.test(key) && !isInPieces(name, key))
        failed.push(`${where} is lost`)
    }
    expect(failed).toEqual([])
  },
)
