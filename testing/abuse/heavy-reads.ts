import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Arena } from '@/testing/faults/arena'
import { importWhole } from '@/testing/faults/kill-import'
import type { Visitor } from '@/testing/faults/visitor'
import { type Attack, inParallel, times } from './attack'

/** The sizes of the whole suite, and those of a short one: bytes of a body and of a file, messages of each branch. */
const FULL = { messages: 10_000, body: 46_000_000, file: 20_000_000 }
const SMALL = { messages: 200, body: 2_000_000, file: 1_500_000 }

/** A long chat of one guest, with two branches that part at its first message. */
interface LongChat {
  guest: Visitor
  chatId: string
  branches: [string, string]
  /** of a link to the chat, with its graph */
  token: string
  /** of the guest's API key */
  key: string
  sizes: typeof FULL
}

const longChats = new WeakMap<Arena, Promise<LongChat>>()

interface Asked {
  url: string
  init?: RequestInit
}

/** A request whose work grows with a chat or a body, as often as one guest sends it at a time. */
function heavy(name: string, atOnce: number, request: (chat: LongChat, index: number) => Asked): Attack {
  return {
    name,
    // what the first of them loads stays, and does not count
    async prepare({ base, arena, rounds }) {
      const chat = await (longChats.get(arena) ?? begin(base, arena, rounds > 1 ? FULL : SMALL))
      arena.answer = () => 'Noted.'
      const { url, init } = request(chat, 2 * atOnce)
      await read(chat.guest, `${base}${url}`, init)
    },
    async run({ base, arena, rounds }) {
      const chat = await (longChats.get(arena) ?? begin(base, arena, rounds > 1 ? FULL : SMALL))
      const answers = await inParallel(
        times(atOnce * Math.min(rounds, 2), (index) => request(chat, index)),
        atOnce,
        ({ url, init }) => read(chat.guest, `${base}${url}`, init),
      )
      const wrong = answers.filter((status) => ![200, 201, 429, 503].includes(status))
      return [
        ...wrong.map((status) => `one of ${name} was answered ${status}`),
        ...(answers.some((status) => status < 300) ? [] : [`none of ${name} was answered: ${answers}`]),
      ]
    },
  }
}

export const heavyReads: Attack[] = [
  heavy('comparisons of long branches', 6, ({ chatId, branches: [left, right] }) => ({
    url: `/c/${chatId}/compare?left=${left}&right=${right}`,
  })),
  heavy('exports of a long chat', 8, ({ chatId }, index) => ({
    url: `/api/chats/${chatId}/export?format=${['json', 'markdown', 'html', 'jsonl'][index % 4]}`,
  })),
  heavy('copies of a long shared chat', 2, ({ token }) => ({
    url: `/api/shares/${token}/fork`,
    init: { method: 'POST' },
  })),
  heavy('prompts of a long chat', 8, ({ chatId }) => ({ url: `/api/chats/${chatId}/prompt` })),
  heavy('graphs of a long chat', 8, ({ chatId }, index) => ({
    url: `/api/chats/${chatId}/${index % 2 === 0 ? 'graph' : 'history'}`,
  })),
  heavy('long bodies of agents', 6, ({ key, sizes }, index) => ({
    url: '/v1/chat/completions',
    init: {
      method: 'POST',
      body: agentBody(index, sizes),
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    },
  })),
  heavy('large files', 16, ({ sizes }, index) => {
    const body = new FormData()
    body.set('file', new Blob([`${index} `.repeat(sizes.file / 3)]), `file-${randomUUID()}.txt`)
    return { url: '/api/files', init: { method: 'POST', body } }
  }),
]

/** Sends a request and reads the answer without keeping it. */
async function read(guest: Visitor, url: string, init: RequestInit = {}): Promise<number> {
  const response = await fetch(url, { ...init, headers: { cookie: guest.cookie, ...init.headers } })
  for await (const _ of response.body ?? []);
  return response.status
}

function agentBody(index: number, { messages, body }: typeof FULL): string {
  const words = `${index} `.padEnd(body / messages - 40, 'The tram leaves at nine. ')
  return JSON.stringify({
    model: 'demo:demo',
    messages: times(messages, (at) => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: `${at} ${words}`,
    })),
  })
}

function begin(base: string, arena: Arena, sizes: typeof FULL): Promise<LongChat> {
  const made = make(base, arena, sizes)
  longChats.set(arena, made)
  return made
}

async function make(base: string, arena: Arena, sizes: typeof FULL): Promise<LongChat> {
  const guest = await arena.visitor(base)
  const folder = mkdtempSync(path.join(tmpdir(), 'ramify-abuse-'))
  const file = path.join(folder, 'conversations.json')
  try {
    writeFileSync(file, JSON.stringify([longConversation(sizes.messages)]))
    const { messages } = await importWhole(guest, base, file)
    if (messages.imported !== 2 * sizes.messages)
      throw new Error(`${messages.imported} messages were imported`)
  } finally {
    rmSync(folder, { recursive: true })
  }
  const { chats } = await guest.json<{ chats: { id: string }[] }>(`${base}/api/chats`)
  const chatId = chats[0]?.id ?? ''
  const { branches } = await guest.graph(base, chatId)
  const [left, right] = branches.map(({ id }) => id)
  const { token } = await guest.json<{ token: string }>(`${base}/api/shares`, {
    chat_id: chatId,
    branch: left,
    graph: true,
    follow: false,
  })
  const { key } = await guest.json<{ key: string }>(`${base}/api/keys`, { name: 'an agent' })
  return { guest, chatId, branches: [left ?? '', right ?? ''], token, key, sizes }
}

/** A conversation of ChatGPT's form with two branches of so many messages each. */
function longConversation(length: number): object {
  const begun = 1_680_000_000
  const mapping: Record<string, object> = { root: { id: 'root', message: null, parent: null, children: [] } }
  for (const branch of ['a', 'b']) {
    for (const at of times(length, (place) => place)) {
      const id = `${branch}${at}`
      const role = at % 2 === 0 ? 'user' : 'assistant'
      const words =
        at % 2 === 0 ? 'When does the tram leave? ' : 'The **tram** leaves at nine, from the *second* stop. '
      mapping[id] = {
        id,
        parent: at === 0 ? 'root' : `${branch}${at - 1}`,
        children: [],
        message: {
          id,
          author: { role },
          create_time: begun + at * 60,
          content: { content_type: 'text', parts: [`${id}: ${words.repeat(role === 'user' ? 8 : 20)}`] },
        },
      }
    }
  }
  return {
    id: randomUUID(),
    title: 'A long chat',
    create_time: begun,
    update_time: begun + length * 60,
    mapping,
    current_node: `a${length - 1}`,
  }
}
