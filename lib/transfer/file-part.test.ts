import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { withFile } from '@/testing/worlds/exported-files'
import { zipOf } from '@/testing/worlds/zip-file'
import { BeyondPartError, type FilePart, type ForeignChat, openExport } from './index'

/** Letters that a zip makes no shorter. */
const noise = (seed: string, length: number): string =>
  Array.from({ length: Math.ceil(length / 64) }, (_, at) =>
    createHash('sha256').update(`${seed}${at}`).digest('base64url'),
  ).join('')
const chat = (at: number) => ({
  title: `Chat ${at}`,
  messages: [
    { role: 'user', content: `Question ${at}` },
    { role: 'assistant', content: noise(`${at}`, 20_000) },
  ],
})
const chats = Array.from({ length: 40 }, (_, at) => chat(at))
const titles = (found: readonly ForeignChat[]) => found.map(({ title }) => title)

/** Reads the bytes of a file from a place on, and the last ones of a zip. */
const readPart = (name: string, whole: Buffer, { from, length }: Omit<FilePart, 'size'>, tail = 0) =>
  withFile(
    Buffer.concat([whole.subarray(from, from + length), whole.subarray(whole.length - tail)]),
    async (file) => {
      const opened = await openExport(file, { name, part: { size: whole.length, from, length } })
      const found: ForeignChat[] = []
      for await (const item of opened.items()) if ('chat' in item) found.push(item.chat)
      await opened.close()
      return found
    },
  )

describe('a part of a large file', () => {
  const picture = { name: 'files/a.png', bytes: Buffer.from(noise('picture', 400_000)), isStored: true }
  const json = { name: 'conversations.json', bytes: JSON.stringify(chats) }

  test('given the beginning of JSON, then the chats that end in it are read', async () => {
    const whole = Buffer.from(JSON.stringify(chats))
    const found = await readPart('chats.json', whole, { from: 0, length: 200_000 })
    expect(found.length).toBeGreaterThan(3)
    expect(titles(found)).toEqual(chats.slice(0, found.length).map(({ title }) => title))
  })

  test('given the beginning and the end of a zip, then the chats are read that are unpacked from these bytes', async () => {
    const whole = zipOf([json, picture])
    const found = await readPart('export.zip', whole, { from: 0, length: 200_000 }, 70_000)
    expect(found.length).toBeGreaterThan(3)
    expect(titles(found)).toEqual(chats.slice(0, found.length).map(({ title }) => title))
  })

  test('given chats that stand behind pictures, then the place is told that a part is to begin at', async () => {
    const whole = zipOf([picture, json])
    const asked = { from: 0, length: 100_000 }
    const error = await readPart('export.zip', whole, asked, 70_000).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(BeyondPartError)
    const from = (error as BeyondPartError).next ?? 0
    expect(from).toBeGreaterThan(picture.bytes.length)
    expect((await readPart('export.zip', whole, { ...asked, from }, 70_000)).length).toBeGreaterThan(1)
  })

  test.each([
    ['one chat that is longer', 'chat.json', Buffer.from(JSON.stringify(chat(1))), 0],
    ['a zip in whose part no file begins', 'export.zip', zipOf([picture]), 70_000],
  ])(
    'given %s, then nothing of it can be read, and that is no fault of the file',
    async (_, name, whole, tail) => {
      const read = readPart(name, whole, { from: 0, length: name === 'chat.json' ? 5000 : 10 }, tail)
      await expect(read).rejects.toThrow(name === 'chat.json' ? BeyondPartError : 'holds no JSON file')
    },
  )

  test('given the end of a zip that holds too little of its directory, then it is refused in words', async () => {
    const read = readPart('export.zip', zipOf([json]), { from: 0, length: 1000 }, 60)
    await expect(read).rejects.toThrow('broken or incomplete zip')
  })
})
