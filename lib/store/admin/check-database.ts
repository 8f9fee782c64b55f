import { createHash } from 'node:crypto'
import { type ContextData, canonicalJson } from '@/lib/context'
import type { Database } from '@/lib/db'
import { agentChecks } from './checks/agents'
import { advice as allAdvice } from './checks/check'
import { derivedChecks } from './checks/derived'
import { fileChecks } from './checks/files'
import { graphChecks } from './checks/graph'
import { logChecks } from './checks/log'
import { runChecks } from './checks/runs'
import { compareChats, groupsOf } from './rebuild/compare-chats'

/** A broken invariant. */
export interface Finding {
  /** the name of the broken invariant, such as `message-place` */
  invariant: string
  chatId: string
  /** the broken place, such as `message q1` */
  thing: string
  problem: string
  /** the remedy, in one sentence */
  advice: string
}

const checks = [...agentChecks, ...graphChecks, ...runChecks, ...logChecks, ...derivedChecks, ...fileChecks]

/**
 * Verifies the invariants of every chat (DESIGN.md §3, RELIABILITY.md): one statement for each, for any
 * number of chats; then folds every log, and compares it with the stored state. Changes nothing, and may run
 * beside a server: each statement sees one moment.
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
  findings.push(...(await checkContexts(database, chatId)), ...(await checkLogs(database, chatId)))
  const key = ({ chatId: chat, invariant, thing }: Finding) => `${chat} ${invariant} ${thing}`
  return findings.sort((a, b) => (key(a) < key(b) ? -1 : 1))
}

/** Compares refs, usage and the branches of agents with the log. */
async function checkLogs(database: Database, chatId?: string): Promise<Finding[]> {
  const findings: Finding[] = []
  for await (const group of groupsOf(database, chatId)) {
    const { chats } = await compareChats(database, group)
    for (const chat of chats) {
      if ('broken' in chat) {
        findings.push({
          invariant: 'log-is-whole',
          chatId: chat.chatId,
          thing: 'the log',
          problem: chat.broken,
          advice: allAdvice.objects,
        })
        continue
      }
      for (const { thing, what, is, log } of chat.differences) {
        const problem = `${what} is ${is}, but the log says ${log}`
        findings.push({
          invariant: 'follows-log',
          chatId: chat.chatId,
          thing,
          problem,
          advice: allAdvice.refs,
        })
      }
    }
  }
  return findings
}

/** A finding as one line. */
export const findingLine = ({ invariant, chatId, thing, problem, advice }: Finding): string =>
  `chat ${chatId}, ${thing}: ${problem} [${invariant}]. ${advice}`.replaceAll(/\s+/g, ' ')

/** Contexts read at a time: they are small, but a database may hold many. */
const PAGE = 500

/** Contexts are named by their content: SHA-256 of the canonical JSON of fragments, model and setup (DESIGN.md §8). */
async function checkContexts(database: Database, chatId?: string): Promise<Finding[]> {
  const findings: Finding[] = []
  let after = { chat: '', id: '' }
  for (;;) {
    const page: (ContextData & { chat: string })[] = await database.query(
      `select chat_id as chat, id, fragments, model, setup from contexts
      where (chat_id, id) > ($1, $2) and ($3::text is null or chat_id = $3) order by chat_id, id limit ${PAGE}`,
      [after.chat, after.id, chatId ?? null],
    )
    for (const { chat, id, fragments, model, setup } of page) {
      const content = setup ? { fragments, model, setup } : { fragments, model }
      const hash = createHash('sha256').update(canonicalJson(content)).digest('hex')
      if (hash === id) continue
      findings.push({
        invariant: 'context-hash',
        chatId: chat,
        thing: `context ${id}`,
        problem: `its content has the hash ${hash}`,
        advice: allAdvice.objects,
      })
    }
    const end = page.at(-1)
    if (!end || page.length < PAGE) return findings
    after = { chat: end.chat, id: end.id }
  }
}
