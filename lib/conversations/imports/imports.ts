import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { UserId } from '@/lib/events'
import type { ImportChoice, ImportReport } from '@/lib/protocol'
import { UnreadableExportError } from '@/lib/transfer'
import { InvalidRequestError, TooManyImportsError } from '../errors'
import { fileName } from '../files/store-file'
import type { Ports } from '../ports'
import type { ImportStanding } from './imports-port'

/** Imports of one person, and of all persons, that wait or are worked on. */
const BOUNDS = { perPerson: 5, inAll: 500 }

/**
 * Queues the import of a file. The file is checked first: an unreadable one leaves nothing behind. The worker
 * runs a person's imports one after the other.
 *
 * @param input.path of the file on this server's disk; it may be deleted when this resolves
 * @param input.choice the chosen chats of the file; all by default
 * @returns undefined when the person does not exist (any more)
 * @throws InvalidRequestError for a file that cannot be read; TooManyImportsError
 */
export async function startImport(
  ports: Ports,
  {
    ownerId,
    path,
    name: given,
    choice,
    signal,
  }: { ownerId: UserId; path: string; name: string; choice?: ImportChoice; signal?: AbortSignal },
): Promise<{ importId: string } | undefined> {
  const name = fileName(given)
  const { size } = await stat(path)
  checkNotEmpty(name, size)
  const source = await sourceOf(ports, path, name)
  const id = ports.newId()
  const full = await ports.imports.begin(ownerId, { id, name, size, source }, BOUNDS)
  if (full === 'gone') return undefined
  if (full) throw new TooManyImportsError(full)
  try {
    await ports.imports.upload(id, createReadStream(path, { highWaterMark: 256 * 1024, signal }), choice)
  } catch (error) {
    await ports.imports.abandon(id)
    throw error
  }
  return { importId: id }
}

/** @throws InvalidRequestError for a file without a byte */
export function checkNotEmpty(name: string, size: number): void {
  if (size === 0) throw new InvalidRequestError(`“${name}” is empty: it has 0 bytes.`, 'empty_file')
}

async function sourceOf(ports: Ports, path: string, name: string): Promise<string> {
  try {
    const opened = await ports.importing.open(path, { name })
    await opened.close()
    return opened.source
  } catch (error) {
    if (error instanceof UnreadableExportError)
      throw new InvalidRequestError(error.message, 'unreadable_file')
    throw error
  }
}

/** One of a person's imports. Rejects with `NotFoundError` for a missing or another person's import. */
export async function readImport(
  { imports }: Pick<Ports, 'imports'>,
  { ownerId, importId }: { ownerId: UserId; importId: string },
): Promise<ImportReport> {
  return reported(await imports.find(ownerId, importId))
}

/** A person's latest imports. */
export async function listImports(
  { imports }: Pick<Ports, 'imports'>,
  { ownerId }: { ownerId: UserId },
): Promise<ImportReport[]> {
  return (await imports.list(ownerId)).map(reported)
}

/** Ends an import: imported chats stay. An import that has ended already stays as it is. */
export async function cancelImport(
  { imports }: Pick<Ports, 'imports'>,
  { ownerId, importId }: { ownerId: UserId; importId: string },
): Promise<void> {
  await imports.cancel(ownerId, importId)
}

const reported = (standing: ImportStanding): ImportReport => ({
  id: standing.id,
  file: standing.name,
  size: standing.size,
  source: standing.source,
  status: standing.status,
  reason: standing.reason,
  chats: {
    found: standing.place,
    imported: standing.chatsImported,
    unchanged: standing.chatsUnchanged,
    left: standing.chatsLeft,
  },
  messages: {
    found: standing.messagesFound,
    imported: standing.messagesImported,
    skipped: standing.messagesSkipped,
  },
  problems: standing.problems.map(({ chat, chatId, reason }) => ({
    chat,
    reason,
    ...(chatId !== undefined && { chat_id: chatId }),
  })),
  problem_count: standing.problemCount,
  examples: standing.chats.map(({ chatId, title }) => ({ chat_id: chatId, title })),
  created_at: new Date(standing.createdAt).toISOString(),
  ended_at: standing.endedAt === null ? null : new Date(standing.endedAt).toISOString(),
})
