import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectCount } from '@/testing/page/chat-page'
import { givenReply, intercept, openChat, openPage, scripted, turns } from '@/testing/page/given'

// Refusals are explained on the page, and cost nothing that was written.

test('an empty message cannot be sent, and one that is too long says so', async () => {
  const chat = await openPage('/')
  const send = page.getByRole('button', { name: 'Ask', exact: true })
  await expect.element(send).toBeDisabled()
  await chat.box.fill('   \n  ')
  await expect.element(send).toBeDisabled()
  await chat.box.fill('x'.repeat(100_001))
  await expect.element(page.getByText(/100,000/).first()).toBeVisible()
  await expectCount(chat.messages, 0)
  await chat.box.fill('Short enough')
  await send.click()
  await expectCount(chat.messages, 2)
  await chat.settled()
})

test('offline, the words stay in the box and the page says why', async () => {
  const chat = await openChat({ branches: [{ name: 'main', says: turns('Hello') }] })
  const connect = intercept(/\/api\/chat$/, () => {
    throw new TypeError('Failed to fetch')
  })
  await chat.send('Are you there?')
  await expect.element(page.getByText(/offline|connection|network/i).first()).toBeVisible()
  await expect.element(chat.box).toHaveValue('Are you there?')
  connect()
  await chat.ask('Are you there?')
  await expectCount(chat.messages, 4)
})

test('a branch that moves on elsewhere during a send: both messages are shown, and one click sends on a new branch', async () => {
  const chat = await openChat({ branches: [{ name: 'main', says: turns('I am devansh') }] })
  // given a message that takes long to arrive: another page writes to the same branch meanwhile
  const arrive = intercept(/\/api\/chat$/, async ({ url, init }) => {
    arrive()
    const { id } = JSON.parse(String(init?.body))
    const parts = [{ type: 'text', text: 'My favourite colour is green' }]
    const message = { id: crypto.randomUUID(), role: 'user', parts }
    await (await fetch(url, { ...init, body: JSON.stringify({ id, message }) })).text()
    return fetch(url, init)
  })
  await chat.send('what is my favourite colour')
  // then the page says so and offers a branch
  await expect.element(page.getByRole('alert').filter({ hasText: 'moved on' })).toBeVisible()
  await expect.element(chat.said('My favourite colour is green')).toBeVisible()
  await page.getByRole('button', { name: 'Branch from where you were' }).click()
  await chat.reads('main-v2')
  await expectCount(chat.messages, 4)
  await chat.settled()
  await expect.element(chat.lastReply()).not.toMatchTextContent(/green/i)
})

test('a model that cannot answer is explained, and the message can be asked again', async () => {
  // given a provider that ends the connection before a word
  const chat = await openChat({ model: scripted, branches: [{ name: 'main', says: turns('Hello') }] })
  await givenReply('Can you answer?', { cutAfter: 0 })
  await chat.send('Can you answer?')
  // then the words are kept, and the page says what happened and what to do
  await expect.element(chat.said('Can you answer?')).toBeVisible()
  await expect.element(page.getByText(/could not be reached|network|connection/i).first()).toBeVisible()
  // when another model is chosen
  await page.getByRole('combobox', { name: 'Model', exact: true }).click()
  await page.getByRole('option', { name: /demo/i }).click()
  await page
    .getByRole('button', { name: /^(Try again|Ask for a reply)$/ })
    .last()
    .click()
  await expect.element(chat.lastReply()).toHaveAttribute('data-status', 'done')
  await expectCount(chat.messages, 4)
})
