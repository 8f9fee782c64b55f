import type { Locator, Page } from '@playwright/test'
import { openSample, seedTurns, signIn } from '../support/openings'
import { look, onEveryScreen } from '../support/screens'
import { expect, otherPerson, test } from '../support/test'

/** The search dialog, by roles and names. */
class Search {
  readonly dialog: Locator
  readonly box: Locator
  readonly hits: Locator

  constructor(readonly page: Page) {
    this.dialog = page.getByRole('dialog', { name: 'Search' })
    this.box = this.dialog.getByRole('combobox')
    this.hits = this.dialog.getByRole('option')
  }

  async open(): Promise<void> {
    await this.page.getByRole('button', { name: 'Search', exact: true }).first().click()
    await expect(this.box).toBeFocused()
  }

  async for(words: string): Promise<void> {
    await this.box.fill(words)
    await expect(this.dialog.locator('[aria-busy="true"]')).toHaveCount(0)
  }
}

/** The message is in the part of the thread that can be seen. */
async function expectInView(page: Page, message: Locator): Promise<void> {
  await expect(message).toBeInViewport()
  await expect(message).toBeFocused()
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

test('given a message on another branch, when it is found and opened, then the thread stands at it and the graph lights its path', async ({
  chat,
  page,
}) => {
  await openSample(chat)
  const before = page.url()
  const search = new Search(page)
  await search.open()
  await search.for('vegetarian')

  await expect(search.hits).not.toHaveCount(0)
  // its copy stands on a branch that brings several together
  const hit = search.hits
    .filter({ hasText: 'One of us is vegetarian' })
    .filter({ hasNotText: /the-whole-plan|name-of-/ })
  await expect(hit.locator('mark')).toHaveText('vegetarian')
  await expect(hit).toContainText('You')
  await expect(hit).toContainText('vegetarian')
  const id = await hit.getAttribute('data-message-id')
  await hit.click()

  await expect(page).toHaveURL(/branch=vegetarian&at=/)
  expect(new URL(page.url()).pathname).toBe(new URL(before).pathname)
  expect(new URL(page.url()).searchParams.get('at')).toBe(id)
  await expectInView(page, page.locator(`article[data-message-id="${id}"]`))
  await expect(chat.branch()).toContainText('vegetarian')
  await expect(chat.graph.locator('[aria-current="true"]')).toHaveAccessibleName(/small plates one/)
})

test('given a chat elsewhere, when a message of it is opened by keyboard, then its page stands at it', async ({
  chat,
  page,
}) => {
  await openSample(chat)
  const sample = new URL(page.url()).pathname
  await page.getByRole('button', { name: 'New chat', exact: true }).first().click()
  await expect(chat.messages).toHaveCount(0)
  await chat.ask('Say nothing of Cascais, please')
  const search = new Search(page)
  await chat.lastReply().focus()
  await page.keyboard.press('/')
  await expect(search.box).toBeFocused()
  await search.for('casc')

  // a message of a moment ago is found too, in its own chat
  await expect(search.dialog.getByRole('group')).toHaveCount(2)
  const options = await search.hits.allInnerTexts()
  const wanted = options.findIndex((text) => text.includes('Forty minutes by train'))
  expect(wanted).toBeGreaterThanOrEqual(0)
  for (let step = 0; step < wanted; step++) await page.keyboard.press('ArrowDown')
  const active = search.dialog.locator('[role="option"][aria-selected="true"]')
  await expect(active).toContainText('Forty minutes by train')
  await expect(search.box).toHaveAttribute('aria-activedescendant', (await active.getAttribute('id')) ?? '')
  await page.keyboard.press('Enter')

  await expect(page).toHaveURL(new RegExp(`${sample}\\?branch=beach-day&at=`))
  await expectInView(page, chat.message('Forty minutes by train'))
})

test('given a long chat, when its beginning is found and opened, then only messages around it are loaded, and the end is one click away', async ({
  chat,
  page,
}) => {
  const later = Array.from({ length: 79 }, (_, i) => `repeat: ${i + 1}`)
  await seedTurns(chat, ['repeat: a wren in the hedge', ...later])
  await chat.open()
  const search = new Search(page)
  await search.open()
  await search.for('wren')
  await search.hits.filter({ hasText: 'You' }).click()

  const first = page.locator('article').first()
  await expect(first).toContainText('a wren in the hedge')
  await expectInView(page, first)
  expect(await chat.messages.count()).toBeLessThan(110)
  await page.getByRole('button', { name: 'Jump to latest' }).click()
  await expect(chat.lastReply()).toContainText('79')
  await expect(chat.lastReply()).toBeInViewport()
  await expect(first).not.toContainText('a wren in the hedge')
  await chat.box.fill('repeat: and a robin')
  await chat.box.press('Enter')
  await expect(chat.lastReply()).toContainText('and a robin')
  await chat.settled()
})

test('given filters, when they are set, then only this chat, and only one voice, is searched', async ({
  chat,
  page,
}) => {
  await openSample(chat)
  await page.getByRole('button', { name: 'New chat', exact: true }).first().click()
  await expect(chat.messages).toHaveCount(0)
  await chat.ask('repeat: sardines')
  const search = new Search(page)
  await search.open()
  await search.for('sardines')
  await expect(search.dialog.getByRole('group')).toHaveCount(2)

  await search.dialog.getByRole('radio', { name: 'This chat' }).click()
  await expect(search.dialog.getByRole('group')).toHaveCount(1)
  await expect(search.hits).toHaveCount(2)

  await search.dialog.getByRole('radio', { name: 'You' }).click()
  await expect(search.hits).toHaveCount(1)
  await expect(search.hits).toContainText('You')

  await search.dialog.getByRole('radio', { name: 'Assistant' }).click()
  await expect(search.hits).toHaveCount(1)
  await expect(search.hits).toContainText('Assistant')

  await search.for('azulejo')
  await expect(search.dialog.getByText('No message says')).toBeVisible()
  await search.dialog.getByRole('button', { name: 'Search everything' }).click()
  await expect(search.dialog.getByRole('radio', { name: 'All chats' })).toBeChecked()
})

test('given an answer that is late, or none, then the older answer is not shown, and the page says so and tries again', async ({
  chat,
  page,
}) => {
  await openSample(chat)
  const asked: string[] = []
  let held: (() => void) | undefined
  await page.route('**/api/search?*', async (route) => {
    const words = new URL(route.request().url()).searchParams.get('q') ?? ''
    asked.push(words)
    if (words === 'lisbon') await new Promise<void>((resolve) => (held = resolve))
    if (words === 'tram' && asked.filter((other) => other === 'tram').length === 1) return route.abort()
    await route.continue().catch(() => undefined)
  })
  const search = new Search(page)
  await search.open()
  await search.box.fill('lisbon')
  await expect.poll(() => asked).toEqual(['lisbon'])
  await expect(search.dialog.getByRole('status', { name: 'Searching' })).toBeVisible()
  await search.for('sintra')
  await expect(search.hits.first()).toContainText('Sintra')
  held?.()
  await expect(search.hits.first()).toContainText('Sintra')

  await search.box.fill('tram')
  await expect(search.dialog.getByRole('alert')).toContainText('could not be reached')
  await search.dialog.getByRole('button', { name: 'Try again' }).click()
  await expect(search.hits.first()).toContainText('tram')
  expect(asked).toEqual(['lisbon', 'sintra', 'tram', 'tram'])
})

test('given words of another person, or none at all, when searched, then nothing is found and the visitor gets no session', async ({
  chat,
  page,
  browser,
  baseURL,
}) => {
  const other = await otherPerson(browser, baseURL)
  await other.open()
  await other.ask('repeat: periwinkle')
  await other.page.context().close()
  await chat.open()
  const search = new Search(page)
  await search.open()
  await search.box.fill('periwinkle')
  await expect(search.dialog.getByText('Nothing has been said here yet.')).toBeVisible()
  expect((await page.context().cookies()).filter(({ name }) => name.includes('session'))).toEqual([])

  await page.keyboard.press('Escape')
  await chat.ask('Hello')
  await search.open()
  await search.for('periwinkle')
  await expect(search.dialog.getByText('No message says')).toBeVisible()
})

test('over HTTP: words, filters and limits are checked, and a foreign chat is a missing one', async ({
  request,
  playwright,
  baseURL,
}) => {
  expect((await request.get('/api/search?q=x')).status()).toBe(401)
  await signIn(request)
  const said = { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'a <b>kingfisher</b> & more' }] }
  await request.post('/api/chat', { data: { id: 'birds', message: said } })
  const other = await playwright.request.newContext({ baseURL: baseURL ?? '' })
  await signIn(other)

  const found = await (await request.get('/api/search?q=kingf&chat=birds&role=user&limit=1')).json()
  expect(found).toMatchObject({
    more: false,
    partial: false,
    hits: [{ chatId: 'birds', messageId: 'u1', role: 'user', branch: { name: 'main' } }],
  })
  expect(found.hits[0].snippet).toContain('&lt;b&gt;<mark>kingfisher</mark>&lt;/b&gt; &amp;')
  expect((await (await other.get('/api/search?q=kingfisher')).json()).hits).toEqual([])
  for (const [query, status] of [
    ['q=', 200],
    ['q=%25', 200],
    ['q=%27%3A*%20%26', 200],
    ['', 400],
    ['q=%00', 400],
    [`q=${'x'.repeat(501)}`, 400],
    ['q=x&role=system', 400],
    ['q=x&limit=0', 400],
    ['q=x&limit=101', 400],
    ['q=x&limit=ten', 400],
    ['q=x&offset=-1', 400],
    ['q=x&chat=nowhere', 404],
    ['q=x&chat=%00', 404],
  ] as const) {
    const response = await request.get(`/api/search?${query}`)
    expect(response.status(), query.slice(0, 40)).toBe(status)
    if (status !== 200) expect(response.headers()['content-type']).toContain('application/problem+json')
  }
  const foreign = await other.get('/api/search?q=x&chat=birds')
  expect(await foreign.text()).toBe(await (await other.get('/api/search?q=x&chat=nowhere')).text())
  expect((await request.post('/api/search')).status()).toBe(405)
  await other.dispose()
})

onEveryScreen((screen) => {
  test('the empty search, one with hits, and one without', async ({ chat, page }) => {
    await openSample(chat)
    const search = new Search(page)
    await chat.lastReply().focus()
    await page.keyboard.press('/')
    await expect(search.box).toBeFocused()
    await look(page, 'search-empty', screen)
    await search.for('day')
    await expect(search.hits).not.toHaveCount(0)
    await look(page, 'search-found', screen)
    await search.for('zeppelin')
    await expect(search.dialog.getByText('No message says')).toBeVisible()
    await look(page, 'search-nothing', screen)
  })
})
