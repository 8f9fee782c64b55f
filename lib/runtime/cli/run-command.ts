import { asJob, type Database, openDatabase } from '@/lib/db'
import type { TableSum } from '@/lib/store'
import { readEnv } from '../env'
import { sayingOf } from '../outline-error'
import { databaseOptions } from '../services'

/** Runs a command-line task; an error is one line on stderr and exit code 1. */
export function runCommand(task: () => Promise<void>): void {
  task().catch((error: unknown) => {
    console.error(lineOf(error))
    process.exit(1)
  })
}

/** As `runCommand`, with the database of the environment. */
export const runOnDatabase = (task: (database: Database) => Promise<void>): void =>
  runCommand(() => inDatabase(task))

/** Runs work with the database of the environment. */
export async function inDatabase(task: (database: Database) => Promise<void>): Promise<void> {
  const database = asJob(await openDatabase({ ...databaseOptions(readEnv(process.env)), brief: true }))
  try {
    await task(database)
  } finally {
    await database.close()
  }
}

/**
 * Lets the first Ctrl-C or SIGTERM abort work that leaves nothing behind when it rejects; the second ends the
 * process. The work's rejection after an abort is the `cause`.
 */
export async function stoppable<Result>(task: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const stop = new AbortController()
  const onSignal = () => stop.abort()
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.once(signal, onSignal)
  try {
    return await task(stop.signal)
  } catch (error) {
    throw stop.signal.aborted ? new Error('Stopped, and nothing was changed.', { cause: error }) : error
  } finally {
    for (const signal of signals) process.off(signal, onSignal)
  }
}

/** Counts the chats, or returns 1 for a named chat. Throws when there is no such chat. */
export async function countChats(database: Database, chatId: string | undefined): Promise<number> {
  const [chats] = await database.query<{ count: number }>(
    'select count(*)::int as count from chats where $1::text is null or id = $1',
    [chatId ?? null],
  )
  const count = chats?.count ?? 0
  if (chatId !== undefined && count === 0) throw new Error(`There is no chat "${chatId}".`)
  return count
}

export const many = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

/** The content of a backup, in words: `3 chats, 40 messages, 1 file`. */
export const heldWords = (tables: readonly TableSum[]): string =>
  ['chat', 'message', 'file']
    .map((what) => many(tables.find(({ name }) => name === `${what}s`)?.rows ?? 0, what))
    .join(', ')

/** The line for an error; the values of a failed statement are left out. */
export function lineOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'query' in error ? sayingOf(error) : error.message
}
