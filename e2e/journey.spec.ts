import { ChatPage } from './support/chat-page'
import { openSample, seedTurns } from './support/openings'
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
  await chat.label('main').click()
  await expect(chat.said('what is my name')).toHaveCount(1)
  await expect(chat.said('My favourite colour is green')).toHaveCount(0)
  await expect(page).toHaveURL(/branch=main(&|$)/)

  // when they save a checkpoint, say more, and restore the checkpoint
  await page.getByRole('button', { name: 'Checkpoint', exact: true }).click()
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

test('editing the very first message starts anew, and the first version is still there', async ({
  chat,
  page,
}) => {
  await chat.open()
  await chat.ask('I am devansh')
  await chat.ask('what is my name')
  // when the first message is edited
  const id = await chat.said('I am devansh').getAttribute('data-message-id')
  const first = page.locator(`article[data-message-id="${id}"]`)
  await first.hover()
  await first.getByRole('button', { name: 'Edit', exact: true }).click()
  const editor = first.getByRole('textbox')
  await editor.fill('Good morning')
  await editor.press('Enter')
  // then the thread begins with the new one, and the model has never heard the name
  await expect(chat.messages).toHaveCount(2)
  await chat.settled()
  await chat.ask('what is my name')
  await expect(chat.lastReply()).not.toContainText(/devansh/i)
  // and the pager leads back
  const morning = chat.said('Good morning')
  await morning.hover()
  await expect(morning).toContainText('2 / 2')
  await morning.getByRole('button', { name: 'Previous version' }).click()
  await expect(chat.said('I am devansh')).toBeVisible()
  await expect(chat.messages).toHaveCount(4)
  await expect(page).toHaveURL(/branch=main(&|$)/)
})

test('trying again keeps both answers', async ({ chat }) => {
  await chat.open()
  await chat.ask('Tell me something about rivers')
  const reply = chat.lastReply()
  await reply.hover()
  await reply.getByRole('button', { name: 'Try again', exact: true }).click()
  await expect(chat.graph.getByRole('treeitem')).toHaveCount(3)
  await chat.settled()
  await chat.lastReply().hover()
  await expect(chat.lastReply()).toContainText('2 / 2')
})

test('two tabs stay on two branches', async ({ chat, page, context }) => {
  await chat.open()
  await chat.ask('I am devansh')
  await chat.ask('My favourite colour is green')
  await chat.act(/^Assistant: .*devansh/i, 'Branch from here')
  await expect(page).toHaveURL(/branch=main-v2/)
  // given a second tab on main
  const other = new ChatPage(await context.newPage())
  const address = new URL(page.url())
  await other.open(`${address.pathname}?branch=main`)
  await expect(other.messages).toHaveCount(4)
  // when both write
  await chat.ask('what is my favourite colour')
  await other.ask('what is my favourite colour')
  // then each was answered from its own branch
  await expect(other.lastReply()).toContainText(/green/i)
  await expect(chat.lastReply()).not.toContainText(/green/i)
  await chat.reload()
  await expect(page).toHaveURL(/branch=main-v2/)
  await expect(chat.messages).toHaveCount(4)
})

test('a stopped reply keeps its text, also after a reload', async ({ chat, page }) => {
  await chat.open()
  await chat.box.fill('count to 5000')
  await chat.box.press('Enter')
  await expect(chat.lastReply()).toContainText('8')
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(page.locator('article[data-status="stopped"]')).toHaveCount(1)
  await chat.settled()
  await chat.reload()
  await expect(page.locator('article[data-status="stopped"]')).toContainText('8')
  // and the conversation goes on from there
  await chat.ask('what do you see')
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

test('the sample conversation opens from the empty page, with its branches to look around in', async ({
  chat,
}) => {
  await openSample(chat)
  await chat.draw('Map')
  await expect(chat.graph.getByRole('treeitem')).toHaveCount(33)
  for (const branch of ['main', 'beach-day', 'vegetarian', 'porto-instead', 'the-whole-plan']) {
    await expect(chat.graph.getByRole('button', { name: `Switch to ${branch}`, exact: true })).toHaveCount(1)
  }
  // at the map's edge a label may be half in view; in the outline every branch is a row
  await chat.draw('Outline')
  await chat.graph.getByRole('button', { name: 'Switch to porto-instead', exact: true }).click()
  await expect(chat.said('would Porto be better')).toBeVisible()
})

/** A text with its white space made equal. */
const plain = (text: string) => text.replace(/\s+/g, ' ').trim()

test('a long chat opens on its end and loads upwards while it is scrolled', async ({ chat, page }) => {
  // given a chat of thirty turns
  const id = await seedTurns(
    chat,
    Array.from({ length: 30 }, (_, i) => `what is ${i + 1}+${i + 1}`),
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
  await expect(chat.said(/what is 1\+1$/m)).toHaveCount(1)
  await expect(chat.messages).toHaveCount(60)
})
