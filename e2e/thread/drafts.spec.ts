import type { Page } from '@playwright/test'
import { ChatPage } from '../support/chat-page'
import { openForkedChat } from '../support/openings'
import { expectAccessible } from '../support/screens'
import { expect, otherPerson, test } from '../support/test'

// What is written and not sent is kept: across reloads, per branch, and while a reply is being written.

test('a draft survives a reload and a visit elsewhere, per branch, until it is sent', async ({
  chat,
  page,
}) => {
  await openForkedChat(chat)
  const path = new URL(page.url()).pathname
  await chat.box.fill('a thought on main-v2')
  await chat.label('main').click()
  await chat.reads('main')
  await expect(chat.box).toHaveValue('')
  await chat.box.fill('a thought on main')
  await chat.label('main-v2').click()
  await expect(chat.box).toHaveValue('a thought on main-v2')
  await chat.reload()
  await expect(chat.box).toHaveValue('a thought on main-v2')
  await chat.open('/')
  await expect(chat.box).toHaveValue('')
  await chat.open(`${path}?branch=main`)
  await expect(chat.box).toHaveValue('a thought on main')
  // when it is sent, then nothing is left of it
  await chat.box.press('Enter')
  await expect(chat.messages).toHaveCount(6)
  await chat.settled()
  await chat.reload()
  await expect(chat.messages).toHaveCount(6)
  await expect(chat.box).toHaveValue('')
})

test('a draft of a new chat is kept, and no other person sees it', async ({
  chat,
  page,
  browser,
  baseURL,
}) => {
  await chat.open()
  await chat.box.fill('not yet')
  await chat.reload()
  await expect(chat.box).toHaveValue('not yet')
  // what is written goes along to a branch that is opened
  await chat.ask('I am devansh')
  await chat.box.fill('half a thought')
  await chat.messages.nth(1).hover()
  await chat.messages.nth(1).getByRole('button', { name: 'Branch from here' }).click()
  await expect(page.getByText('continues from here')).toBeVisible()
  await expect(chat.box).toHaveValue('half a thought')
  await chat.undo()
  await expect(chat.box).toHaveValue('half a thought')
  // another person in the same browser
  const kept = await page.evaluate(() => JSON.stringify(localStorage))
  const other = await otherPerson(browser, baseURL)
  await other.page.addInitScript((entries) => {
    for (const [key, value] of Object.entries(JSON.parse(entries) as Record<string, string>))
      localStorage.setItem(key, value)
  }, kept)
  await other.open()
  await expect(other.box).toHaveValue('')
  await other.page.context().close()
})

test('a message sent during a reply waits, can be changed, and leaves when the reply ends', async ({
  chat,
  page,
}) => {
  await chat.open()
  await chat.ask('I am devansh')
  await chat.box.fill('count to 3000')
  await chat.box.press('Enter')
  await expect(page.locator('article[data-status="streaming"]')).toContainText('3')
  await chat.box.fill('what is my name')
  await chat.box.press('Enter')
  const waiting = page.getByRole('region', { name: 'Waiting message' })
  await expect(waiting).toContainText('Waiting: sends when the reply ends')
  await expect(waiting).toContainText('what is my name')
  await expect(chat.box).toHaveValue('')
  // it can be taken back into the box, and removed
  await waiting.getByRole('button', { name: 'Edit the waiting message' }).click()
  await expect(waiting).toHaveCount(0)
  await expect(chat.box).toHaveValue('what is my name')
  await chat.box.press('Enter')
  await waiting.getByRole('button', { name: 'Remove the waiting message' }).click()
  await expect(waiting).toHaveCount(0)
  await chat.undo()
  await expect(waiting).toContainText('what is my name')
  // and is sent once the reply is there
  await expect(chat.said('what is my name')).toBeVisible({ timeout: 20_000 })
  await expect(waiting).toHaveCount(0)
  await chat.settled()
  await expect(chat.messages).toHaveCount(6)
  await expect(chat.lastReply()).toContainText(/devansh/i)
})

