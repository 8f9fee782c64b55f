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
const added: NextEvent = { type: 'added', text: 'second' }
const asked: NextEvent = { type: 'asked for' }

it.each([
  { before: '', meanwhile: ['b'], text: 'two', files: ['a', 'b'] },
  { before: 'one', meanwhile: [], text: 'one\n\ntwo', files: ['a'] },
])(
  'given what is written meanwhile with files $meanwhile, then a message that waits holds all of it, in order',
  ({ before, meanwhile, text, files }) => {
    const filesOf = (ids: string[]) =>
      ids.map((id) => ({ url: `/api/files/${id}`, filename: `${id}.png`, mediaType: 'image/png' }))
    const more = meanwhile.length > 0 ? { files: filesOf(meanwhile) } : {}
    const next = changeNext(nextMessage(before, null, filesOf(['a'])), {
      type: 'added',
      text: 'two',
      ...more,
    })
    expect([next.text, next.files]).toEqual([text, filesOf(files)])
  },
)

describe('given events, then the message that waits is in a phase', () => {
  it.each<[string, NextMessage['phase'], NextEvent[]]>([
    ['nothing yet', { is: 'waiting' }, []],
    ['more words', { is: 'waiting' }, [added]],
    ['a reply that ended well', { is: 'due' }, [over('done')]],
    ['a reply that was stopped', { is: 'held', why: 'stopped' }, [over('stopped')]],
    ['a reply that failed', { is: 'held', why: 'failed' }, [over('failed')]],
    ['a question that was not stored', { is: 'held', why: 'unsent' }, [over('unsent')]],
    ['another reply, after one that failed', { is: 'held', why: 'failed' }, [over('failed'), over('done')]],
    ['more words, after a stop', { is: 'held', why: 'stopped' }, [over('stopped'), added]],
    ['a wish to send it now', { is: 'due' }, [over('stopped'), asked]],
    ['a wish while the reply is written', { is: 'due' }, [asked]],
    ['a stop, when it is due', { is: 'due' }, [over('done'), over('stopped')]],
  ])('%s', (_, phase, events) => {
    expect(given(...events).phase).toEqual(phase)
  })
})

it('other words are another message, below the first', () => {
  const [before, after] = [given(), given(added)]
  expect(after.text).toBe('first\n\nsecond')
  expect(after.id).not.toBe(before.id)
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
