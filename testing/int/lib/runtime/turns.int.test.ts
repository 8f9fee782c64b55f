// Turns from the request to the stored reply, against a real server that speaks the provider's protocol. Longer than 400
// lines because every case shares one database and one provider, which take seconds to start.

import type { UIMessageChunk } from 'ai'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { HeadConflictError, NotFoundError, ReplyInProgressError, RunOverError } from '@/lib/context'
import {
  followReply,
  InvalidRequestError,
  MessageReusedError,
  parseUserMessage,
  readChat,
  readWindow,
  rewind,
  runTurn,
  stopReply,
  type TurnRequest,
  takeOverRuns,
} from '@/lib/conversations'
import { startTurn } from '@/lib/conversations/turns/start-turn'
import { schema } from '@/lib/db'
import { newId } from '@/lib/events'
import { createServices, type Services } from '@/lib/runtime/services'
import {
  type ChatRequest,
  openAIErrors,
  type ScriptedReply,
  startOpenAIServer,
  textOf,
} from '@/testing/machines/openai-server'
import { databaseEnv, onEachDatabase } from '@/testing/worlds/open-stores'

const MODEL = 'openai-compatible:scripted'

onEachDatabase('a turn', ({ name }) => {
  let services: Services
  let database: Awaited<ReturnType<typeof databaseEnv>>
  let provider: Awaited<ReturnType<typeof startOpenAIServer>>
  let answer: (request: ChatRequest) => ScriptedReply = () => 'Noted.'

  beforeAll(async () => {
    provider = await startOpenAIServer({ answer: (request) => answer(request) })
    database = await databaseEnv(name)
    services = await createServices({
      ...database.env,
      OPENAI_COMPATIBLE_BASE_URL: provider.url,
      OPENAI_COMPATIBLE_MODELS: 'scripted',
      RAMIFY_TITLES: 'words',
      RAMIFY_DEMO_DELAY_MS: '0',
    })
    for (const id of ['ada', 'bob']) {
      await services.database.orm.insert(schema.user).values({ id, name: id, email: `${id}@example.org` })
    }
  })
  afterAll(async () => {
    await services?.database.close()
    await database?.remove()
    await provider?.close()
  })

  type Ask = Partial<TurnRequest> & { chatId: string; text?: string; id?: string }
  const request = ({ text, id, ...rest }: Ask): TurnRequest => ({
    ownerId: 'ada',
    trigger: 'submit-message',
    model: MODEL,
    ...(text === undefined
      ? {}
      : { message: parseUserMessage({ id: id ?? newId(), role: 'user', parts: [{ type: 'text', text }] }) }),
    ...rest,
  })

  /** Runs a turn to its end and returns what the reader saw. */
  async function ask(
    input: Ask,
  ): Promise<{ chunks: UIMessageChunk[]; text: string; ids: { user: string; reply: string } }> {
    const { stream, ended } = await runTurn(services.ports, request(input))
    const chunks = await collect(stream)
    await ended
    return { chunks, text: textIn(chunks), ids: idsIn(chunks) }
  }
  const view = (chatId: string, branch?: string) =>
    readChat(services.ports, { ownerId: 'ada', chatId, ...(branch ? { branch } : {}) })
  const promptOf = (index: number) =>
    provider.requests[index]?.messages.filter((m) => m.role !== 'system').map((m) => textOf(m))

  it('is stored before the model is called, and the reply is stored when it ends', async () => {
    // given a model that reads the stored chat when it is called, before its first word
    const chatId = newId()
    let found: ReturnType<typeof view> | undefined
    answer = () => {
      found = view(chatId)
      return { text: 'Hello there.', pace: () => found }
    }
    const { stream, ended } = await runTurn(services.ports, request({ chatId, text: 'Hello' }))
    // then the person's message is there already, and at the end both are
    const chunks = await collect(stream)
    await ended
    expect((await found)?.window.messages.map((m) => m.role)).toEqual(['user'])
    const after = await view(chatId)
    expect(after.window.messages.map((m) => m.role)).toEqual(['user', 'assistant'])
    expect(after.graph.title).toBe('Hello')
    // and the stream begins with the run and ends with one delta of the whole turn before the closing part
    const types = chunks.map((chunk) => chunk.type)
    expect(types[0]).toBe('data-run')
    expect(types.filter((type) => type === 'data-graph')).toHaveLength(1)
    expect(types.slice(-2)).toEqual(['data-graph', 'finish'])
    const graph = chunks.find((chunk) => chunk.type === 'data-graph') as {
      data: { nodes: { role: string }[] }
    }
    expect(graph.data.nodes.map((node) => node.role)).toEqual(['user', 'assistant'])
  })

  it('sends the model exactly the chain of its branch, five forks deep in thirty turns', async () => {
    // given thirty turns, forked at five of them, each fork inside the one before
    const chatId = newId()
    answer = (chat) => `Reply ${chat.messages.filter((m) => m.role === 'user').length}`
    const expected: string[] = []
    let branch = 'main'
    for (let turn = 1; turn <= 30; turn++) {
      if (turn % 6 === 0) {
        // when the last but one reply becomes the fork point
        const { window, branchId } = await view(chatId, branch)
        const at = window.messages.at(-3)
        const moved = await rewind(services.ports, {
          ownerId: 'ada',
          chatId,
          branchId,
          messageId: at?.id ?? '',
        })
        branch = moved.branchId
        expected.splice(-2)
      }
      const text = `Question ${turn}`
      expected.push(text)
      const before = provider.requests.length
      const { text: reply } = await ask({ chatId, text, branch })
      // then the provider received this chain, root first, and nothing else
      expect(promptOf(before)).toEqual(expected)
      expected.push(reply)
    }
    const { graph } = await view(chatId, branch)
    const window = await readWindow(services.ports, { ownerId: 'ada', chatId, branch, limit: 100 })
    expect(window.messages.map((m) => textIn(m.parts))).toEqual(expected)
    expect(graph.branches.map((b) => b.name)).toEqual([
      'main',
      'main-v2',
      'main-v2-v2',
      'main-v2-v2-v2',
      'main-v2-v2-v2-v2',
      'main-v2-v2-v2-v2-v2',
    ])
  })

  it('editing the first message makes a new root that the old one is no part of', async () => {
    const chatId = newId()
    answer = () => 'Fine.'
    const { ids } = await ask({ chatId, text: 'The first words' })
    const before = provider.requests.length
    await ask({ chatId, text: 'Other first words', messageId: ids.user })
    expect(promptOf(before)).toEqual(['Other first words'])
    const { graph } = await view(chatId)
    expect(graph.lanes.filter((lane) => lane.parentLane === null)).toHaveLength(2)
    expect(graph.branches.map((b) => b.name)).toEqual(['main', 'main-v2'])
  })

  it('an edit that is sent twice is one edit', async () => {
    const chatId = newId()
    const { ids } = await ask({ chatId, text: 'First' })
    const one = await ask({ chatId, text: 'Edited', messageId: ids.user })
    await ask({ chatId, text: 'Edited', messageId: ids.user })
    const { graph } = await view(chatId)
    expect(graph.nodes).toHaveLength(4)
    expect(graph.nodes.map((node) => node.id)).toContain(one.ids.user)
  })

  it('trying again answers the same message on a new branch', async () => {
    const chatId = newId()
    answer = () => 'One answer.'
    const { ids } = await ask({ chatId, text: 'Say something' })
    answer = () => 'Another answer.'
    const before = provider.requests.length
    const again = await ask({ chatId, trigger: 'regenerate-message', messageId: ids.reply })
    expect(again.text).toBe('Another answer.')
    expect(promptOf(before)).toEqual(['Say something'])
    const { graph } = await view(chatId)
    expect(graph.nodes.map((node) => [node.role, node.lane, node.depth])).toEqual(
      expect.arrayContaining([
        ['user', 0, 0],
        ['assistant', 0, 1],
        ['assistant', 1, 1],
      ]),
    )
  })

  it('stores the whole reply when the reader leaves at the third word', async () => {
    const chatId = newId()
    const words = Array.from({ length: 20 }, (_, i) => `word${i}`).join(' ')
    answer = () => ({ text: words, delayMs: 5 })
    const { stream, ended } = await runTurn(services.ports, request({ chatId, text: 'Count' }))
    const reader = stream.getReader()
    for (let deltas = 0; deltas < 3; ) if ((await reader.read()).value?.type === 'text-delta') deltas++
    await reader.cancel()
    await ended
    const { window } = await view(chatId)
    expect(textIn(window.messages[1]?.parts ?? [])).toBe(words)
    expect(window.messages[1]?.metadata?.status).toBeUndefined()
  })

  it('keeps what was said when it is stopped, and stopping again answers the same', async () => {
    const chatId = newId()
    answer = () => ({ text: Array.from({ length: 200 }, (_, i) => `w${i}`).join(' '), delayMs: 5 })
    const { stream } = await runTurn(services.ports, request({ chatId, text: 'Count' }))
    const reader = stream.getReader()
    let runId = ''
    let seen = ''
    while (seen.split(' ').length < 9) {
      const { value } = await reader.read()
      if (value?.type === 'data-run') runId = (value.data as { runId: string }).runId
      if (value?.type === 'text-delta') seen += value.delta
    }
    const stopped = await stopReply(services.ports, { ownerId: 'ada', chatId, runId })
    expect(stopped.status).toBe('stopped')
    const { window, graph } = await view(chatId)
    const reply = window.messages[1]
    expect(reply?.id).toBe(stopped.messageId)
    expect(textIn(reply?.parts ?? []).startsWith(seen)).toBe(true)
    expect(reply?.metadata?.status).toBe('stopped')
    expect(graph.nodes.find((node) => node.id === reply?.id)?.status).toBe('stopped')
    expect(await stopReply(services.ports, { ownerId: 'ada', chatId, runId })).toEqual(stopped)
    await expect(stopReply(services.ports, { ownerId: 'bob', chatId, runId })).rejects.toThrow(NotFoundError)
  })

  it('keeps the words of a provider that dies at the eighth, marked failed, and the next message works', async () => {
    const chatId = newId()
    answer = () => ({ text: Array.from({ length: 20 }, (_, i) => `w${i}`).join(' '), cutAfter: 8 })
    await ask({ chatId, text: 'Count' })
    const { window } = await view(chatId)
    expect(textIn(window.messages[1]?.parts ?? '').trim()).toBe('w0 w1 w2 w3 w4 w5 w6 w7')
    expect(window.messages[1]?.metadata?.status).toBe('failed')
    expect(window.messages[1]?.metadata?.error?.message).toMatch(/\w/)
    answer = () => 'Works again.'
    expect((await ask({ chatId, text: 'Go on' })).text).toBe('Works again.')
  })

  it('says why nothing came, and tries again on the same branch', async () => {
    const chatId = newId()
    answer = () => ({ error: openAIErrors.contextLength() })
    const { ids } = await ask({ chatId, text: 'Too long for you' })
    const failed = await view(chatId)
    expect(failed.window.messages).toHaveLength(1)
    expect(failed.graph.branches[0]?.failure?.kind).toBe('context_length')
    answer = () => 'Now it fits.'
    await ask({ chatId, trigger: 'regenerate-message', messageId: ids.user })
    const { graph, window } = await view(chatId)
    expect(window.messages.map((m) => m.role)).toEqual(['user', 'assistant'])
    expect(graph.branches).toHaveLength(1)
    expect(graph.branches[0]?.failure).toBeNull()
  })

  it('goes on with the model that answered, after another one could not', async () => {
    const chatId = newId()
    answer = () => ({ error: openAIErrors.badKey() })
    const { ids } = await ask({ chatId, text: 'My name is Ada' })
    const { text } = await ask({
      ...{ chatId, trigger: 'regenerate-message', messageId: ids.user, model: 'demo:demo' },
    })
    expect(text).toContain('Ada')
    // the run, the branch and the log tell of one context, and so does a fork
    const { branchId } = await view(chatId)
    const [run] = await services.database.query<{ id: string; model: string }>(
      `select r.context_id as id, c.model from runs r join contexts c on c.chat_id = r.chat_id and c.id = r.context_id
        where r.chat_id = $1 and r.status = 'completed'`,
      [chatId],
    )
    expect(run?.model).toBe('demo:demo')
    expect((await services.ports.store.getBranch(chatId, branchId))?.contextId).toBe(run?.id)
    const events = await services.ports.store.getEvents(chatId)
    expect(
      events.slice(-3).map(({ type, payload }) => [type, 'context_id' in payload && payload.context_id]),
    ).toEqual([
      ['ContextChanged', run?.id],
      ['LLMResponseGenerated', false],
      ['CheckpointCreated', run?.id],
    ])
  })

  it('restores the branch that it is sent to, where that was archived', async () => {
    const chatId = newId()
    answer = () => 'Noted.'
    await ask({ chatId, text: 'Here' })
    const { branchId } = await view(chatId)
    const { branchId: other } = await rewind(services.ports, {
      ...{ ownerId: 'ada', chatId, branchId, messageId: (await view(chatId)).graph.nodes[0]?.id ?? '' },
    })
    await services.ports.store.commit({
      chatId,
      at: Date.now(),
      steps: [{ kind: 'archive-branch', branchId }],
    })
    await ask({ chatId, branch: branchId, text: 'There' })
    const { graph } = await view(chatId)
    expect(graph.activeBranchId).toBe(branchId)
    expect(
      graph.branches
        .filter(({ archivedAt }) => archivedAt === null)
        .map(({ id }) => id)
        .sort(),
    ).toEqual([branchId, other].sort())
  })

  it('is the same turn when the same request comes twice, also at the same time', async () => {
    const chatId = newId()
    answer = () => 'Once.'
    await ask({ chatId, text: 'Warm up' })
    const twice = { chatId, text: 'Exactly once', id: newId() }
    const [a, b] = await Promise.all([ask(twice), ask(twice)])
    const c = await ask(twice)
    expect([a.text, b.text, c.text]).toEqual(['Once.', 'Once.', 'Once.'])
    expect((await view(chatId)).graph.nodes).toHaveLength(4)
    await expect(runTurn(services.ports, request({ ...twice, text: 'Something else' }))).rejects.toThrow(
      MessageReusedError,
    )
  })

  it('of twenty writers on one head, one is answered and the others are refused, nothing is lost', async () => {
    const chatId = newId()
    const first = await ask({ chatId, text: 'Start' })
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) =>
        ask({ chatId, text: `Writer ${i}`, expectedHead: first.ids.reply }),
      ),
    )
    const refused = results.flatMap((r) => (r.status === 'rejected' ? [r.reason as Error] : []))
    expect(refused.every((e) => e instanceof HeadConflictError || e instanceof ReplyInProgressError)).toBe(
      true,
    )
    expect(refused).toHaveLength(19)
    const { graph, window } = await view(chatId)
    expect(graph.nodes).toHaveLength(4)
    expect(window.messages).toHaveLength(4)
  })

  it('lets a later reader follow a live reply from its first word', async () => {
    const chatId = newId()
    const words = Array.from({ length: 40 }, (_, i) => `w${i}`).join(' ')
    answer = () => ({ text: words, delayMs: 5 })
    const { stream, ended } = await runTurn(services.ports, request({ chatId, text: 'Count' }))
    const reader = stream.getReader()
    for (let deltas = 0; deltas < 5; ) if ((await reader.read()).value?.type === 'text-delta') deltas++
    const late = await followReply(services.ports, { ownerId: 'ada', chatId, branch: 'main' })
    expect(textIn(await collect(late ?? new ReadableStream()))).toBe(words)
    await ended
    expect(await followReply(services.ports, { ownerId: 'ada', chatId })).toBeUndefined()
  })

  it('takes over a reply whose process died, and gives up after three attempts', async () => {
    // given a run whose holder is gone: its lease has ended and no process writes it
    const chatId = newId()
    answer = () => 'Warm.'
    await ask({ chatId, text: 'Warm up' })
    const { graph, branchId } = await view(chatId)
    const abandon = async (text: string) => {
      const userId = newId()
      const runId = newId()
      const head = (await view(chatId)).window.messages.at(-1)?.id ?? null
      const data = { id: userId, role: 'user', parts: [{ type: 'text', text }] }
      const message = { id: userId, name: 'user', data, preview: text, createdAt: Date.now() }
      const run = { runId, branchId, replyTo: userId, replyId: newId(), model: MODEL, leaseMs: -1 }
      await services.ports.store.commit({
        chatId,
        at: Date.now(),
        steps: [
          { kind: 'append', branchId, expectedHead: head, messages: [message] },
          { kind: 'queue-run', ...run },
        ],
      })
      return run
    }
    expect(graph.runs).toEqual([])
    const first = await abandon('Are you there?')
    // when another process looks for such runs
    answer = () => 'Taken over.'
    const { taken, ended } = await takeOverRuns(services.ports)
    await ended
    // then the reply is stored once, and the first holder, should it wake, is refused
    expect(taken).toBe(1)
    expect((await view(chatId)).window.messages.at(-1)?.id).toBe(first.replyId)
    await expect(
      services.ports.store.commit({
        chatId,
        at: Date.now(),
        steps: [{ kind: 'finish-run', runId: first.runId, fence: 1, status: 'completed' }],
      }),
    ).rejects.toThrow(RunOverError)
    // given one that was interrupted three times already
    const second = await abandon('Again?')
    await services.database.query(
      `update runs set attempt = 3, lease_until = now() - interval '1 minute' where id = $1`,
      [second.runId],
    )
    const before = provider.requests.length
    await (await takeOverRuns(services.ports)).ended
    // then no model is asked any more, and the page can say why
    expect(provider.requests.length).toBe(before)
    const after = await view(chatId)
    expect(after.graph.runs).toEqual([])
    expect(after.graph.branches[0]?.failure?.kind).toBe('interrupted')
  })

  it('stops a reply whose process is gone, and refuses a process that still writes it', async () => {
    const chatId = newId()
    answer = () => ({ text: 'Never stored.', delayMs: 5 })
    // given a run that no process here holds
    const turn = await startTurn(services.ports, request({ chatId, text: 'Hello' }))
    const runId = 'run' in turn && turn.run ? turn.run.runId : ''
    // when it is stopped
    const stopped = await stopReply(services.ports, { ownerId: 'ada', chatId, runId })
    // then it is over, for good
    expect(stopped).toEqual({ status: 'stopped', messageId: null })
    expect((await view(chatId)).graph.branches[0]?.failure?.kind).toBe('stopped')
    await expect(
      services.ports.store.commit({
        chatId,
        at: Date.now(),
        steps: [{ kind: 'finish-run', runId, fence: 1, status: 'completed' }],
      }),
    ).rejects.toThrow(RunOverError)
    expect((await takeOverRuns(services.ports)).taken).toBe(0)
  })

  it('answers only once when a chat is begun by three requests at the same time', async () => {
    const chatId = newId()
    answer = () => 'One of three.'
    const results = await Promise.allSettled([1, 2, 3].map((n) => ask({ chatId, text: `Opener ${n}` })))
    const refused = results.flatMap((r) => (r.status === 'rejected' ? [r.reason as Error] : []))
    expect(refused).toHaveLength(2)
    for (const error of refused) {
      expect(error instanceof HeadConflictError || error instanceof ReplyInProgressError).toBe(true)
    }
    expect((await view(chatId)).graph.nodes).toHaveLength(2)
  })

  it('refuses what it cannot do and writes nothing', async () => {
    const chatId = newId()
    const { ids } = await ask({ chatId, text: 'Mine' })
    const before = await view(chatId)
    const refusals: [Ask, abstract new (...args: never[]) => Error][] = [
      [{ chatId, trigger: 'regenerate-message', ownerId: 'bob' }, NotFoundError],
      [{ chatId, text: 'x', ownerId: 'bob', branch: 'nowhere' }, NotFoundError],
      [{ chatId, text: 'x', branch: 'nowhere' }, NotFoundError],
      [{ chatId, text: 'x', expectedHead: ids.user }, HeadConflictError],
      [{ chatId, text: 'x', messageId: 'nothing' }, NotFoundError],
      [{ chatId, text: 'x', messageId: ids.reply }, InvalidRequestError],
      [{ chatId, text: 'x', model: 'no:model' }, InvalidRequestError],
      [{ chatId, trigger: 'regenerate-message', messageId: 'nothing' }, NotFoundError],
      [{ chatId: newId(), text: 'x', branch: 'nowhere' }, NotFoundError],
    ]
    for (const [input, refusal] of refusals) {
      await expect(runTurn(services.ports, request(input))).rejects.toThrow(refusal)
    }
    expect(await view(chatId)).toEqual(before)
  })

  it.each([
    ['nothing', ''],
    ['white space', ' \n\t '],
    ['100,001 characters', 'x'.repeat(100_001)],
    ['NUL', 'a\0b'],
    ['a lone surrogate', 'a\ud800'],
  ])('refuses a message of %s', (_what, text) => {
    expect(() => request({ chatId: 'c', text })).toThrow(InvalidRequestError)
  })

  it('the demo model knows only what was said on its own branch', async () => {
    const chatId = newId()
    const model = 'demo:demo'
    const first = await ask({ chatId, text: 'Hello', model })
    const named = await ask({ chatId, text: 'I am devansh', model })
    // given a fork after the name was said, and one before
    const main = await view(chatId)
    const branch = async (messageId: string) =>
      (await rewind(services.ports, { ownerId: 'ada', chatId, branchId: main.branchId, messageId })).branchId
    const after = await branch(named.ids.reply)
    const before = await branch(first.ids.reply)
    // then the one inherits it and the other does not
    expect((await ask({ chatId, branch: after, text: 'what is my name', model })).text).toMatch(/devansh/i)
    expect((await ask({ chatId, branch: before, text: 'what is my name', model })).text).not.toMatch(
      /devansh/i,
    )
  })
})

async function collect(stream: ReadableStream<UIMessageChunk>): Promise<UIMessageChunk[]> {
  const chunks: UIMessageChunk[] = []
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return chunks
    chunks.push(value)
  }
}

function textIn(parts: readonly { type: string; text?: string; delta?: string }[] | string): string {
  if (typeof parts === 'string') return parts
  return parts
    .map((part) => (part.type === 'text-delta' ? part.delta : part.type === 'text' ? part.text : '') ?? '')
    .join('')
}

function idsIn(chunks: UIMessageChunk[]): { user: string; reply: string } {
  const run = chunks.find((chunk) => chunk.type === 'data-run')
  const { userMessageId = '', replyId = '' } = (run && 'data' in run ? run.data : {}) as Record<
    string,
    string
  >
  return { user: userMessageId, reply: replyId }
}
