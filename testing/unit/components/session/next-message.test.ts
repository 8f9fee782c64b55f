import { describe, expect, it } from 'vitest'
import {
  changeNext,
  type NextEvent,
  type NextMessage,
  nextMessage,
  replyEnd,
} from '@/components/session/next-message'
import { indexGraph } from '@/lib/graph'
import type { Graph, GraphNode } from '@/lib/protocol'
import { branch, sketchGraph } from '@/testing/worlds/sketch-graph'

const given = (...events: NextEvent[]): NextMessage => events.reduce(changeNext, nextMessage('first', 'b'))
const over = (end: 'done' | 'stopped' | 'failed' | 'unsent'): NextEvent => ({ type: 'reply over', end })
const asked: NextEvent = { type: 'asked for' }

describe('given events, then the message that waits is in a phase', () => {
  it.each<[string, NextMessage['phase'], NextEvent[]]>([
    ['nothing yet', { is: 'waiting' }, []],
    ['a reply that ended well', { is: 'due' }, [over('done')]],
    ['a reply that was stopped', { is: 'held', why: 'stopped' }, [over('stopped')]],
    ['a reply that failed', { is: 'held', why: 'failed' }, [over('failed')]],
    ['a question that was not stored', { is: 'held', why: 'unsent' }, [over('unsent')]],
    ['another reply, after one that failed', { is: 'held', why: 'failed' }, [over('failed'), over('done')]],
    ['a wish to send it now', { is: 'due' }, [over('stopped'), asked]],
    ['a wish while the reply is written', { is: 'due' }, [asked]],
    ['a stop, when it is due', { is: 'due' }, [over('done'), over('stopped')]],
  ])('%s', (_, phase, events) => {
    expect(given(...events).phase).toEqual(phase)
  })
})

describe('how the last reply of a branch ended', () => {
  const graph = (status: GraphNode['status'], failure?: 'stopped' | 'overloaded'): Graph => {
    const sketch = sketchGraph('a', 'a>b', 'b>c', 'c>d')
    return {
      ...sketch,
      nodes: sketch.nodes.map((node) => (node.id === 'd' ? { ...node, status } : node)),
      branches: [
        branch('main', 'd'),
        branch('asked', 'c', failure ? { failure: { kind: failure, message: '', advice: '' } as never } : {}),
        branch('empty', null),
      ],
    }
  }

  it.each<[string, string, string | null, Graph]>([
    ['done', 'main', 'b', graph('done')],
    ['stopped', 'main', 'b', graph('stopped')],
    ['failed', 'main', 'b', graph('failed')],
    // the head is where it was: the question was refused
    ['unsent', 'main', 'd', graph('done')],
    ['failed', 'asked', 'b', graph('done')],
    ['failed', 'asked', 'b', graph('done', 'overloaded')],
    ['stopped', 'asked', 'b', graph('done', 'stopped')],
    ['unsent', 'empty', null, graph('done')],
  ])('%s, on %s, when it came after %s', (end, branchId, after, of) => {
    expect(replyEnd(indexGraph(of), branchId, after)).toBe(end)
  })
})
