import { randomUUID } from 'node:crypto'
import { type APIRequestContext, expect } from '@playwright/test'
import { startRemoteServer } from '@/testing/machines/remote-server'
import { signIn } from '../support/openings'

/** The chats that actions are done in: one with everything that a person makes, and one that an agent writes in. */
export interface GivenChats {
  trip: string
  agent: string
}

const person = (text: string) => ({ role: 'user', text })
const reply = (text: string) => ({ role: 'assistant', text })

/** Turns of the trunk, longer than what the graph draws whole; then two second halves. */
const trunk = ['Lisbon', 'Sintra', 'Belem', 'Alfama', 'Cascais'].flatMap((place) => [
  person(`Tell me about ${place}`),
  reply(`${place} is worth a day.`),
])
const endings = [
  [person('what is 2+2'), reply('That is 4.')],
  [person('what is 3+3'), reply('That is 6.')],
]

/** The export of another program, in which the chat has an address. */
function exported() {
  const nodes = [...trunk, ...endings.flat()].map((said, at) => ({ ...said, id: `m${at + 1}` }))
  const parentOf = (at: number) => {
    if (at === 0) return 'root'
    return `m${at === trunk.length + 2 ? trunk.length : at}`
  }
  const mapping = nodes.map(({ id, role, text }, at) => ({
    id,
    parent: parentOf(at),
    children: nodes.filter((_, below) => parentOf(below) === id).map((child) => child.id),
    message: {
      id,
      author: { role },
      create_time: 1_700_000_000 + at,
      content: { content_type: 'text', parts: [text] },
      status: 'finished_successfully',
    },
  }))
  const root = { id: 'root', parent: null, children: ['m1'], message: null }
  return [
    {
      title: 'Three days in Lisbon',
      conversation_id: randomUUID(),
      create_time: 1_700_000_000,
      update_time: 1_700_000_100,
      mapping: Object.fromEntries([root, ...mapping].map((node) => [node.id, node])),
      current_node: `m${nodes.length}`,
    },
  ]
}

/** Gives the person two remotes: with one alone a pull begins at once. They answer until they are added. */
export async function giveRemotes(request: APIRequestContext): Promise<void> {
  const server = await startRemoteServer()
  for (const name of ['home', 'work']) {
    const added = await request.post('/api/remotes', { data: { name, url: server.url } })
    expect(added.status()).toBe(201)
  }
  await server.close()
}

/** Signs in, and stores the chats without a page. */
export async function giveChats(request: APIRequestContext): Promise<GivenChats> {
  await signIn(request)
  const buffer = Buffer.from(JSON.stringify(exported()))
  const file = { name: 'conversations.json', mimeType: 'application/json', buffer }
  const { import_id: id } = await (await request.post('/api/import', { multipart: { file } })).json()
  const report = async () => (await request.get(`/api/import/${id}`)).json()
  await expect.poll(async () => (await report()).status).toBe('done')
  const trip = (await report()).examples[0].chat_id
  const made = await request.post('/api/keys', { data: { name: 'laptop' } })
  const { key } = await made.json()
  const called = await request.post('/v1/chat/completions', {
    headers: { authorization: `Bearer ${key}`, 'user-agent': 'openai' },
    data: { model: 'demo:demo', messages: [{ role: 'user', content: 'what is 5+5' }] },
  })
  return { trip, agent: called.headers()['x-ramify-chat'] ?? '' }
}
