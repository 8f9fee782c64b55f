import { Chat } from '@ai-sdk/react'
import { DrizzleContextStore } from '@ramify/context-postgres'
import type { UIMessage } from 'ai'
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chatTransport } from './chat'
import { chatRoute } from './chat-route'

let store: DrizzleContextStore
beforeAll(async () => {
  store = await DrizzleContextStore.open({ dataDir: 'memory://' })
}, 240_000)
afterAll(() => store.close())

/** A model that gives one reply after another, and keeps what it was asked. */
function modelOf(...replies: string[]) {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  }
  return new MockLanguageModelV4({
    doStream: async () => ({
      stream: convertArrayToReadableStream([
        { type: 'text-start' as const, id: '1' },
        { type: 'text-delta' as const, id: '1', delta: replies.shift() ?? '' },
        { type: 'text-end' as const, id: '1' },
        { type: 'finish' as const, finishReason: { unified: 'stop' as const, raw: 'stop' }, usage },
      ]),
    }),
  })
}

test('given a chat, when it sends, tries again and is opened anew, then both replies are kept and the page has the last', async () => {
  const model = modelOf('Lisbon.', 'Ghent.')
  const { GET, POST } = chatRoute({ store, model, userId: 'ada' })
  const transport = chatTransport((url, init) =>
    POST(new Request(new URL(String(url), 'http://localhost'), init)),
  )

  const chat = new Chat<UIMessage>({ id: 'trip', transport })
  await chat.sendMessage({ text: 'Where to in May?' })
  await chat.regenerate()

  const texts = chat.messages.map(({ parts }) =>
    parts.flatMap((part) => (part.type === 'text' ? part.text : [])),
  )
  expect(texts).toEqual([['Where to in May?'], ['Ghent.']])
  const opened: UIMessage[] = await (await GET(new Request('http://localhost/api/chat?id=trip'))).json()
  expect(opened.map(({ id }) => id)).toEqual(chat.messages.map(({ id }) => id))

  const { nodes, branches } = await store.getGraph('trip')
  expect(nodes.map(({ content }) => content).sort()).toEqual(['Ghent.', 'Lisbon.', 'Where to in May?'])
  expect(branches.map(({ name }) => name)).toEqual(['main', 'main-v2'])
  // the second reply was asked for without the first
  expect(model.doStreamCalls[1]?.prompt).toMatchObject([
    { role: 'system', content: '<role>You are a travel agent.</role>' },
    { role: 'user', content: [{ text: 'Where to in May?' }] },
  ])
})
