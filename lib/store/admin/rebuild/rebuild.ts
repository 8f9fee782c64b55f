import type { Database } from '@/lib/db'
import type { ChatId, ChatRefs } from '@/lib/events'
import { compareChats, groupsOf } from './compare-chats'
import type { Difference } from './compare-refs'
import { compareSearch, forgetSearch, indexSearch } from './read-models'

/** Maximum reads of a chat that is written to all the time. */
const TRIES = 20

export interface RebuildOptions {
  /** this chat alone */
  chatId?: ChatId
  /** compares, and changes nothing */
  dry?: boolean
  /** also indexes the words of every message again, not only where some are missing: takes most of the time */
  search?: boolean
  /** called with every value that differs from the log's, as it is found */
  onDifference?: (difference: Difference) => void
  /** told of chats that were left as they are, and why */
  onLeft?: (chatId: ChatId, why: string) => void
}

export interface Rebuilt {
  chats: number
  events: number
  /** differences from the log */
  differences: number
  /** chats that were left alone */
  left: number
}

/**
 * Replays the log into every ref and every read model: branches, checkpoints, titles and metadata of chats, the search
 * index, the branches that agents write on, and the sums of the follower `usage` up to its place. May run beside a server: it reads the stored state in one
 * moment, and the log up to that moment, which never changes. It locks a chat only to write a difference, and only when its
 * log has not grown since.
 *
 * State that is not in the log stays as it is: messages, lanes and contexts are objects and not refs; runs
 * are in flight; changes without an event touch `updated_at`, so it is only ever raised; the hashes by which
 * agents name messages are made of the sent texts (after a lost hash the next call is stored anew); ids of
 * checkpoints saved before the log had them. A chat whose log is broken, or has lost its end, is left alone.
 *
 * @example const { differences } = await rebuild(database, { dry: true, onDifference: console.log })
 */
export async function rebuild(database: Database, options: RebuildOptions = {}): Promise<Rebuilt> {
  const done: Rebuilt = { chats: 0, events: 0, differences: 0, left: 0 }
  for await (const group of groupsOf(database, options.chatId)) {
    const again = await rebuildGroup(database, group, options, done)
    for (const refs of again) await rebuildAgain(database, refs, options, done)
    await rebuildSearch(database, group, options, done)
    done.chats += group.length
  }
  return done
}

/** Rebuilds a chat that was written to meanwhile: its new events are few, and soon read. */
async function rebuildAgain(
  database: Database,
  before: ChatRefs,
  options: RebuildOptions,
  done: Rebuilt,
): Promise<void> {
  let refs: ChatRefs | undefined = before
  for (let time = 1; refs && time <= TRIES; time += 1) {
    ;[refs] = await rebuildGroup(database, [refs.chatId], options, done, refs)
  }
  if (refs) leave(refs.chatId, 'it is written to all the time', options, done)
}

/**
 * @param before the known state of a single chat
 * @returns the state of the chats that were written to meanwhile, and need another look
 */
async function rebuildGroup(
  database: Database,
  chatIds: readonly ChatId[],
  options: RebuildOptions,
  done: Rebuilt,
  before?: ChatRefs,
): Promise<ChatRefs[]> {
  const { chats, events } = await compareChats(database, chatIds, before)
  done.events += events
  const again: ChatRefs[] = []
  for (const chat of chats) {
    if ('broken' in chat) {
      leave(chat.chatId, chat.broken, options, done)
      continue
    }
    const { chatId, refs, wanted, differences } = chat
    const written = differences.length === 0 || options.dry ? 'done' : await write(database, wanted)
    if (written === 'moved on') again.push(refs)
    else if (written === 'done') report(differences, options, done)
    else leave(chatId, written, options, done)
  }
  return again
}

/** Sets a chat right; answers why it could not. */
async function write(database: Database, wanted: object): Promise<string> {
  try {
    const [row] = await database.query<{ done: boolean }>('select rebuild_chat($1::json) as done', [
      JSON.stringify(wanted),
    ])
    return row?.done ? 'done' : 'moved on'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

async function rebuildSearch(
  database: Database,
  chatIds: readonly ChatId[],
  options: RebuildOptions,
  done: Rebuilt,
): Promise<void> {
  const found = await compareSearch(database, chatIds)
  report(found, options, done)
  if (options.dry) return
  const anew = options.search ? chatIds : found.map(({ chatId }) => chatId)
  if (anew.length > 0) await forgetSearch(database, anew)
  await indexSearch(database, chatIds)
}

function report(found: readonly Difference[], { onDifference }: RebuildOptions, done: Rebuilt): void {
  done.differences += found.length
  for (const difference of found) onDifference?.(difference)
}

function leave(chatId: ChatId, why: string, { onLeft }: RebuildOptions, done: Rebuilt): void {
  done.left += 1
  onLeft?.(chatId, why)
}
