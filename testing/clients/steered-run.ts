import type { Visitor } from '@/testing/faults/visitor'
import { pairFaults } from '@/testing/worlds/sent-pairs'
import type { Client, Way } from './clients'
import { runClient } from './run-client'
import type { Recorded, ScriptedProvider } from './scripted-provider'

type Fields = Readonly<Record<string, unknown>>

/** Steps of the job, the one that is being asked for when the person moves the agent, and the one it goes back behind. */
const [STEPS, MOVED_AT, BACK_TO] = [8, 5, 2]
const WORDS = 'Take another way.'

/**
 * Runs a client whose agent is moved while its provider thinks: back behind an earlier answer of a tool, with words of the person.
 * What is told is wrong: calls that are asked twice or not at all, tools without their answers, fields that are lost or changed.
 */
export async function steeredFaults(
  client: Client,
  { provider, visitor, way, bins }: { provider: ScriptedProvider; visitor: Visitor; way: Way; bins: string },
): Promise<string[]> {
  const { steps } = client.job(`${way.home}/work`)
  let moved = false
  provider.begin({ steps: { main: (steps.main ?? []).slice(-STEPS) } }, async (name, at) => {
    if (moved || name !== 'main' || at !== MOVED_AT) return
    moved = true
    await moveBack(visitor, way)
  })
  const ran = await runClient({ ...client, commands: (to) => client.commands(to).slice(0, 1) }, way, bins)
  const faults = ran.codes.every((code) => code === 0)
    ? []
    : [`ends with ${ran.codes}: ${ran.output.slice(-500)}`]
  const asked = provider.requests().filter(({ body }) => JSON.stringify(body).includes('job:main'))
  const main = asked.filter(({ body }) => hasTools(body as Fields))
  // those up to the move, the ones from there to the end of the job, and its last word
  const expected = MOVED_AT + 1 + (STEPS - BACK_TO - 1) + 1
  if (main.length !== expected) faults.push(`${main.length} requests where ${expected} are expected`)
  const before = main.slice(0, MOVED_AT + 1)
  for (const [at, request] of main.slice(MOVED_AT + 1).entries())
    faults.push(...requestFaults(request, before).map((fault) => `call ${at + 1} after the move: ${fault}`))
  return faults
}

/** What is wrong with a request after the move; fields that the client changes from call to call need to be there only. */
function requestFaults({ headers, body }: Recorded, before: readonly Recorded[]): string[] {
  const field = 'input' in (body as Fields) ? 'input' : 'messages'
  const { [field]: items, ...fields } = body as Fields
  const faults = pairFaults(field, items as Fields[])
  const text = JSON.stringify(items)
  for (const words of [WORDS, 'This conversation was moved'])
    if (text.split(words).length !== 2) faults.push(`does not say "${words}" once`)
  const sent = before.map((request) => request.body as Fields)
  for (const name of Object.keys({ ...sent[0], ...fields })) {
    if (name === field) continue
    const values = new Set(sent.map((one) => JSON.stringify(one[name])))
    const isKept = values.size === 1 ? values.has(JSON.stringify(fields[name])) : name in fields
    if (!isKept) faults.push(`the field ${name} is another`)
  }
  const lacking = Object.keys(before[0]?.headers ?? {}).filter((name) => !(name in headers))
  return [...faults, ...lacking.map((name) => `the header ${name} is missing`)]
}

const hasTools = ({ tools, input }: Fields): boolean =>
  (Array.isArray(tools) && tools.length > 0) || JSON.stringify(input ?? '').includes('"additional_tools"')

/** A person moves the only agent there is. */
async function moveBack(visitor: Visitor, { base, key }: Way): Promise<void> {
  const { chats } = await visitor.json<{ chats: { id: string }[] }>(`${base}/api/chats`)
  const chat_id = chats[0]?.id ?? ''
  const { agents } = await visitor.graph(base, chat_id)
  const branch = agents?.[0]?.branchId ?? ''
  const answers = (await visitor.messages(base, chat_id, branch)).filter(({ parts }) =>
    parts.some((part) => 'output' in part),
  )
  const steering = { chat_id, branch, message_id: answers[BACK_TO]?.id, text: WORDS }
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'steer', arguments: steering } }
  await visitor.json(`${base}/mcp`, call, {
    authorization: `Bearer ${key}`,
    accept: 'application/json, text/event-stream',
  })
}
