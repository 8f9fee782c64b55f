import type { Page } from '@playwright/test'
import { hydrated } from '../support/chat-page'
import { openSample, signIn } from '../support/openings'
import { expectAccessible, look, onEveryScreen, phone, sidewaysScroll } from '../support/screens'
import { expect, test, watchErrors } from '../support/test'

// A chat shared by a link: made by its owner, read and copied by a stranger.

test('given a branch that is shared with the graph, then a stranger reads it, looks around and continues in a copy', async ({
  chat,
  page,
  browser,
  baseURL,
}) => {
  await openSample(chat)
  await chat.messages.last().hover()
  await chat.messages.last().getByRole('button', { name: 'More actions' }).click()
  await chat.menuItem('Share…').click()
  const dialog = page.getByRole('dialog', { name: 'Share' })
  await dialog.getByRole('radio', { name: 'With the graph' }).click()
  await expectAccessible(page)
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

  await reading.getByRole('button', { name: 'Show graph' }).click()
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

  // and the owner revokes the link, which cannot be undone
  await page.goto('/settings/links')
  const revoke = page.getByRole('button', { name: /^Revoke the link/ })
  await hydrated(revoke)
  await revoke.click()
  await page.getByRole('button', { name: 'Revoke', exact: true }).click()
  await expect(page.getByText('You have shared nothing')).toBeVisible()
  expect((await reading.goto(link))?.status()).toBe(404)
  await expect(reading.getByRole('heading', { name: 'This link opens nothing' })).toBeVisible()
  await stranger.close()
})

test('given a browser without JavaScript, then what a link opens is read on a phone, and found by its parts', async ({
  chat,
  page,
  browser,
  baseURL,
}) => {
  const path = await openSample(chat)
  const chatId = path.split('/').at(-1)?.split('?')[0]
  const shared = await page.request.post('/api/shares', {
    data: { chat_id: chatId, branch: 'main', graph: true, follow: false, shared_by: 'Ada' },
  })
  const { url } = await shared.json()
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

/** A chat of 120 messages, brought in from a file; `needle` is said in the first and the last of them. */
async function longChat(page: Page, needle: string): Promise<string> {
  await signIn(page.request)
  const messages = Array.from({ length: 120 }, (_, n) => ({
    role: n % 2 === 0 ? 'user' : 'assistant',
    content: n === 0 || n === 119 ? `Here is the ${needle}, **twice**: ${needle}.` : `Word number ${n}.`,
  }))
  const file = {
    name: 'long.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(messages)),
  }
  const started = await page.request.post('/api/import', { multipart: { file } })
  const { import_id: id } = await started.json()
  const report = async () => (await page.request.get(`/api/import/${id}`)).json()
  await expect.poll(async () => (await report()).status).toBe('done')
  return (await report()).examples[0].chat_id
}

test('given a long chat that is read on a phone, when words are looked for, then they are found on every part, and gone to', async ({
  page,
  browser,
  baseURL,
}) => {
  const chat_id = await longChat(page, 'lighthouse')
  const shared = await page.request.post('/api/shares', {
    data: { chat_id, branch: 'main', graph: false, follow: false },
  })
  const reader = await browser.newContext({ ...phone, ...(baseURL && { baseURL }) })
  const reading = await reader.newPage()
  const errors = watchErrors(reading)
  await reading.goto((await shared.json()).url)
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

test('given a link with the graph, then words of another branch are found and read there', async ({
  chat,
  page,
}) => {
  const path = await openSample(chat)
  const chat_id = path.split('/').at(-1)?.split('?')[0]
  const graph = await (await page.request.get(`/api/chats/${chat_id}/graph`)).json()
  const shared = await page.request.post('/api/shares', {
    data: { chat_id, branch: 'main', graph: true, follow: false },
  })
  const { url } = await shared.json()
  await page.goto(url)
  const find = page.getByRole('button', { name: 'Find in this chat' })
  await hydrated(find)
  await find.click()
  const here = await page
    .locator('[data-message-id]')
    .evaluateAll((all) => all.map((one) => one.getAttribute('data-message-id')))
  const elsewhere = graph.nodes.find(({ id }: { id: string }) => !here.includes(id))
  const words = elsewhere.preview.split(/\s+/).slice(0, 6).join(' ')
  await page.getByRole('searchbox', { name: 'Find in this chat' }).fill(words)
  await expect(page.getByRole('search').getByRole('status')).toContainText('1 message')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/at=/)
  await expect(page.locator(`[data-message-id="${elsewhere.id}"]`)).toBeInViewport()
})

onEveryScreen((screen) => {
  test('the page of a link', async ({ chat, page }) => {
    const path = await openSample(chat)
    const chatId = path.split('/').at(-1)?.split('?')[0]
    const shared = await page.request.post('/api/shares', {
      data: { chat_id: chatId, branch: 'main', graph: true, follow: true },
    })
    await page.goto((await shared.json()).url)
    await look(page, 'shared-chat', screen)
    const show = page.getByRole('button', { name: 'Show graph' })
    await hydrated(show)
    await show.click()
    await expect(page.getByRole('treeitem').first()).toBeVisible()
    await look(page, 'shared-graph', screen)
    await page.getByRole('button', { name: 'Hide graph' }).click()
    await page.getByRole('button', { name: 'Find in this chat' }).click()
    await page.getByRole('searchbox', { name: 'Find in this chat' }).fill('lisbon')
    await expect(page.getByRole('search').getByRole('status')).toContainText('/')
    await look(page, 'shared-find', screen)
    await page.goto('/settings/links')
    await look(page, 'links', screen)
    expect(await sidewaysScroll(page)).toBe(0)
  })
})
