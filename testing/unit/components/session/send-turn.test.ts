import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createApi } from '@/components/app/api'
import {
  type ChatAction,
  type ChatSession,
  changeChat,
  headOf,
  openChat,
} from '@/components/session/chat-session'
import { wordsOf } from '@/components/session/messages'
import { sendTurn, type TurnDeps } from '@/components/session/send-turn'
import type { ChatMessage, GraphDelta, Problem } from '@/lib/protocol'
import { branchedGraph } from '@/testing/worlds/testing-graph'

type Part = { type: string } & Record<string, unknown>

/** A page without a browser: the reducer, and a server that answers what it is told to. */
class Page {
  state: ChatSession = openChat(
    { graph: branchedGraph(), branchId: 'main', window: { messages: [], start: 0 } },
    false,
  )
  requests: string[] = []
  bodies: unknown[] = []
  /** fires when a request's answer is not wanted any more */
  signals: AbortSignal[] = []
  refused: Problem | null = null
  titles: string[] = []
  stored = 0
  over: string[] = []
  answers: Array<Response | Error> = []

  constructor() {
    vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
      this.requests.push(`${init?.method ?? 'GET'} ${url}`)
      if (init?.signal) this.signals.push(init.signal)
      if (init?.body) this.bodies.push(JSON.parse(String(init.body)))
      const answer = this.answers.shift() ?? new Response(null, { status: 204 })
      if (answer instanceof Error) throw answer
      return answer
    })
  }

  deps: TurnDeps = {
    api: createApi({ signedIn: true, onSignIn: () => undefined }),
    chatId: 'chat',
    dispatch: (action: ChatAction) => {
      this.state = changeChat(this.state, action)
    },
    readTo: () => this.state.readTo,
    onTitle: (title) => this.titles.push(title),
    onStored: () => {
      this.stored++
    },
    onStopFailed: (problem) => {
      this.refused = problem
    },
    onOver: (key) => this.over.push(key),
  }

  send(text: string) {
    const message: ChatMessage = { id: 'u', role: 'user', parts: [{ type: 'text', text }] }
    return sendTurn(this.deps, {
      from: 'main',
      branch: 'main',
      base: 'd',
      expectedHead: 'd',
      trigger: 'submit-message',
      model: 'demo:demo',
      message,
      onRefused: (problem) => {
        this.refused = problem
      },
    })
  }

  /** Lets time pass, by the clock of the test. */
  async pass(seconds: number) {
    for (let second = 0; second < seconds; second++) {
      await vi.advanceTimersByTimeAsync(1000)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  /** Waits until no reply is on its way. */
  async idle() {
    for (let second = 0; second < 120 && this.state.turns.length > 0; second++) await this.pass(1)
    expect(this.state.turns).toEqual([])
  }

  text(id: string): string | null {
    const message = this.state.bodies.get(id)
    return message ? wordsOf(message) : null
  }
}

function stream(...parts: Part[]): Response {
  const lines = parts.map((part) => `data: ${JSON.stringify(part)}\n\n`).join('')
  return new Response(lines, { headers: { 'content-type': 'text/event-stream' } })
}

/** A page that has sent a message, and whose server answers these. */
function pageThatHas(...answers: Page['answers']): Page & { turn: ReturnType<typeof sendTurn> } {
  const page = new Page()
  page.answers = answers
  return Object.assign(page, { turn: page.send('Hi') })
}

/** A page that has sent a message, and whose server says one thing after another. */
function pageThatHears() {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const page = pageThatHas(new Response(readable, { headers: { 'content-type': 'text/event-stream' } }))
  const say = (...parts: Part[]) => {
    for (const part of parts) {
      const line = `data: ${JSON.stringify(part)}\n\n`
      void writer.write(new TextEncoder().encode(line)).catch(() => undefined)
    }
  }
  return { page, turn: page.turn, say, hangUp: () => writer.close() }
}

const node = (id: string, depth: number, role: string) => ({
  id,
  lane: 0,
  depth,
  role,
  preview: id,
  status: 'done' as const,
  createdAt: 100,
})
const main = { id: 'main', name: 'main', parentBranchId: null, createdAt: 0, archivedAt: null }

const begun: GraphDelta = {
  chatId: 'chat',
  seq: 11,
  nodes: [node('u', 4, 'user')],
  branches: [{ ...main, headId: 'u' }],
  runs: [{ runId: 'run', branchId: 'main', replyTo: 'u', replyId: 'r' }],
}
const finished: GraphDelta = {
  chatId: 'chat',
  seq: 12,
  nodes: [node('r', 5, 'assistant')],
  branches: [{ ...main, headId: 'r' }],
  endedRuns: ['run'],
}

const named = {
  runId: 'run',
  status: 'running',
  branchId: 'main',
  branch: 'main',
  userMessageId: 'u',
  replyId: 'r',
}
const run: Part = { type: 'data-run', transient: true, data: { ...named, delta: begun } }
const start: Part = { type: 'start', messageId: 'r' }
const words = (...deltas: string[]): Part[] => [
  { type: 'text-start', id: 't' },
  ...deltas.map((delta) => ({ type: 'text-delta', id: 't', delta })),
]
const step = { type: 'start-step' }
/** a reply that came in two steps, and broke off in the second */
const unfinished = [start, step, ...words('Hello '), { type: 'text-end', id: 't' }, step, ...words('wor')]
const last: Part[] = [
  { type: 'text-end', id: 't' },
  { type: 'finish' },
  { type: 'data-graph', transient: true, data: finished },
]
const whole = [run, start, ...words('Hello ', 'there'), ...last]
const problem = { type: '', title: 'Conflict', status: 409, code: 'head_moved', detail: 'It moved.' }

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout'] }))
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('a turn', () => {
  it('sends the new message only, and ends stored', async () => {
    const page = pageThatHas(stream(...whole))
    expect(page.state.turns).toMatchObject([{ branchId: 'main', base: 'd', user: { id: 'u' } }])
    await page.idle()
    expect(page.bodies).toEqual([
      {
        id: 'chat',
        branch: 'main',
        expectedHead: 'd',
        trigger: 'submit-message',
        model: 'demo:demo',
        message: { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Hi' }] },
      },
    ])
    expect(page.text('r')).toBe('Hello there')
    expect(page.text('u')).toBe('Hi')
    expect(headOf(page.state.index, 'main')).toBe('r')
    expect(page.state.index.graph.runs).toEqual([])
    expect(page.stored).toBe(1)
  })

  it('given a reply that waits, then the page says why until it begins, and times it from there', async () => {
    const clock = vi.spyOn(Date, 'now').mockReturnValue(1000)
    const waiting = { for: 'person', writing: 16 }
    const { page, say, hangUp } = pageThatHears()
    say({ ...run, data: { ...named, status: 'queued', waiting, delta: begun } })
    await page.pass(1)
    expect(page.state.turns).toMatchObject([{ runId: 'run', user: null, waiting, startedAt: 1000 }])
    clock.mockReturnValue(61_000)
    say(run, start, ...words('Hello '))
    await page.pass(1)
    expect(page.state.turns).toMatchObject([{ runId: 'run', waiting: null, startedAt: 61_000 }])
    say(...words('there'), ...last)
    await hangUp()
    await page.idle()
    expect(page.stored).toBe(1)
    clock.mockRestore()
  })

  it.each([1, 2, 3, 4, 5, 6])('whose stream breaks after %i parts is resumed, once', async (parts) => {
    const page = pageThatHas(stream(...whole.slice(0, parts)), stream(...whole))
    await page.idle()
    expect(page.requests).toEqual(['POST /api/chat', 'GET /api/chat/chat/stream?branch=main&since=10'])
    expect(page.text('r')).toBe('Hello there')
    expect(page.refused).toBeNull()
  })

  it.each([
    { when: 'after its stream broke', broken: [stream(run, start, ...words('Hello '))] },
    { when: 'while it was being sent', broken: [] },
  ])(
    'that a worker took over $when begins its words anew, whatever steps they came in',
    async ({ broken }) => {
      const page = pageThatHas(
        ...broken,
        stream(run, ...unfinished, run, start, step, ...words('Good ', 'day'), ...last),
      )
      await page.idle()
      expect(page.requests).toHaveLength(broken.length + 1)
      expect(page.text('r')).toBe('Good day')
    },
  )

  it('that ended unseen is read from the graph', async () => {
    const page = pageThatHas(stream(run, start), new Response(null, { status: 204 }), Response.json(finished))
    await page.idle()
    expect(page.requests.at(-1)).toBe('GET /api/chats/chat/graph?since=10')
    expect(headOf(page.state.index, 'main')).toBe('r')
  })

  it('is waited for while it is neither streamed nor over', async () => {
    const page = pageThatHas(
      stream(run, start),
      new Response(null, { status: 204 }),
      Response.json({ chatId: 'chat', seq: 11 }),
      stream(...whole),
    )
    await page.idle()
    expect(page.text('r')).toBe('Hello there')
  })

  it('that is not written for long is asked after ever less often, and at once when the connection is back', async () => {
    const page = pageThatHas(stream(run, start))
    const { turn } = page
    await page.pass(600)
    expect(page.state.turns).toMatchObject([{ runId: 'run' }])
    const asked = page.requests.filter((request) => request.includes('/stream')).length
    expect(asked).toBeGreaterThan(600 / 15)
    expect(asked).toBeLessThan(600 / 15 + 10)

    page.answers = [stream(...whole)]
    turn.tell({ type: 'online' })
    await page.pass(1)
    expect(page.text('r')).toBe('Hello there')
    expect(page.state.turns).toEqual([])
    expect(page.over).toEqual([turn.key])
  })

  it('that is known to be over still takes what is streaming in, unless that never ends', async () => {
    const { page, turn, say, hangUp } = pageThatHears()
    say(run, start, ...words('Hello '))
    await page.pass(1)
    turn.tell({ type: 'run over' })
    await page.pass(1)
    say({ type: 'text-delta', id: 't', delta: 'there' }, ...last)
    await hangUp()
    await page.idle()
    expect(page.text('r')).toBe('Hello there')

    const mute = pageThatHears()
    mute.say(run, start, ...words('Hello '))
    await mute.page.pass(1)
    mute.turn.tell({ type: 'run over' })
    await mute.page.pass(4)
    expect(mute.page.state.turns).toHaveLength(1)
    await mute.page.pass(2)
    expect(mute.page.state.turns).toEqual([])
  })

  it('of a chat that is gone is not asked after again, nor is its run followed again', async () => {
    const page = new Page()
    const gone = { ...problem, status: 404, code: 'not_found' }
    page.answers = [stream(run, start, ...words('Hello ')), Response.json(gone, { status: 404 })]
    const turn = page.send('Hi')
    await page.pass(60)
    expect(page.requests).toHaveLength(2)
    expect(page.state.turns).toEqual([])
    expect(page.state.index.graph.runs).toEqual([])
    expect(page.over).toEqual([turn.key])
  })

  it('that is not read keeps no connection, and goes on where it is by then when it is read again', async () => {
    const { page, turn, say } = pageThatHears()
    say(run, start, ...words('Hello '))
    await page.pass(1)
    turn.tell({ type: 'left' })
    turn.tell({ type: 'left' })
    await page.pass(60)
    expect(page.state.turns).toMatchObject([{ key: turn.key, runId: 'run' }])
    expect(page.requests).toEqual(['POST /api/chat'])
    expect(page.signals.map(({ aborted }) => aborted)).toEqual([true])

    page.answers = [stream(...whole)]
    turn.tell({ type: 'read' })
    await page.pass(1)
    expect(page.requests.slice(1)).toEqual(['GET /api/chat/chat/stream?branch=main&since=10'])
    expect(page.text('r')).toBe('Hello there')
    expect(page.over).toEqual([turn.key])
  })

  it('that is not read asks for nothing, and ends when it is known to be over', async () => {
    const page = pageThatHas(stream(run, start))
    const { turn } = page
    await page.pass(30)
    const asked = page.requests.length
    turn.tell({ type: 'left' })
    await page.pass(600)
    expect(page.requests).toHaveLength(asked)
    expect(page.state.turns).toHaveLength(1)
    turn.tell({ type: 'run over' })
    expect(page.state.turns).toEqual([])
    expect(page.over).toEqual([turn.key])
  })

  it('that is stopped before its first word is stopped once, as soon as its run has a name', async () => {
    const { page, turn, say, hangUp } = pageThatHears()
    turn.tell({ type: 'stop' })
    turn.tell({ type: 'stop' })
    await page.pass(1)
    expect(page.state.turns).toMatchObject([{ stopping: true, runId: null }])
    expect(page.requests).toEqual(['POST /api/chat'])
    say(run)
    await page.pass(1)
    say(start, ...words('Hello '), ...last)
    await hangUp()
    await page.idle()
    expect(page.requests).toEqual(['POST /api/chat', 'POST /api/chat/chat/stop'])
    expect(page.bodies.at(-1)).toEqual({ runId: 'run' })
  })

  it('whose stop fails can be stopped again', async () => {
    const { page, turn, say } = pageThatHears()
    say(run)
    await page.pass(1)
    page.answers = [new TypeError('Failed to fetch')]
    turn.tell({ type: 'stop' })
    await page.pass(1)
    expect(page.refused?.code).toBe('offline')
    expect(page.state.turns).toMatchObject([{ stopping: false }])
    turn.tell({ type: 'stop' })
    await page.pass(1)
    expect(page.requests.filter((request) => request.endsWith('/stop'))).toHaveLength(2)
    turn.tell({ type: 'over' })
  })

  it('is not disturbed by a second send that is refused', async () => {
    const { page, say, hangUp } = pageThatHears()
    say(run)
    await page.pass(1)
    page.answers = [Response.json({ ...problem, code: 'reply_in_progress' }, { status: 409 })]
    page.send('And?')
    await page.pass(1)
    expect(page.refused?.code).toBe('reply_in_progress')
    expect(page.state.turns).toMatchObject([{ runId: 'run', phase: { is: 'streaming' } }])
    say(start, ...words('Hello ', 'there'), ...last)
    await hangUp()
    await page.idle()
    expect(page.text('r')).toBe('Hello there')
  })

  it('that is let go of is neither stopped nor followed', async () => {
    const page = new Page()
    page.answers = [stream(run, start, ...words('Hello '))]
    page.send('Hi').tell({ type: 'over' })
    await page.idle()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(page.requests.filter((request) => request.includes('stop'))).toEqual([])
    expect(page.requests.length).toBeLessThanOrEqual(1)
  })
})
