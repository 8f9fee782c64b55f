import type { Page } from '@playwright/test'
import { ChatPage } from '../support/chat-page'
import { expect, test } from '../support/test'

// A page is left while it sends: the message is stored once, or is in the box again.
// What is kept of a page that is not left so is in components/session/drafts.component.test.tsx.

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
