import { expect, test } from 'vitest'
import { type ContextData, hint, NotFoundError, role, serializeFragment, term } from '@/lib/context'
import { compare } from '@/lib/conversations/chats/compare'
import type { Ports, StoredSide } from '@/lib/conversations/ports'

const message = { chatId: 'c', parentId: null, name: 'user', data: 'Hello', createdAt: 1 }
const side = (name: string, context: ContextData | null): StoredSide => ({
  branchId: name,
  name,
  headId: 'q1',
  lane: 0,
  length: 1,
  context,
  usage: null,
  messages: [{ ...message, id: 'q1', lane: 0, depth: 0 }],
})

const context = (model: string, ...fragments: Parameters<typeof serializeFragment>[0][]): ContextData => ({
  id: model,
  model,
  fragments: fragments.map((fragment) => serializeFragment(fragment)),
})

/** Ports that know one comparison. */
const knowing = (left: StoredSide, right: StoredSide | null) =>
  ({
    reads: { comparison: async () => ({ title: null, branches: [], common: 0, left, right }) },
    models: { defaultId: 'demo:demo' },
  }) as unknown as Ports

const asked = { ownerId: 'ada', chatId: 'c' }

test('given two contexts, when their branches are compared, then what differs comes as a person reads it', async () => {
  const left = side('main', context('demo:demo', role('You are terse.'), hint('Use metres.')))
  const right = side(
    'warm',
    context('openai:gpt-5', role('You are kind.'), hint('Use metres.'), term('MRR', 'monthly revenue')),
  )

  const found = await compare(knowing(left, right), asked)
  expect([found.left.model, found.right?.model]).toEqual(['demo:demo', 'openai:gpt-5'])
  expect(found.context).toEqual({
    same: 1,
    differing: [
      { name: 'role', left: 'You are terse.', right: 'You are kind.' },
      { name: 'term', left: null, right: '- name: MRR\n- definition: monthly revenue' },
    ],
    model: { left: 'demo:demo', right: 'openai:gpt-5' },
    memories: [],
    tools: [],
    settings: [],
  })
  const parts = [{ type: 'text', text: 'Hello' }]
  expect(found.left.messages[0]).toMatchObject({ id: 'q1', role: 'user', parts })
})

test('given branches without a context of their own, then both have what every chat begins with', async () => {
  const found = await compare(knowing(side('main', null), side('other', null)), asked)
  expect(found.context.differing).toEqual([])
  expect(found.context.same).toBeGreaterThan(0)
  expect(found.left.model).toBeNull()
})

test('given a chat with one branch, then there is nothing beside it', async () => {
  const found = await compare(knowing(side('main', null), null), asked)
  expect([found.right, found.context.differing, found.context.model]).toEqual([null, [], null])
})

test('given a chat or branch that is missing, then that is said of the chat', async () => {
  const ports = { reads: { comparison: async () => undefined } } as unknown as Ports
  await expect(compare(ports, { ...asked, left: 'nowhere' })).rejects.toEqual(new NotFoundError('chat', 'c'))
})
