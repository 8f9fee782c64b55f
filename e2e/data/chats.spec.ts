import type { APIRequestContext, Page } from '@playwright/test'
import { signIn } from '../support/openings'
import { expectAccessible, phone, sidewaysScroll } from '../support/screens'
import { expect, test } from '../support/test'

// The list of chats: what is done to one, to many, and how a long list is read.

/** Stores chats, the first of them last. Answers with their ids. */
async function seedChats(request: APIRequestContext, titles: readonly string[]): Promise<string[]> {
  await signIn(request)
  const ids: string[] = []
  for (const title of titles) {
    const made = await request.post('/api/commands/create-thread', { data: {} })
    const { chat_id: id } = (await made.json()) as { chat_id: string }
    expect((await request.patch(`/api/chats/${id}`, { data: { title } })).ok()).toBe(true)
    ids.push(id)
  }
  return ids
}

const listOf = (page: Page) => page.getByRole('navigation', { name: 'Your chats' }).filter({ visible: true })
const rows = (page: Page) => listOf(page).locator('[data-chat]')
const row = (page: Page, title: string) => rows(page).filter({ has: page.getByRole('link', { name: title }) })
const titles = (page: Page) => rows(page).getByRole('link')

async function choose(page: Page, title: string, item: string): Promise<void> {
  await row(page, title).hover()
  await row(page, title)
    .getByRole('button', { name: `More about ${title}` })
    .click()
  await page.getByRole('menuitem', { name: item }).click()
}

test('given a page that stays in view, when another device begins a chat, then it is in the list half a minute later', async ({
  chat,
  page,
}) => {
  await page.clock.install()
  const [porto = ''] = await seedChats(page.request, ['Porto'])
  await chat.open(`/c/${porto}`)
  await expect(titles(page)).toHaveText(['Porto'])
  await seedChats(page.request, ['Faro'])
  await page.clock.fastForward(31_000)
  await expect(titles(page)).toHaveText(['Faro', 'Porto'])
})

