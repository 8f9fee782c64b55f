import { importChat } from './support/openings'
import { expect, test } from './support/test'

test('first visit, chat, rewind in the graph, another answer, back, checkpoint, restore, reload', async ({
  chat,
  page,
}) => {
  // given a first visit
  await chat.open()
  // when the visitor says a name and asks for it
  await chat.ask('I am devansh')
  await expect(page).toHaveURL(/\/c\/[0-9a-f-]{36}/)
  await chat.showGraph()
  await chat.draw('Map')
  await chat.ask('what is my name')
  // then the reply knows, and the graph has all four messages
  await expect(chat.lastReply()).toContainText(/devansh/i)
  await expect(chat.graph.getByRole('treeitem')).toHaveCount(4)

  // when they branch, in the graph, from the first reply and ask something else
  const firstReply = chat.graph.locator('[data-graph-node]').nth(1)
  const firstReplyId = await firstReply.getAttribute('data-graph-node')
  await firstReply.getByRole('button').click()
  await page
    .getByRole('toolbar', { name: 'Message actions' })
    .getByRole('button', { name: 'Branch from here', exact: true })
    .click()
  await expect(page).toHaveURL(/branch=main-v2/)
  await expect(chat.messages).toHaveCount(2)
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
  await chat.ask('My favourite colour is green')
  // then Undo is no longer offered, as the branch has messages
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0, { timeout: 2000 })
  // then both paths are in the graph, and only one in the thread
  await expect(chat.graph.getByRole('treeitem')).toHaveCount(6)
  await expect(chat.messages).toHaveCount(4)
  await expect(chat.said('what is my name')).toHaveCount(0)

  // when they go back to main by its label
  await chat.label('Main line').click()
  await expect(chat.said('what is my name')).toHaveCount(1)
  await expect(chat.said('My favourite colour is green')).toHaveCount(0)
  await expect(page).toHaveURL(/branch=main(&|$)/)

  // when they save a checkpoint, say more, and restore the checkpoint
  await chat.ofChat('Checkpoint')
  await page.getByRole('textbox', { name: /name/i }).fill('good')
  await page.keyboard.press('Enter')
  await expect(chat.graph.getByRole('button', { name: 'Restore good', exact: true })).toBeVisible()
  await chat.ask('count to 3')
  await expect(chat.messages).toHaveCount(6)
  await chat.graph.getByRole('button', { name: 'Restore good', exact: true }).click()
  await expect(chat.messages).toHaveCount(4)
  await expect(page).toHaveURL(/branch=main-v3/)

  // then a reload shows the same place
  await chat.ask('what is my name')
  const before = await chat.texts()
  await chat.reload()
  await expect(chat.messages).toHaveCount(6)
  await expect(page).toHaveURL(/branch=main-v3/)
  expect((await chat.texts()).map(plain)).toEqual(before.map(plain))
  await expect(chat.graph.locator(`[data-graph-node="${firstReplyId}"]`)).toHaveCount(1)
  await expect(chat.graph.getByRole('treeitem')).toHaveCount(10)
})

test('a reply goes on when the page is left, and is there on return', async ({ chat, page }) => {
  await chat.open()
  await chat.box.fill('count to 800')
  await chat.box.press('Enter')
  await expect(chat.lastReply()).toContainText('3')
  const address = page.url()
  await page.goto('about:blank')
  await page.goto(address)
  await expect(chat.lastReply()).toContainText('800')
  await chat.settled()
  await expect(chat.messages).toHaveCount(2)
})

/** A text with its white space made equal. */
const plain = (text: string) => text.replace(/\s+/g, ' ').trim()

test('a long chat opens on its end and loads upwards while it is scrolled', async ({ chat, page }) => {
  // given a chat of thirty turns
  const id = await importChat(
    page.request,
    Array.from({ length: 30 }, (_, at) => [`what is ${at + 1}+${at + 1}`, `${2 * (at + 1)}`]).flat(),
  )
  // when it is opened, its end is there and its beginning is not, yet the graph has all of it
  await chat.open(`/c/${id}`)
  await expect(chat.said('what is 30+30')).toBeInViewport()
  await expect(chat.messages).toHaveCount(20)
  await expect(chat.said('what is 1+1')).toHaveCount(0)
  await expect(chat.graph.getByRole('treeitem')).toHaveCount(60)
  // and scrolling up brings the beginning
  await chat.messages.first().scrollIntoViewIfNeeded()
  await page.mouse.move(500, 300)
  await page.mouse.wheel(0, -2000)
  await expect(chat.said('what is 1+1')).toHaveCount(1)
  await expect(chat.messages).toHaveCount(60)
})
