import { describe, expect, it } from 'vitest'
import { changeTurn, isOver, type Turn, type TurnEvent } from '@/components/session/turn'
import type { ChatMessage, Problem, TurnData } from '@/lib/protocol'

const user: ChatMessage = { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }
const sent: Turn = {
  key: 't',
  phase: { is: 'sending' },
  branchId: 'main',
  base: 'd',
  user,
  runId: null,
  replyId: null,
  startedAt: 1000,
  waiting: null,
  stopping: false,
  tries: 0,
  chat: {} as Turn['chat'],
}
const run: TurnData['run'] = {
  runId: 'run',
  status: 'running',
  branchId: 'main',
  branch: 'main',
  userMessageId: 'u',
  replyId: 'r',
  delta: { chatId: 'chat', seq: 11 },
}
const problem: Problem = { type: '', title: 'Conflict', status: 409, code: 'head_moved', detail: 'It moved.' }
const waiting = { for: 'person', writing: 2 } as const

const named: TurnEvent = { type: 'named', run, at: 5000 }
const broken: TurnEvent = { type: 'broken', problem }
const online: TurnEvent = { type: 'online' }
const paused = (offline = false): TurnEvent => ({ type: 'pause over', offline })
const say = (type: 'read' | 'left' | 'run over' | 'stop' | 'stop failed' | 'over'): TurnEvent => ({ type })

const given = (...events: TurnEvent[]) => events.reduce(changeTurn, sent)
const phaseAfter = (...events: TurnEvent[]) => given(...events).phase.is

describe('given events, then the turn is in a phase', () => {
  it.each<[string, string, TurnEvent[]]>([
    ['nothing yet', 'sending', []],
    ['its name', 'streaming', [named]],
    ['a refusal', 'refused', [broken]],
    ['a stream that broke off', 'pausing', [named, broken]],
    ['the end of the pause', 'resuming', [named, broken, paused()]],
    ['the end of the pause without a network', 'pausing', [named, broken, paused(true)]],
    ['the network again, in a pause', 'resuming', [named, broken, online]],
    ['the network again, while it streams', 'streaming', [named, online]],
    ['its name again, from a worker that took it over', 'streaming', [named, named]],
    ['a stream that was resumed', 'streaming', [named, broken, paused(), named]],
    ['a stream that broke off again', 'pausing', [named, broken, paused(), named, broken]],
    ['another branch being read', 'unread', [named, say('left')]],
    ['another branch being read before it is stored', 'sending', [say('left')]],
    ['its branch being read again', 'pausing', [named, say('left'), say('read')]],
    ['its branch being read still', 'streaming', [named, say('read')]],
    ['the end of its run, while it streams', 'closing', [named, say('run over')]],
    ['the end of its run, in a pause', 'ended', [named, broken, say('run over')]],
    ['the end of its run, unread', 'ended', [named, say('left'), say('run over')]],
    ['the end of its run, then of its stream', 'ended', [named, say('run over'), broken]],
    ['the end of its run, then another branch', 'ended', [named, say('run over'), say('left')]],
    ['the stored reply', 'ended', [named, say('over')]],
  ])('%s: %s', (_, phase, events) => {
    expect(phaseAfter(...events)).toBe(phase)
  })
})

describe('a turn that is sent', () => {
  it('is shown with its message until the graph has it', () => {
    expect(sent).toMatchObject({ user, base: 'd' })
    expect(given(named)).toMatchObject({ user: null, base: 'u', runId: 'run', replyId: 'r', startedAt: 1000 })
  })

  it('goes to the branch the server answered on', () => {
    const elsewhere: TurnEvent = { type: 'named', run: { ...run, branchId: 'main-v2' }, at: 0 }
    expect(given(elsewhere).branchId).toBe('main-v2')
  })

  it('is timed from where its reply begins, when that has waited', () => {
    const queued: TurnEvent = { type: 'named', run: { ...run, waiting }, at: 2000 }
    expect(given(queued)).toMatchObject({ waiting, startedAt: 1000 })
    expect(given(queued, named)).toMatchObject({ waiting: null, startedAt: 5000 })
    // it says why it waits also while its stream is broken
    expect(given(queued, broken)).toMatchObject({ waiting })
  })

  it('keeps the problem it was refused for', () => {
    expect(given(broken).phase).toEqual({ is: 'refused', problem })
  })
})

describe('a stop', () => {
  it('before the first word waits for the name of the run', () => {
    expect(given(say('stop'))).toMatchObject({ stopping: true, runId: null })
    expect(given(say('stop'), named)).toMatchObject({ stopping: true, runId: 'run' })
  })

  it('lasts while the stream is broken, and can be asked for again when it failed', () => {
    expect(given(named, say('stop'), broken, paused(), named).stopping).toBe(true)
    expect(given(named, say('stop'), say('stop failed')).stopping).toBe(false)
  })

  it('asked for twice is one', () => {
    const stopping = given(named, say('stop'))
    expect(changeTurn(stopping, say('stop'))).toBe(stopping)
  })
})

describe('the pauses before asking again', () => {
  it('grow with every try, and begin anew when the network is back or the branch is read again', () => {
    const tried = [named, broken, paused(), broken, paused(), broken, paused(true)]
    expect(given(...tried)).toMatchObject({ phase: { is: 'pausing' }, tries: 3 })
    expect(given(...tried, online).tries).toBe(0)
    expect(given(...tried, say('left'), say('read')).tries).toBe(0)
  })

  it('do not begin anew with a stream that breaks off each time', () => {
    expect(given(named, broken, paused(), named, broken)).toMatchObject({ tries: 1 })
    expect(given(named, broken, paused(), named, broken, paused(), named, broken)).toMatchObject({ tries: 1 })
  })
})

describe('given a turn that is over', () => {
  const delta = { chatId: 'chat', seq: 12 }
  const ended = given(named, { type: 'over', delta, bodies: [user] })
  const late: TurnEvent[] = [
    ...[named, broken, online, paused()],
    ...[say('stop'), say('read'), say('left'), say('run over'), { type: 'over' } as const],
  ]

  it('then it holds the stored reply', () => {
    expect(isOver(ended)).toBe(true)
    expect(ended.phase).toEqual({ is: 'ended', delta, bodies: [user] })
  })

  it.each(late)('then a late event changes nothing: $type', (event) => {
    expect(changeTurn(ended, event)).toBe(ended)
    expect(changeTurn(given(broken), event)).toEqual(given(broken))
  })
})

describe('given a reply that is followed, it is timed by its age on the server', () => {
  const followed: Turn = { ...sent, key: 'run', runId: 'run', startedAt: 4000, phase: { is: 'resuming' } }
  const told = (elapsedMs?: number): TurnEvent => ({ type: 'named', run: { ...run, elapsedMs }, at: 5000 })

  it('whatever the clock of the browser says', () => {
    expect(changeTurn(followed, told(90_000)).startedAt).toBe(5000 - 90_000)
  })

  it('by its coming, where the server does not tell', () => {
    expect(changeTurn(followed, told()).startedAt).toBe(4000)
  })

  it('but one that this page has begun is timed from its sending', () => {
    expect(changeTurn(given(named, broken, paused()), told(90_000)).startedAt).toBe(1000)
  })
})
