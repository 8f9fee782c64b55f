import type { Database } from '@/lib/db'
import { chatChecks } from './checks/chats'
import { checkContexts } from './checks/contexts'
import { graphChecks } from './checks/graph'
import { logChecks } from './checks/log'
import { refChecks } from './checks/refs'
import { runChecks } from './checks/runs'
import { searchChecks } from './checks/search'
import { storedChecks } from './checks/stored'

/** Something that must never be, and is. */
export interface Finding {
  /** the name of what is broken, such as `message-place` */
  invariant: string
  chatId: string
  /** what it is broken at, such as `message q1` */
  thing: string
  problem: string
  /** what to do about it, in one sentence */
  advice: string
}

const checks = [
  ...chatChecks,
  ...graphChecks,
  ...runChecks,
  ...logChecks,
  ...refChecks,
  ...searchChecks,
  ...storedChecks,
]

/**
 * Verifies what must hold in every chat (DESIGN.md §3, RELIABILITY.md): one statement for each invariant, however
 * many chats there are. Changes nothing, and may run beside a server: each statement sees one moment.
 *
 * @param options.chatId this chat alone
 * @returns what is broken, by chat; nothing when all is well
 *
 * @example const findings = await checkDatabase(database)
 */
export async function checkDatabase(
  database: Database,
  options: { chatId?: string } = {},
): Promise<Finding[]> {
  const { chatId } = options
  // a parameter that may be null would have every statement read all chats, even for one
  const within = (column: string) => (chatId === undefined ? 'true' : `${column} = $1`)
  const params = chatId === undefined ? [] : [chatId]
  // without statistics, which an embedded database never gathers by itself, some of these plans are quadratic
  if (chatId === undefined) await database.query('analyze')
  const findings: Finding[] = []
  for (const { invariant, advice, sql } of checks) {
    const rows = await database.query<{ chat: string; thing: string; problem: string }>(sql(within), params)
    for (const { chat, ...rest } of rows) findings.push({ invariant, chatId: chat, ...rest, advice })
  }
  findings.push(...(await checkContexts(database, chatId)))
  const key = ({ chatId: chat, invariant, thing }: Finding) => `${chat} ${invariant} ${thing}`
  return findings.sort((a, b) => (key(a) < key(b) ? -1 : 1))
}

/** A finding as one line. */
export const findingLine = ({ invariant, chatId, thing, problem, advice }: Finding): string =>
  `chat ${chatId}, ${thing}: ${problem} [${invariant}]. ${advice}`.replaceAll(/\s+/g, ' ')
