import type { Page } from '@playwright/test'
import { type ChatPage, hydrated } from '../support/chat-page'
import { importChat, openSample } from '../support/openings'
import { expectAccessible, lookInAllWays, phone, sidewaysScroll } from '../support/screens'
import { expect, test, watchErrors } from '../support/test'

// A chat shared by a link: made by its owner, read and copied by a stranger.

/** Makes a link to the branch `main` of a chat; returns its address. */
async function share(page: Page, chat_id: string, more: object): Promise<string> {
  const data = { chat_id, branch: 'main', follow: false, ...more }
  return (await (await page.request.post('/api/shares', { data })).json()).url
}

/** Shares the sample conversation with its graph; returns the chat's id and the address of the link. */
async function shareSample(chat: ChatPage, more: object = {}): Promise<{ chatId: string; url: string }> {
  const chatId = (await openSample(chat)).split('/').at(-1) ?? ''
  return { chatId, url: await share(chat.page, chatId, { graph: true, ...more }) }
}

test('given a branch that is shared with the graph, then a stranger reads it, looks around and continues in a copy', async ({
  chat,
  page,
  browser,
  baseURL,
}) => {
  await openSample(chat)
  await chat.messages.last().hover()
  await chat.more(chat.messages.last(), 'Share up to here…')
  const dialog = page.getByRole('dialog', { name: 'Share' })
  await dialog.getByRole('radio', { name: 'With the graph' }).click()
  await dialog.getByRole('button', { name: 'Make the link' }).click()
  const link = await dialog.getByRole('textbox', { name: 'Link' }).inputValue()

  const stranger = await browser.newContext({ ...(baseURL && { baseURL }) })
  const reading = await stranger.newPage()
  const errors = watchErrors(reading)
  const answer = await reading.goto(link)
  expect(answer?.headers()['referrer-policy']).toBe('no-referrer')
  await expect(reading.getByRole('article').first()).toContainText('three days in Lisbon')
  await expect(reading.locator('meta[name="robots"]')).toHaveAttribute('content', /noindex/)
  // no cookie is made by reading
  expect(await stranger.cookies()).toEqual([])

  // there is room for the graph beside it
  const graph = reading.getByRole('region', { name: 'Conversation graph' })
  await expect(graph.getByRole('treeitem').first()).toBeVisible()
  await reading.getByRole('navigation', { name: 'Branches' }).getByRole('link').last().click()
  await expect(reading).toHaveURL(/branch=/)
  await graph.getByRole('treeitem').first().click()
  await expect(reading).toHaveURL(/at=/)
  await expect(graph.getByRole('button', { name: 'Branch from here' })).toHaveCount(0)

  await reading.getByRole('button', { name: 'Continue in my own copy' }).first().click()
  await expect(reading).toHaveURL(/\/c\//)
  await expect(reading.getByRole('textbox', { name: 'Message', exact: true })).toBeEditable()
  await expect(reading.getByRole('article').first()).toBeVisible()
  expect(errors).toEqual([])

  // and the owner revokes the link
  const { shares } = await (await page.request.get('/api/shares')).json()
  expect((await page.request.delete(`/api/shares/${shares[0].id}`)).ok()).toBe(true)
  expect((await reading.goto(link))?.status()).toBe(404)
  await expect(reading.getByRole('heading', { name: 'This link opens nothing' })).toBeVisible()
  await stranger.close()
})

test('given a browser without JavaScript, then what a link opens is read on a phone, and found by its parts', async ({
  chat,
  browser,
  baseURL,
}) => {
  const { url } = await shareSample(chat, { shared_by: 'Ada' })
  const plain = await browser.newContext({ ...phone, ...(baseURL && { baseURL }), javaScriptEnabled: false })
  const reading = await plain.newPage()
  await reading.goto(url)
  await expect(reading.getByText('Shared by Ada')).toBeVisible()
  await expect(reading.getByRole('article').nth(1)).toBeVisible()
  await reading.getByRole('navigation', { name: 'Branches' }).getByRole('link').nth(1).click()
  await expect(reading).toHaveURL(/branch=/)
  const image = await reading.locator('meta[property="og:image"]').getAttribute('content')
  const picture = await plain.request.get(image ?? '')
  expect(picture.headers()['content-type']).toBe('image/png')
  await plain.close()
})

test('given a long chat that is read on a phone, when words are looked for, then they are found on every part, and gone to', async ({
  page,
  browser,
  baseURL,
}) => {
  // given 120 messages, of which the first and the last hold the word, twice
  const found = 'Here is the lighthouse, **twice**: lighthouse.'
  const between = Array.from({ length: 118 }, (_, at) => `Word number ${at + 1}.`)
  const url = await share(page, await importChat(page.request, [found, ...between, found]), { graph: false })
  const reader = await browser.newContext({ ...phone, ...(baseURL && { baseURL }) })
  const reading = await reader.newPage()
  const errors = watchErrors(reading)
  await reading.goto(url)
  const find = reading.getByRole('button', { name: 'Find in this chat' })
  await hydrated(find)
  await find.tap()
  const words = reading.getByRole('searchbox', { name: 'Find in this chat' })
  const standing = reading.getByRole('search').getByRole('status')
  await words.fill('LIGHTHOUSE')
  await expect(standing).toHaveText('1 / 2 messages')
  await expectAccessible(reading)
  // two places in the first message, then the last one, on the third part
  await words.press('Enter')
  await expect(standing).toHaveText('1 / 2 messages')
  await reading.getByRole('button', { name: 'Next hit' }).tap()
  await expect(standing).toHaveText('2 / 2 messages')
  await expect(reading).toHaveURL(/part=3/)
  await expect(reading.getByRole('article').last()).toContainText('lighthouse')
  await expect(reading.getByRole('article').last()).toBeInViewport()
  await expect
    .poll(() => reading.evaluate(() => [...(CSS.highlights.get('found-here') ?? [])].map(String)))
    .toEqual(['lighthouse'])
  await reading.getByRole('button', { name: 'Next hit' }).tap()
  await reading.getByRole('button', { name: 'Next hit' }).tap()
  await expect(standing).toHaveText('1 / 2 messages')
  await expect(reading.getByRole('article').first()).toBeInViewport()
  await words.fill('bicycle')
  await expect(standing).toHaveText('Not found')
  expect(await sidewaysScroll(reading)).toBe(0)
  expect(errors).toEqual([])
  await reader.close()
})

test('given a link with the graph, then its page is read in all ways, and words of another branch are found and read there', async ({
  chat,
  page,
}) => {
  const { chatId, url } = await shareSample(chat, { follow: true })
  const graph = await (await page.request.get(`/api/chats/${chatId}/graph`)).json()
  await page.goto(url)
  await expect(page.getByRole('treeitem').first()).toBeVisible()
  await lookInAllWays(page, 'shared-graph')
  await page.getByRole('button', { name: 'Hide graph' }).click()
  await lookInAllWays(page, 'shared-chat')
  await page.getByRole('button', { name: 'Find in this chat' }).click()
  const words = page.getByRole('searchbox', { name: 'Find in this chat' })
  const standing = page.getByRole('search').getByRole('status')
  await words.fill('lisbon')
  await expect(standing).toContainText('/')
  await lookInAllWays(page, 'shared-find')

  const here = await page
    .locator('[data-message-id]')
    .evaluateAll((all) => all.map((one) => one.getAttribute('data-message-id')))
  const elsewhere = graph.nodes.find(({ id }: { id: string }) => !here.includes(id))
  await words.fill(elsewhere.preview.split(/\s+/).slice(0, 6).join(' '))
  await expect(standing).toContainText('1 message')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/at=/)
  await expect(page.locator(`[data-message-id="${elsewhere.id}"]`)).toBeInViewport()
})
