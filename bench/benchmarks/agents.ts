import type { ModelMessage } from 'ai'
import { type AgentPorts, beginCall } from '@/lib/conversations'
import { newId } from '@/lib/events'
import { chainHashes, linksOf, NO_CHAIN } from '@/lib/gateway/chain'
import { alternate } from '../alternate'
import type { Environment } from '../environment'
import { benchMessage } from '../fixtures/payload'
import { overFloor, type Result } from '../result'
import { atMost } from '../statistics'

/** Chats that are stored, and messages that each has a hash for. */
const CHATS = 10_000
const EACH = 10
const OWNER = 'bench-agent'

/** Where the call of an agent stands: its hashes and the look at them, after 10 messages and after 1,000, in few chats and in many. */
export async function agents(env: Environment): Promise<Result[]> {
  const bench = 'agents'
  const { store, database } = env
  await store.upsertChat({ id: newId(), userId: OWNER })
  // the agent's calls need no pins and files
  const ports = { store, clock: Date.now, newId } as unknown as AgentPorts
  const run = newId()
  const conversations = await Promise.all(
    [10, 1000].map(async (length) => {
      const messages = Array.from({ length }, (_, at): ModelMessage => {
        const { parts } = benchMessage(`${run}-${length}`, at, 0).data as { parts: { text: string }[] }
        const content = `${run} ${length} ${at} ${parts[0]?.text ?? ''}`
        return at % 2 === 0 ? { role: 'user', content } : { role: 'assistant', content }
      })
      const call = {
        protocol: 'chat-completions',
        model: 'bench',
        system: [],
        tools: [],
        settings: {},
      } as const
      await beginCall(ports, {
        ownerId: OWNER,
        call: { ...call, system: [], tools: [], messages, streamed: false },
      })
      const next: ModelMessage[] = [...messages, { role: 'user', content: 'And now?' }]
      return async () => {
        const names = await chainHashes(NO_CHAIN, linksOf(next))
        const found = await store.findAgentNode(OWNER, names.toReversed())
        if (found?.hash !== names.at(-2)) throw new Error('The call was not found')
      }
    }),
  )
  const [ten, thousand] = conversations
  if (!ten || !thousand) throw new Error('Two conversations')
  const unknown = Array.from(
    { length: 1000 },
    (_, at): ModelMessage => ({ role: 'user', content: `${run} new ${at}` }),
  )
  const stranger = async () => {
    const found = await store.findAgentNode(
      OWNER,
      (await chainHashes(NO_CHAIN, linksOf(unknown))).toReversed(),
    )
    if (found) throw new Error('A new call was found')
  }
  const few = await alternate({ ten, thousand }, env.effort.reads)
  await database.query(
    `insert into agent_nodes (owner_id, hash, chat_id, message_id)
    select a.owner_id, sha256(convert_to($2 || n, 'utf8')), a.chat_id, a.message_id
    from (select * from agent_nodes where owner_id = $1 limit 1) a, generate_series(1, $3::int) n`,
    [OWNER, run, CHATS * EACH],
  )
  await database.query('vacuum analyze agent_nodes')
  const many = await alternate({ ten, thousand, stranger }, env.effort.reads)
  const limit = { name: '10 ms, all that a call may wait', value: 10 }
  const line = (what: string, ours: number): Result =>
    overFloor({ bench, what, ours, against: limit, target: atMost(1) })
  const flat = (what: string, ours: number, value: number): Result =>
    overFloor({ bench, what, ours, against: { name: 'with 2 chats', value }, target: atMost(1.3) })
  return [
    line('a call is found after 10 messages, hashes included', many.ten),
    line('a call is found after 1,000 messages, hashes included', many.thousand),
    line('a call of 1,000 messages is found to be new', many.stranger),
    flat(`flat in the chats: after 10 messages with ${CHATS} stored`, many.ten, few.ten),
    flat(`flat in the chats: after 1,000 messages with ${CHATS} stored`, many.thousand, few.thousand),
  ]
}
