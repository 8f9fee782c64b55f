import { openDatabase } from '@/lib/db'
import { newId } from '@/lib/events'
import { DrizzleContextStore } from '@/lib/store'
import { ApiKeys } from '@/lib/store'
import { ChatReads } from '@/lib/store'
async function main() {
const url = process.env.PGURL
const database = await openDatabase(url ? { url } : { dataDir: 'memory://' } as never)
const userId = newId()
await database.query(`insert into "user" (id, name, email) values ($1, 'a', $1 || '@x.invalid')`, [userId])
const limits = { bytes: 1e12, chats: 1e6, messages: 1e9, calls: 1e9, tokens: 1e12, branches: 1e6, address_messages: 1e9, address_calls: 1e9, address_bytes: 1e13, site_calls: 1e9 }
const store = new DrizzleContextStore(database, undefined, { limits, address: '1.2.3.4' } as never)
const chatId = newId(), branchId = newId()
await store.commit({ chatId, ownerId: userId, at: Date.now(), create: { userId, branchId, branchName: 'main' }, steps: [] } as never)
let head: string | null = null
const turn = async () => {
  const id = newId(), reply = newId(), runId = newId()
  const m = (id: string, name: string) => ({ id, name, type: 'message', data: { id, role: name, parts: [{ type: 'text', text: 'x'.repeat(500) }] }, preview: 'x', createdAt: Date.now() })
  await store.commit({ chatId, ownerId: userId, at: Date.now(), steps: [{ kind: 'append', branchId, expectedHead: head, messages: [m(id, 'user')] }, { kind: 'queue-run', runId, branchId, replyTo: id, replyId: reply, model: 'demo:demo', leaseMs: 60000 }] } as never)
  await store.commit({ chatId, at: Date.now(), steps: [{ kind: 'append', branchId, expectedHead: id, messages: [m(reply, 'assistant')] }, { kind: 'finish-run', runId, fence: 1, status: 'completed' }] } as never)
  head = reply
}
const made = await new ApiKeys(database).create(userId, { id: newId(), name: 'k' }) as { key: string }
const keys = new ApiKeys(database), reads = new ChatReads(database)
const time = async (name: string, n: number, f: () => Promise<unknown>) => {
  for (let i = 0; i < 50; i++) await f()
  const all: number[] = []
  for (let i = 0; i < n; i++) { const t = performance.now(); await f(); all.push(performance.now() - t) }
  all.sort((a, b) => a - b)
  console.log(name, 'median', all[n >> 1]!.toFixed(3), 'p90', all[Math.floor(n * 0.9)]!.toFixed(3))
}
await time('turn (2 commits)', 400, turn)
await time('key holder', 400, () => keys.holder(made.key, '1.2.3.4'))
await time('hasMovedAgents', 400, () => reads.hasMovedAgents(userId))
await time('recentAgentNames', 200, () => reads.recentAgentNames(userId, 'k'))
await database.close()
}
void main()
