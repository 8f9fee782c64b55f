import { createHash } from 'node:crypto'
import { type ContextData, canonicalJson } from '@/lib/context'
import type { Database } from '@/lib/db'
import type { Finding } from '../check-database'
import { advice } from './check'

/** Contexts read at a time: they are small, but a database may hold many. */
const PAGE = 500

/** Contexts are named by their content: SHA-256 of the canonical JSON of fragments and model (DESIGN.md §8). */
export async function checkContexts(database: Database, chatId?: string): Promise<Finding[]> {
  const findings: Finding[] = []
  let after = { chat: '', id: '' }
  for (;;) {
    const page: (ContextData & { chat: string })[] = await database.query(
      `select chat_id as chat, id, fragments, model from contexts
      where (chat_id, id) > ($1, $2) and ($3::text is null or chat_id = $3) order by chat_id, id limit ${PAGE}`,
      [after.chat, after.id, chatId ?? null],
    )
    for (const { chat, id, fragments, model } of page) {
      const hash = createHash('sha256').update(canonicalJson({ fragments, model })).digest('hex')
      if (hash === id) continue
      findings.push({
        invariant: 'context-hash',
        chatId: chat,
        thing: `context ${id}`,
        problem: `its content has the hash ${hash}`,
        advice: advice.objects,
      })
    }
    const end = page.at(-1)
    if (!end || page.length < PAGE) return findings
    after = { chat: end.chat, id: end.id }
  }
}
