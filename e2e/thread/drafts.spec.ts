import { ChatPage } from '../support/chat-page'
import { expect, test } from '../support/test'

// A page ends while it sends. What is kept of one that is left or loaded again is in components/session/drafts.component.test.tsx.

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
