import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectCount, focus, press } from '@/testing/page/chat-page'
import { intercept, openChat, openFork, turns } from '@/testing/page/given'

// Thread and graph are one thing: what is pointed at in either shows in the other, and both tell where one reads.

test('what is under the pointer or has the focus is lit on the other side', async () => {
  const chat = await openFork()
  const [article, node] = [chat.said('what is 3+3'), chat.node('You: what is 3+3')]
  const elsewhere = page.getByRole('heading', { level: 1 })
  await article.hover()
  await expect.element(node).toHaveAttribute('data-lit', 'true')
  await expect.element(article).not.toHaveAttribute('data-lit')
  await elsewhere.hover()
  await expect.element(node).not.toHaveAttribute('data-lit')
  await node.hover()
  await expect.element(article).toHaveAttribute('data-lit', 'true')
  await elsewhere.hover()
  await expect.element(article).not.toHaveAttribute('data-lit')
  // and by key
  await press('Escape', 'k')
  await expect.element(node).toHaveAttribute('data-lit', 'true')
  await press('Enter')
  await expect.element(node).not.toHaveAttribute('data-lit')
})

test('the graph marks what stands in the window of the thread', async () => {
  const texts = Array.from({ length: 8 }, (_, at) => `${at} ${'word '.repeat(150)}`)
  const chat = await openChat({ branches: [{ name: 'main', says: turns(...texts) }] })
  await expectCount(chat.messages, 16)
  await expect.element(chat.here).toHaveAttribute('data-in-view', 'true')
  await expect.element(chat.nodes.first()).not.toHaveAttribute('data-in-view')
  expect(chat.graph.css('[role=treeitem][data-in-view]').elements().length).toBeLessThan(8)
  await press('Escape')
  await focus(chat.messages)
  await expect.element(chat.nodes.first()).toHaveAttribute('data-in-view', 'true')
  await expect.element(chat.here).not.toHaveAttribute('data-in-view')
})

test('words about a lost connection go when it is back', async () => {
  const chat = await openFork()
  const unreached = (): never => {
    throw new TypeError('Failed to fetch')
  }
  const restore = intercept(/\/api\/(chat|health)$/, unreached)
  await chat.send('is anyone there')
  const note = page.getByRole('alert').filter({ hasText: 'You seem to be offline' })
  await expect.element(note).toBeVisible()
  await expect.element(chat.box).toHaveValue('is anyone there')
  restore()
  await expectCount(note, 0)
  await expect.element(chat.box).toHaveValue('is anyone there')
})