test('a chat is pinned, renamed in place, tagged, and archived with a way back', async ({ chat, page }) => {
  const [porto = ''] = await seedChats(page.request, ['Porto', 'Lisbon', 'Faro'])
  await chat.open(`/c/${porto}`)
  await expect(titles(page)).toHaveText(['Faro', 'Lisbon', 'Porto'])
  // when the last one is pinned, then it stands first, under a heading of its own
  await choose(page, 'Porto', 'Pin chat')
  await expect(titles(page)).toHaveText(['Porto', 'Faro', 'Lisbon'])
  await expect(listOf(page).getByRole('heading')).toHaveText(['Pinned', 'Today'])
  // when it is renamed where it stands, then the page of the chat is called so too
  await titles(page).first().focus()
  await page.keyboard.press('F2')
  await page.keyboard.type('Never mind')
  await page.keyboard.press('Escape')
  await expect(titles(page).first()).toBeFocused()
  await expect(titles(page).first()).toHaveText('Porto')
  await page.keyboard.press('F2')
  await page.keyboard.type('Porto by train')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Porto by train')
  await expect(row(page, 'Porto by train').getByRole('link')).toBeFocused()
  // and from the header alike
  await page.getByRole('heading', { level: 1 }).click()
  await page.getByRole('menuitem', { name: 'Rename chat' }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('Porto by bus')
  await chat.box.click()
  await expect(titles(page).first()).toHaveText('Porto by bus')
  // when a tag is made for one and put on another, then the list can show those alone
  await choose(page, 'Lisbon', 'Tags…')
  await page.getByPlaceholder('Find or make a tag').fill('Summer')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('option', { name: 'Summer , on' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(row(page, 'Lisbon').getByRole('button', { name: /^More about/ })).toBeFocused()
  await page.getByRole('button', { name: 'Filter and sort chats' }).click()
  await page.getByRole('menuitemradio', { name: 'Summer' }).click()
  await expect(titles(page)).toHaveText([/^Lisbon/])
  await page.getByRole('button', { name: 'Show more than Summer' }).click()
  await expect(titles(page)).toHaveCount(3)
  // when a chat is archived, then it leaves the list, and comes back with Undo
  await choose(page, 'Faro', 'Archive chat')
  await expect(titles(page)).toHaveText([/^Porto/, /^Lisbon/])
  await chat.undo()
  await expect(titles(page)).toHaveText([/^Porto/, 'Faro', /^Lisbon/])
  const stored = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await choose(page, 'Faro', 'Archive chat')
  await expect(page.getByText('Archived “Faro”')).toBeVisible()
  await stored
  await chat.reload()
  await expect(titles(page)).toHaveText([/^Porto/, /^Lisbon/])
  await page.getByRole('button', { name: 'Filter and sort chats' }).click()
  await page.getByRole('menuitemradio', { name: 'Archived' }).click()
  await titles(page).filter({ hasText: 'Faro' }).click()
  await expect(page.locator('header').getByText('Archived')).toBeVisible()
})

test('chats are selected by key, and tagged and deleted with one request each', async ({ chat, page }) => {
  await seedChats(page.request, ['One', 'Two', 'Three', 'Four', 'Five'])
  await chat.open()
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/chats') && request.method() !== 'GET') asked.push(request.method())
  })
  await titles(page).first().focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  const bar = page.getByRole('toolbar', { name: 'Selected chats' })
  await expect(bar).toContainText('3 selected')
  await expect(rows(page).getByRole('checkbox', { checked: true })).toHaveCount(3)
  await expectAccessible(page)
  // when Escape is pressed, then nothing is selected; the pointer selects too
  await page.keyboard.press('Escape')
  await expect(bar).toHaveCount(0)
  await titles(page)
    .filter({ hasText: 'Two' })
    .click({ modifiers: ['ControlOrMeta'] })
  await titles(page)
    .filter({ hasText: 'Four' })
    .click({ modifiers: ['Shift'] })
  await expect(bar).toContainText('3 selected')
  await bar.getByRole('button', { name: 'Tags' }).click()
  await page.getByPlaceholder('Find or make a tag').fill('Numbers')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('option', { name: 'Numbers , on' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(rows(page).filter({ hasText: 'Numbers' })).toHaveCount(3)
  // when they are deleted, then the question says how many
  await bar.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('Delete 3 chats?')
  await page.getByRole('button', { name: 'Delete 3 chats' }).click()
  await expect(titles(page)).toHaveText(['Five', 'One'])
  await expect(bar).toHaveCount(0)
  expect(asked).toEqual(['PATCH', 'DELETE'])
  await chat.reload()
  await expect(titles(page)).toHaveText(['Five', 'One'])
})

test('a long list comes page by page, says where one fails, and is found through', async ({ chat, page }) => {
  const names = Array.from({ length: 70 }, (_, at) => `Chat ${at + 1}`)
  await seedChats(page.request, names)
  await chat.open()
  await expect(titles(page).first()).toHaveText('Chat 70')
  // given a page that cannot be read
  await page.route('**/api/chats?cursor=*', (route) => route.abort(), { times: 1 })
  await titles(page).nth(49).scrollIntoViewIfNeeded()
  const failed = listOf(page).getByRole('alert')
  await expect(failed).toContainText('More chats could not be loaded.')
  await failed.getByRole('button', { name: 'Try again' }).click()
  await titles(page).first().focus()
  await expect(async () => {
    await page.keyboard.press('End')
    await expect(titles(page).last()).toHaveText('Chat 1', { timeout: 500 })
  }).toPass()
  await expect(titles(page)).toHaveText(names.toReversed())
  // when a title is typed, then the server finds it, and the place is kept while another chat is opened
  await page.getByRole('searchbox', { name: 'Filter chats by title' }).fill('chat 1')
  await expect(titles(page)).toHaveCount(11)
  await titles(page).last().click()
  await expect(page).toHaveURL(/\/c\//)
  await expect(titles(page)).toHaveCount(11)
  // then all of them are meant by the selection, loaded or not
  await page.getByRole('searchbox', { name: 'Filter chats by title' }).fill('')
  await expect(titles(page)).toHaveCount(50)
  await titles(page).first().focus()
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'Select all 70' }).click()
  const bar = page.getByRole('toolbar', { name: 'Selected chats' })
  await expect(bar).toContainText('70 selected')
  await bar.getByRole('button', { name: 'Archive' }).click()
  await expect(listOf(page)).toContainText('Your chats will be listed here.')
  await chat.undo()
  await expect(titles(page)).toHaveCount(50)
})

test.describe('on a phone', () => {
  test.use(phone)

  test('chats are selected by thumb', async ({ chat, page }) => {
    await seedChats(page.request, ['One', 'Two', 'Three'])
    await chat.open()
    await page.getByRole('button', { name: 'Open sidebar' }).tap()
    await row(page, 'Two').getByRole('button', { name: 'More about Two' }).tap()
    await page.getByRole('menuitem', { name: 'Select chats' }).tap()
    await titles(page).filter({ hasText: 'One' }).tap()
    const bar = page.getByRole('toolbar', { name: 'Selected chats' })
    await expect(bar).toContainText('2 selected')
    await expectAccessible(page)
    expect(await sidewaysScroll(page)).toBe(0)
    await bar.getByRole('button', { name: 'Archive' }).tap()
    await expect(titles(page)).toHaveText(['Three'])
  })
})
