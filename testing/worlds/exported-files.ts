import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type ExportItem, type ForeignChat, type ForeignMessage, openExport } from '@/lib/transfer'

export const fixtures = path.join(import.meta.dirname, '../fixtures/exports')

export const fixture = (name: string): Buffer => readFileSync(path.join(fixtures, name))

/** Runs `use` with a file of these bytes, which is gone afterwards. */
export async function withFile<T>(bytes: Buffer | string, use: (file: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(tmpdir(), 'ramify-export-'))
  const file = path.join(folder, 'upload')
  writeFileSync(file, bytes)
  try {
    return await use(file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** All that an export holds, from a place on. */
export const readAll = (name: string, bytes: Buffer | string, from?: number) =>
  withFile(bytes, async (file) => {
    const { source, items, close } = await openExport(file, { name })
    const found: ExportItem[] = []
    for await (const item of items(from)) found.push(item)
    await close()
    const chats = found.flatMap((item) => ('chat' in item ? [item.chat] : []))
    const problems = found.flatMap((item) => ('problem' in item ? [item.problem] : []))
    const notes = found.flatMap((item) => ('notes' in item ? item.notes : []))
    return { source, items: found, chats, problems, notes }
  })

/** A file of `fixtures/exports`: its chats, and the first of them. */
export const readFixture = async (name: string) => {
  const found = await readAll(name, fixture(name))
  return { ...found, chat: found.chats[0] as ForeignChat }
}

/** The first chat of a value that is written as JSON. */
export async function readChat(value: unknown): Promise<ForeignChat> {
  const { chats } = await readAll('chat.json', JSON.stringify(value))
  const [chat] = chats
  if (!chat) throw new Error('The file holds no chat')
  return chat
}

const words = (message: ForeignMessage) =>
  message.parts
    .map((part) => {
      if (part.type === 'text') return part.text
      if (part.type === 'reasoning') return `(${part.text})`
      if (part.type === 'file') return `<${part.filename ?? part.mediaType}>`
      return part.type === 'dynamic-tool' ? `${part.toolName}!` : ''
    })
    .filter((text) => text !== '')
    .join(' ')

/** The forest as lines, each below its parent and further in: `user: Hello`. */
export function drawn({ messages }: ForeignChat): string[] {
  const depth = new Map<string, number>()
  return messages.map((message) => {
    const level = message.parentId === null ? 0 : (depth.get(message.parentId) ?? Number.NaN) + 1
    depth.set(message.id, level)
    return `${'  '.repeat(level)}${message.role}: ${words(message)}`
  })
}
