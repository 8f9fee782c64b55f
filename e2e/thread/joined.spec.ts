import { openForkedChat, seedTurns } from '../support/openings'
import { expect, test } from '../support/test'

// Thread and graph are one thing: what is pointed at in either shows in the other, and both tell where one reads.

test('what is under the pointer or has the focus is lit on the other side', async ({ chat, page }) => {
  await openForkedChat(chat)
  const [article, node] = [chat.said('what is 3+3'), chat.node('You: what is 3+3')]
  await article.hover()
  await expect(node).toHaveAttribute('data-lit', 'true')
  await expect(article).not.toHaveAttribute('data-lit')
  await page.getByRole('heading', { level: 1 }).hover()
  await expect(node).not.toHaveAttribute('data-lit')
  await node.hover()
  await expect(article).toHaveAttribute('data-lit', 'true')
  await page.getByRole('heading', { level: 1 }).hover()
  await expect(article).not.toHaveAttribute('data-lit')
  // and by key
  await page.keyboard.press('Escape')
  await page.keyboard.press('k')
  await expect(node).toHaveAttribute('data-lit', 'true')
  await page.keyboard.press('Enter')
  await expect(node).not.toHaveAttribute('data-lit')
})

test('the graph marks what stands in the window of the thread', async ({ chat, page }) => {
  const chatId = await seedTurns(
    chat,
    Array.from({ length: 8 }, (_, at) => `repeat: ${at} ${'word '.repeat(150)}`),
  )
  await chat.open(`/c/${chatId}`)
  await expect(chat.messages).toHaveCount(16)
  const marked = chat.graph.locator('[role=treeitem][data-in-view]')
  await expect(chat.here).toHaveAttribute('data-in-view', 'true')
  await expect(chat.nodes.first()).not.toHaveAttribute('data-in-view')
  const atEnd = await marked.count()
  expect(atEnd).toBeLessThan(8)
  await page.keyboard.press('Escape')
  await chat.messages.first().focus()
  await expect(chat.nodes.first()).toHaveAttribute('data-in-view', 'true')
  await expect(chat.here).not.toHaveAttribute('data-in-view')
})

test('a double click is taken back as a whole by one Undo, which says where it leads', async ({
  chat,
  page,
}) => {
  await openForkedChat(chat)
  await chat.node('You: what is 2+2').getByRole('button').dblclick()
  await expect(page.locator('[data-move-note]')).toContainText('Undo goes back to')
  await page.locator('article').first().focus()
  await page.keyboard.press('Control+z')
  await chat.reads('main-v2')
  await expect(chat.said('what is 3+3')).toBeVisible()
  // nothing of it is left
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Control+z')
  await chat.reads('main-v2')
})

test('words about a lost connection go when it is back', async ({ chat, page }) => {
  await openForkedChat(chat)
  await page.route('**/api/chat', (route) => route.abort())
  await page.route('**/api/health', (route) => route.abort())
  await chat.box.fill('is anyone there')
  await chat.box.press('Enter')
  const note = page.getByRole('alert').filter({ hasText: 'You seem to be offline' })
  await expect(note).toBeVisible()
  await expect(chat.box).toHaveValue('is anyone there')
  await page.unrouteAll()
  await expect(note).toHaveCount(0)
  await expect(chat.box).toHaveValue('is anyone there')
})
