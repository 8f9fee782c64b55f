import type { Page } from '@playwright/test'
import { startOpenAIServer } from '@/testing/machines/openai-server'
import { type ChatPage, hydrated } from '../support/chat-page'
import { openForkedChat, seedFork, seedTurns } from '../support/openings'
import { expectAccessible, look, onEveryScreen, phone, sidewaysScroll } from '../support/screens'
import { expect, providerPort, test } from '../support/test'

// What branches and chats are called where they are listed. Graph and outline have specs of their own.

const wishes = [
  'One of us is vegetarian, and **never** eats fish',
  'Make it cheaper, please. Hostels are fine',
  'متحف البلاط مغلق يوم الاثنين، ماذا نفعل؟',
  'その日は雨が降りそうです。室内で過ごせる場所はありますか。',
]

/** Given a chat about Lisbon with a branch for each of these wishes, opened on main. */
async function openWishes(chat: ChatPage, said: readonly string[]): Promise<string> {
  const chatId = await seedTurns(chat, [
    '## Three days in *Lisbon* in May, with a bad knee and little money',
    'Plan day one',
  ])
  for (const wish of said) await seedFork(chat, chatId, wish)
  await chat.open(`/c/${chatId}?branch=main`)
  await expect(chat.messages).toHaveCount(4)
  return chatId
}

const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name })

onEveryScreen((screen) => {
  if (screen.size === 'narrow') test.use(phone)

  test('the switcher says what each branch is about, and leads there', async ({ chat, page }) => {
    await openWishes(chat, wishes)
    await expect(
      page.getByRole('heading', { name: 'Three days in Lisbon in May, with a bad knee and little…' }),
    ).toBeVisible()
    await expect(chat.branch()).toHaveText('main')
    // when it is opened
    await chat.branch().click()
    // then its options are named by handle and title, and show count, last words and age
    const vegetarian = option(page, 'main-v2, One of us is vegetarian')
    await expect(vegetarian).toContainText('main-v2')
    await expect(vegetarian).toContainText('4 messages')
    await expect(vegetarian).toContainText(/now|min/)
    await expect(option(page, 'main-v3, Make it cheaper, please')).toBeVisible()
    await expect(option(page, /^main-v4, متحف/)).toBeVisible()
    await expect(option(page, /^main-v5, その日は雨が降りそうです$/)).toBeVisible()
    await expect(option(page, /^main$/)).toHaveAttribute('aria-selected', 'true')
    await look(page, 'names-switcher', screen)
    // none is cut off at the side
    const list = await page.getByRole('listbox', { name: 'Branch' }).boundingBox()
    const width = page.viewportSize()?.width ?? 0
    expect(list && list.x >= 0 && list.x + list.width <= width).toBe(true)
    await vegetarian.click()
    await chat.reads('main-v2')
    await expect(chat.branch()).toHaveText('One of us is vegetarian')
    await expect(chat.branch()).toHaveAttribute('title', 'main-v2')
    await expect(page.getByRole('listbox')).toHaveCount(0)
    await look(page, 'names-header', screen)
  })

  test('a long list of branches is searched', async ({ chat, page }) => {
    const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
    const said = days.flatMap((day) => [`Leave on ${day} morning`, `Leave on ${day} evening`])
    await openWishes(chat, said)
    await chat.branch().click()
    await expect(page.getByRole('option')).toHaveCount(15)
    await look(page, 'names-many', screen)
    await page.getByRole('searchbox', { name: 'Find a branch' }).fill('friday even')
    await expect(page.getByRole('option')).toHaveCount(1)
    await page.keyboard.press('Enter')
    await expect(chat.branch()).toHaveText('Leave on Friday evening')
    await expect(chat.said('Leave on Friday evening')).toBeVisible()
    expect(await sidewaysScroll(page)).toBe(0)
  })
})

