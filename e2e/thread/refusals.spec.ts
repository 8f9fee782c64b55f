import type { Route } from '@playwright/test'
import { expect, otherPerson, test } from '../support/test'

// Refusals are explained on the page, and cost nothing that was written.

test('an empty message cannot be sent, and one that is too long says so', async ({ chat, page }) => {
  await chat.open()
  const send = page.getByRole('button', { name: 'Send', exact: true })
  await expect(send).toBeDisabled()
  await chat.box.fill('   \n  ')
  await expect(send).toBeDisabled()
  await chat.box.fill('x'.repeat(100_001))
  await expect(page.getByText(/100,000/).first()).toBeVisible()
  await expect(chat.messages).toHaveCount(0)
  await chat.box.fill('Short enough')
  await send.click()
  await expect(chat.messages).toHaveCount(2)
  await chat.settled()
})

test('offline, the words stay in the box and the page says why', async ({ chat, page, context }) => {
  await chat.open()
  await chat.ask('Hello')
  await context.setOffline(true)
  await chat.box.fill('Are you there?')
  await chat.box.press('Enter')
  await expect(page.getByText(/offline|connection|network/i).first()).toBeVisible()
  await expect(chat.box).toHaveValue('Are you there?')
  await context.setOffline(false)
  await chat.ask('Are you there?')
  await expect(chat.messages).toHaveCount(4)
})

test('a branch that moves on in another tab during a send: both messages are shown, and one click sends on a new branch', async ({
  chat,
  page,
  context,
}) => {
  await chat.open()
  await chat.ask('I am devansh')
  const other = await context.newPage()
  await other.goto(page.url())
  // given a message that takes long to arrive
  const onItsWay = Promise.withResolvers<void>()
  const arrives = Promise.withResolvers<void>()
  const late = async (route: Route) => {
    onItsWay.resolve()
    await arrives.promise
    await route.continue()
  }
  await page.route('**/api/chat', late, { times: 1 })
  await chat.box.fill('what is my favourite colour')
  await chat.box.press('Enter')
  await onItsWay.promise
  // when another tab writes to the same branch meanwhile
  const box = other.getByRole('textbox', { name: 'Message', exact: true })
  await box.fill('My favourite colour is green')
  await box.press('Enter')
  await expect(other.locator('article')).toHaveCount(4)
  await expect(other.locator('article[data-status="streaming"]')).toHaveCount(0)
  arrives.resolve()
  // then the page says so and offers a branch
  await expect(page.getByRole('alert').filter({ hasText: 'moved on' })).toBeVisible()
  await expect(chat.said('My favourite colour is green')).toBeVisible()
  await page.getByRole('button', { name: 'Branch from where you were' }).click()
  await expect(page).toHaveURL(/branch=main-v2/)
  await chat.settled()
  await expect(chat.lastReply()).not.toContainText(/green/i)
})

test('another person’s chat is a page that is not there', async ({ chat, page, browser, baseURL }) => {
  await chat.open()
  await chat.ask('Mine alone')
  const address = new URL(page.url()).pathname
  const other = await otherPerson(browser, baseURL)
  await other.open()
  await other.ask('I am another person')
  await other.page.goto(address)
  await expect(other.page.getByRole('heading').first()).toBeVisible()
  await expect(other.page.getByText('Mine alone')).toHaveCount(0)
  await other.page.context().close()
})

test('a model that cannot answer is explained, and the message can be asked again', async ({
  chat,
  page,
}) => {
  // given a provider at an address without a server
  await chat.open()
  await page.getByRole('combobox', { name: 'Model', exact: true }).click()
  await page.getByRole('option', { name: /scripted/i }).click()
  await chat.box.fill('Are you there?')
  await chat.box.press('Enter')
  // then the words are kept, and the page says what happened and what to do
  await expect(chat.said('Are you there?')).toBeVisible()
  await expect(page.getByText(/could not be reached|network|connection/i).first()).toBeVisible()
  // when another model is chosen
  await page.getByRole('combobox', { name: 'Model', exact: true }).click()
  await page.getByRole('option', { name: /demo/i }).click()
  await page.getByRole('button', { name: 'Try again', exact: true }).first().click()
  await expect(chat.lastReply()).toHaveAttribute('data-status', 'done')
  await expect(chat.messages).toHaveCount(2)
})

test('the model’s words load nothing and run nothing', async ({ chat, page }) => {
  const asked: string[] = []
  await chat.open()
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(page.url()).origin) asked.push(request.url())
  })
  await chat.ask(
    'repeat: ![x](https://evil.example/x.png) <img src="https://evil.example/y.png"> <iframe src="https://evil.example"></iframe> [click](javascript:alert(1)) <script>alert(1)</script>',
  )
  expect(asked).toEqual([])
  await expect(page.locator('a[href^="javascript"]')).toHaveCount(0)
  await expect(page.locator('article iframe')).toHaveCount(0)
})
