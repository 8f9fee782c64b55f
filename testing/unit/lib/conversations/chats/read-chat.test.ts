import { expect, test } from 'vitest'
import type { PlacedMessage } from '@/lib/context'
import { readChat } from '@/lib/conversations/chats/read-chat'
import type { Ports } from '@/lib/conversations/ports'
import { indexGraph } from '@/lib/graph'
import type { Graph } from '@/lib/protocol'
import { branch, sketchGraph } from '@/testing/worlds/sketch-graph'

// a ─ b ─ c        main
//      └─ d ─ e    read
//  └─ f            other
const whole: Graph = {
  ...sketchGraph('a', 'a>b', 'b>c', 'b>d', 'd>e', 'a>f'),
  branches: [branch('main', 'c'), branch('read', 'e'), branch('other', 'f')],
  checkpoints: ['b', 'f'].map((messageId) => ({ id: messageId, name: messageId, messageId, createdAt: 0 })),
}

/** The read side of a chat with so many events. */
function chatOf(seq: number, chain: string): Ports {
  const index = indexGraph(whole)
  const messages = [...chain].map((id): PlacedMessage => {
    const { lane, depth, role, createdAt } = index.byId(id) ?? expect.fail(id)
    const data = { id, role, parts: [{ type: 'text', text: `This is ${id}` }] }
    return { chatId: whole.chatId, id, parentId: null, name: role, data, lane, depth, createdAt }
  })
  const reads = {
    graphUpTo: async (_chat: string, _owner: string, events: number) =>
      seq > events ? { ...whole, seq, nodes: [] } : { ...whole, seq },
    window: async () => ({ branchId: 'read', messages }),
  }
  return { reads } as unknown as Ports
}

const read = (ports: Ports) => readChat(ports, { ownerId: 'ada', chatId: whole.chatId, branch: 'read' })

test('given a chat that is not long, then it opens with all of its graph', async () => {
  const { graph, partial } = await read(chatOf(600, 'abde'))
  expect(partial).toBeUndefined()
  expect(graph.nodes).toHaveLength(6)
})

test('given a long chat, then it opens with what its thread shows and nothing else of its graph', async () => {
  const { graph, partial, window } = await read(chatOf(601, 'bde'))
  expect(partial).toBe(true)
  const index = indexGraph(graph)
  expect(index.chainTo('e').map(({ id }) => id)).toEqual(['b', 'd', 'e'])
  expect(window).toMatchObject({ start: 1, messages: [{ id: 'b' }, { id: 'd' }, { id: 'e' }] })
  expect(graph.branches.map(({ name }) => name)).toEqual(['main', 'read'])
  expect(graph.checkpoints.map(({ name }) => name)).toEqual(['b'])
  expect(graph.lanes).toHaveLength(2)
})