test('a message that waits survives a reload, and is kept when the reply is stopped', async ({
  chat,
  page,
}) => {
  await chat.open()
  await chat.ask('I am devansh')
  await chat.box.fill('count to 5000')
  await chat.box.press('Enter')
  await expect(page.locator('article[data-status="streaming"]')).toContainText('3')
  await chat.box.fill('what is my name')
  await chat.box.press('Enter')
  const waiting = page.getByRole('region', { name: 'Waiting message' })
  await expect(waiting).toBeVisible()
  await chat.reload()
  await expect(waiting).toContainText('Waiting: sends when the reply ends')
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(waiting).toContainText('Not sent: the reply was stopped')
  await expect(chat.said('what is my name')).toHaveCount(0)
  await expectAccessible(page)
  await waiting.getByRole('button', { name: 'Send now' }).click()
  await expect(chat.said('what is my name')).toBeVisible()
  await expect(waiting).toHaveCount(0)
  await chat.settled()
  await expect(chat.messages).toHaveCount(6)
})

/** Messages that are sent never reach the server (`request`), or their answers never the page. */
async function lose(page: Page, what: 'request' | 'answer') {
  const lost: string[] = []
  await page.route('**/api/chat', async (route) => {
    if (what === 'answer') await route.fetch().catch(() => undefined)
    lost.push(what)
  })
  return {
    one: () => expect.poll(() => lost.length).toBe(1),
    noMore: () => page.unroute('**/api/chat'),
  }
}

test('a message whose page is left before the server has it is in the box again, and is stored once', async ({
  chat,
  page,
}) => {
  await chat.open()
  await chat.ask('I am devansh')

  // the request is lost
  let lost = await lose(page, 'request')
  await chat.box.fill('what is my name')
  await chat.box.press('Enter')
  await lost.one()
  await chat.box.fill('written since')
  await chat.reload()
  await expect(chat.box).toHaveValue('what is my name\n\nwritten since')
  await expect(chat.messages).toHaveCount(2)
  await lost.noMore()

  // the answer is lost: the server has it
  lost = await lose(page, 'answer')
  await chat.box.fill('count to 5')
  await chat.box.press('Enter')
  await lost.one()
  await chat.box.fill('written since')
  await lost.noMore()
  await chat.reload()
  await expect(chat.said('count to 5')).toBeVisible()
  await expect(chat.box).toHaveValue('written since')
  await chat.settled()
  await chat.reload()
  await expect(chat.messages).toHaveCount(4)
  await expect(chat.box).toHaveValue('written since')
})

test('a page that ends without a word loses no message, and none is doubled when it is sent again', async ({
  chat,
  page,
  context,
}) => {
  await chat.open()
  await chat.ask('I am devansh')
  // an intercepted request would go on when its page closes: here it never leaves the page
  await page.evaluate(() => {
    const { fetch } = window
    window.fetch = (address, init) =>
      new URL(String(address), location.href).pathname === '/api/chat'
        ? new Promise(() => document.body.setAttribute('data-lost', ''))
        : fetch(address, init)
  })
  await chat.box.fill('what is my name')
  await chat.box.press('Enter')
  await expect(page.locator('body[data-lost]')).toBeAttached()
  const address = page.url()
  await page.close()
  const later = new ChatPage(await context.newPage())
  await later.open(address)
  await expect(later.box).toHaveValue('what is my name')
  await later.box.press('Enter')
  await expect(later.messages).toHaveCount(4)
  await later.settled()
  await later.reload()
  await expect(later.messages).toHaveCount(4)
  await expect(later.box).toHaveValue('')
})

test('the first message of a chat is in the box of a new chat when it did not arrive, and nowhere when it did', async ({
  chat,
  page,
}) => {
  await chat.open()
  let lost = await lose(page, 'request')
  await chat.box.fill('I am devansh')
  await chat.box.press('Enter')
  await lost.one()
  await chat.open('/')
  await expect(chat.box).toHaveValue('I am devansh')
  await lost.noMore()

  lost = await lose(page, 'answer')
  await chat.box.press('Enter')
  await lost.one()
  await lost.noMore()
  await chat.open('/')
  await expect(chat.box).toHaveValue('')
  await page.getByRole('link', { name: 'I am devansh' }).first().click()
  await expect(chat.messages).toHaveCount(2)
  await chat.settled()
})
