import { expect, test } from 'vitest'
import { assistant, ContextEngine, hint, InMemoryContextStore, role, user, XmlRenderer } from '@/lib/context'

test('the first example of the README runs as it says', async () => {
  const store = new InMemoryContextStore()
  const context = new ContextEngine({ store, chatId: 'trip', userId: 'ada' })
  context.set(role('You are a travel agent.'), hint('Be brief.'), user('Where to in May?', { id: 'q1' }))
  const { systemPrompt, messages } = await context.resolve({ renderer: new XmlRenderer() })
  expect(systemPrompt).toBe('<role>You are a travel agent.</role>\n<hint>Be brief.</hint>')
  expect(messages).toHaveLength(1)
  context.set(assistant('Lisbon.'))
  await context.save()
  expect(await context.rewind('q1')).toMatchObject({ name: 'main-v2', headMessageId: 'q1' })
  context.set(assistant('Ghent.'))
  await context.save()
  await context.switchBranch('main')
  const chain = await store.getMessageChain('trip', context.headMessageId ?? '')
  expect(chain.map((message) => message.name)).toEqual(['user', 'assistant'])
  expect((await store.getGraph('trip')).nodes.map((node) => node.content)).toEqual([
    'Where to in May?',
    'Lisbon.',
    'Ghent.',
  ])
})
