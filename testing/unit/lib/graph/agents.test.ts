import { describe, expect, test } from 'vitest'
import { agentName, agentStanding, agentsFor, indexGraph, labelTitle } from '@/lib/graph'
import type { GraphAgent } from '@/lib/protocol'
import { branch, sketchGraph } from '@/testing/worlds/sketch-graph'

const agent = (branchId: string, messageId: string, over: Partial<GraphAgent> = {}): GraphAgent => ({
  branchId,
  messageId,
  client: 'coder/2.1 (linux)',
  key: 'laptop',
  calledAt: 1,
  model: null,
  steering: null,
  ...over,
})

/** `main` ends at c, `other` at d, `side` at b; `main` goes on with e where a person wrote. */
const index = (...agents: GraphAgent[]) =>
  indexGraph({
    ...sketchGraph('a', 'a>b', 'b>c', 'b>d', 'c>e'),
    branches: [branch('main', 'e'), branch('other', 'd'), branch('side', 'b')],
    agents,
  })
const to = (toId: string | null, followedAt: number | null = null) => ({ toId, at: 5, followedAt })

describe('an agent beside the branch being read', () => {
  test('is awaited where it is steered to, and leaves where it writes', () => {
    const graph = index(agent('other', 'd', { steering: to('side') }))
    expect(agentStanding(graph, 'side')).toMatchObject({ kind: 'awaited', agent: { branchId: 'other' } })
    expect(agentStanding(graph, 'other')).toMatchObject({ kind: 'leaving', toId: 'side' })
    expect(agentStanding(graph, 'main')).toBeNull()
    expect(labelTitle(graph, 'side')).toBe('agent next · side')
    expect(labelTitle(graph, 'other')).toBe('other')
  })

  test('has followed once its call has come, and is where it was once the steering is taken back', () => {
    const followed = index(agent('other', 'd', { steering: to('side', 9) }))
    expect(agentStanding(followed, 'side')).toMatchObject({ kind: 'followed', at: 9 })
    expect(labelTitle(followed, 'side')).toBe('side')
    const taken = index(agent('other', 'd', { steering: to(null) }))
    expect([agentStanding(taken, 'side'), agentStanding(taken, 'other')]).toEqual([null, null])
  })

  test('is behind where a person wrote after its last message, until it is steered there', () => {
    expect(agentStanding(index(agent('main', 'c')), 'main')).toMatchObject({ kind: 'behind' })
    expect(agentStanding(index(agent('main', 'e')), 'main')).toBeNull()
    const steered = index(agent('main', 'c', { steering: to('main') }))
    expect(agentStanding(steered, 'main')).toMatchObject({ kind: 'awaited' })
  })
})

test('of several agents the one of the branch being read is offered first, then those whose words follow the message', () => {
  const graph = index(
    ...[agent('side', 'b', { calledAt: 9 }), agent('other', 'd', { calledAt: 2 })],
    agent('main', 'c', { calledAt: 3 }),
  )
  const offered = (at: string, read: string) => agentsFor(graph, at, read).map(({ branchId }) => branchId)
  expect(offered('c', 'elsewhere')).toEqual(['main', 'side', 'other'])
  expect(offered('b', 'other')).toEqual(['other', 'side', 'main'])
})

test('an agent is called by its program, else by its key', () => {
  expect(agentName({ client: 'claude-cli/1.0.2 (external, cli)', key: 'laptop' })).toBe('Claude Code')
  expect(agentName({ client: 'OpenAI/JS 6.1.0', key: null })).toBe('OpenAI')
  expect(agentName({ client: null, key: 'laptop' })).toBe('laptop')
  expect(agentName({ client: null, key: null })).toBe('The agent')
})