test('the switcher is used by keyboard alone', async ({ chat, page }) => {
  await openForkedChat(chat)
  await expect(chat.branch()).toHaveText('what is 3+3')
  await chat.branch().focus()
  await page.keyboard.press('ArrowDown')
  await expect(option(page, 'main-v2, what is 3+3')).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(chat.branch()).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(option(page, 'main-v2, what is 3+3')).toBeFocused()
  // the first letter of a title or a handle
  await page.keyboard.press('m')
  await expect(option(page, /^main$/)).toBeFocused()
  await page.keyboard.press('End')
  await expect(option(page, 'main-v2, what is 3+3')).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await chat.reads('main')
  await expect(chat.branch()).toHaveText('main')
})

test('a name that a person gives wins for good, also on other branches', async ({ chat, page }) => {
  await openForkedChat(chat)
  await page.getByRole('button', { name: 'Branches', exact: true }).click()
  const list = page.getByRole('dialog', { name: 'Branches' })
  const row = list.getByRole('button', { name: 'Switch to main-v2, what is 3+3' })
  await expect(row).toContainText('4 messages')
  await list.getByRole('button', { name: 'Rename main-v2' }).click()
  await list.getByRole('textbox', { name: 'Branch name' }).fill('threes')
  await page.keyboard.press('Enter')
  await expect(list.getByRole('button', { name: 'Switch to threes', exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(chat.branch()).toHaveText('threes')
  await chat.ask('and 4+4?')
  await chat.reload()
  await expect(chat.branch()).toHaveText('threes')
})

test('a branch without words of its own is new, another answer says so, and both find their words', async ({
  chat,
}) => {
  await openForkedChat(chat)
  await chat.said('what is 3+3').getByRole('button', { name: 'Branch from here' }).click()
  await expect(chat.branch()).toHaveText('new branch')
  await chat.ask('One of us is vegetarian')
  await expect(chat.branch()).toHaveText('One of us is vegetarian')
  await chat.lastReply().getByRole('button', { name: 'Try again' }).click()
  await expect(chat.branch()).toHaveText('another answer')
  await chat.settled()
  await expect(chat.branch()).toHaveText('another answer')
})

test('palette, search and comparison list branches by the same titles', async ({ chat, page }) => {
  const chatId = await openWishes(chat, wishes.slice(0, 2))
  await page.keyboard.press('ControlOrMeta+k')
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  await page.keyboard.type('cheaper')
  const cheaper = palette.getByRole('option', { name: 'Switch to main-v3, Make it cheaper, please' })
  await expect(cheaper).toContainText('4 messages')
  await look(page, 'names-palette', { size: 'wide', colorScheme: 'light', suffix: 'wide-light' })
  await cheaper.click()
  await chat.reads('main-v3')
  await expect(chat.branch()).toHaveText('Make it cheaper, please')

  await page.getByRole('button', { name: 'Search', exact: true }).first().click()
  await page.getByRole('combobox', { name: 'Search messages' }).fill('vegetarian')
  const hit = option(page, /on branch main-v2, One of us is vegetarian/).first()
  await expect(hit).toContainText('4 messages')
  await look(page, 'names-search', { size: 'wide', colorScheme: 'light', suffix: 'wide-light' })

  await page.goto(`/c/${chatId}/compare?left=main-v2&right=main-v3`)
  const left = page.getByRole('combobox', { name: 'Left branch' })
  await expect(left).toHaveText('One of us is vegetarian')
  await hydrated(left)
  await left.click()
  await expect(option(page, 'main-v3, Make it cheaper, please')).toContainText('4 messages')
  await look(page, 'names-compare', { size: 'wide', colorScheme: 'light', suffix: 'wide-light' })
  await option(page, /^main$/).click()
  await expect(left).toHaveText('main')
})

test('a retry by another model is called after that model', async ({ chat, page }) => {
  const provider = await startOpenAIServer({ port: providerPort(), answer: () => 'In the north.' })
  const chatId = await seedTurns(chat, ['Where is Braga?'])
  const retry = { id: chatId, trigger: 'regenerate-message', messageId: 'q1' }
  const response = await page.request.post('/api/chat', {
    data: { ...retry, model: 'openai-compatible:scripted' },
  })
  await response.body()
  await chat.open(`/c/${chatId}?branch=main-v2`)
  // the title is stored after the reply, and arrives by itself
  await expect(chat.branch()).toHaveText('scripted’s answer')
  await provider.close()
})
