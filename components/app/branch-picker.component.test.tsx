import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { boxOf, type ChatPage, expectCount, focus } from '@/testing/page/chat-page'
import { openChat, openFork, openPage, reload, scripted, turns } from '@/testing/page/given'
import { expectAccessible, lookInAllWays } from '@/testing/page/look'

// Titles of branches and chats where they are listed. Graph and outline have tests of their own.

const wishes = [
  'One of us is vegetarian, and **never** eats fish',
  'Make it cheaper, please. Hostels are fine',
  'متحف البلاط مغلق يوم الاثنين، ماذا نفعل؟',
  'その日は雨が降りそうです。室内で過ごせる場所はありますか。',
]

/** Opens a chat about Lisbon with a branch for each of these wishes, on main. */
async function openWishes(said: readonly string[]): Promise<ChatPage> {
  const first = '## Three days in *Lisbon* in May, with a bad knee and little money'
  const chat = await openChat({
    opensOn: 'main',
    branches: [
      { name: 'main', says: turns(first, 'Plan day one') },
      ...said.map((wish, at) => ({ name: `main-v${at + 2}`, instead: 'q2', says: [wish, 'Noted.'] })),
    ],
  })
  await expectCount(chat.messages, 4)
  return chat
}

const option = (name: string | RegExp) => page.getByRole('option', { name })
const expectTitle = (chat: ChatPage, title: string) => expect.element(chat.branch()).toHaveTextContent(title)

/** The list lies within the window. */
function expectWhole(): void {
  const { left, right } = boxOf(page.getByRole('listbox', { name: 'Branch' }))
  expect(left).toBeGreaterThanOrEqual(0)
  expect(right).toBeLessThanOrEqual(innerWidth)
}

test('the switcher says what each branch is about, and leads there', async () => {
  const chat = await openWishes(wishes)
  const title = 'Three days in Lisbon in May, with a bad knee and little…'
  await expect.element(page.getByRole('heading', { name: title })).toBeVisible()
  await expectTitle(chat, 'Main line')
  // when it is opened
  await chat.branch().click()
  // then its options are named by handle and title, and show count, last words and age
  const vegetarian = option('One of us is vegetarian')
  await expect.element(vegetarian).toMatchTextContent('4 messages')
  await expect.element(vegetarian).toMatchTextContent(/now|min/)
  await expect.element(option('Make it cheaper, please')).toBeVisible()
  await expect.element(option(/^متحف/)).toBeVisible()
  await expect.element(option(/^その日は雨が降りそうです$/)).toBeVisible()
  await expect.element(option(/^Main line$/)).toHaveAttribute('aria-selected', 'true')
  // none is cut off at the side
  await lookInAllWays('names-switcher', async (size) => {
    if (size === 'narrow') {
      await userEvent.keyboard('{Escape}')
      await chat.branch().click()
    }
    await expect.element(vegetarian).toBeVisible()
    expectWhole()
  })
  await vegetarian.click()
  await chat.reads('main-v2')
  await expectTitle(chat, 'One of us is vegetarian')
  await expect.element(chat.branch()).toHaveAttribute('title', 'One of us is vegetarian')
  await expectCount(page.getByRole('listbox'), 0)
  await lookInAllWays('names-header')
})

test('a long list of branches is searched', async () => {
  const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
  const said = days.flatMap((day) => [`Leave on ${day} morning`, `Leave on ${day} evening`])
  const chat = await openWishes(said)
  await lookInAllWays('names-many', async (size) => {
    if (size === 'narrow') await userEvent.keyboard('{Escape}')
    await chat.branch().click()
    await expectCount(page.getByRole('option'), 15)
    expectWhole()
  })
  await page.getByRole('searchbox', { name: 'Find a branch' }).fill('friday even')
  await expectCount(page.getByRole('option'), 1)
  await userEvent.keyboard('{Enter}')
  await expectTitle(chat, 'Leave on Friday evening')
  await expect.element(chat.said('Leave on Friday evening')).toBeVisible()
})

test('the switcher is used by keyboard alone', async () => {
  const chat = await openFork()
  const threes = option('what is 3+3')
  await expectTitle(chat, 'what is 3+3')
  await focus(chat.branch())
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(threes).toHaveFocus()
  await expectAccessible()
  await userEvent.keyboard('{Escape}')
  await expect.element(chat.branch()).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(threes).toHaveFocus()
  // the first letter of a title or a handle
  await userEvent.keyboard('m')
  await expect.element(option(/^Main line$/)).toHaveFocus()
  await userEvent.keyboard('m')
  await expect.element(threes).toHaveFocus()
  await userEvent.keyboard('{Home}')
  await expect.element(option(/^Main line$/)).toHaveFocus()
  await userEvent.keyboard('{End}')
  await expect.element(threes).toHaveFocus()
  await userEvent.keyboard('{ArrowUp}{Enter}')
  await chat.reads('main')
  await expectTitle(chat, 'Main line')
})

test('a name that a person gives wins for good, also on other branches', async () => {
  const chat = await openFork()
  await page.getByRole('button', { name: 'Branches', exact: true }).click()
  const list = page.getByRole('dialog', { name: 'Branches' })
  const row = list.getByRole('button', { name: 'Switch to what is 3+3' })
  await expect.element(row).toMatchTextContent('4 messages')
  await list.getByRole('button', { name: 'Rename what is 3+3' }).click()
  await list.getByRole('textbox', { name: 'Branch name' }).fill('threes')
  await userEvent.keyboard('{Enter}')
  await expect.element(list.getByRole('button', { name: 'Switch to threes', exact: true })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expectTitle(chat, 'threes')
  await chat.ask('and 4+4?')
  await reload()
  await expectTitle(chat, 'threes')
})

test('a branch without words of its own is new, another answer has its number or its words, and both find their words', async () => {
  const chat = await openFork()
  await chat.said('what is 3+3').getByRole('button', { name: 'Branch from here' }).click()
  await expectTitle(chat, 'New branch')
  await chat.ask('One of us is vegetarian')
  await expectTitle(chat, 'One of us is vegetarian')
  await chat.again()
  await chat.settled()
  // the demo model answers in other words: the first of them are the title
  await expect.element(chat.branch()).not.toHaveTextContent('One of us is vegetarian')
  const title = chat.branch().element().textContent.replace('…', '')
  await expect.element(chat.lastReply()).toMatchTextContent(title)
})

test('palette, search and comparison list branches by the same titles', async () => {
  const chat = await openWishes(wishes.slice(0, 2))
  const { pathname } = location
  await userEvent.keyboard('{Control>}k{/Control}')
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  await palette.getByRole('combobox').fill('cheaper')
  const cheaper = palette.getByRole('option', { name: 'Switch to Make it cheaper, please' })
  await expect.element(cheaper).toMatchTextContent('4 messages')
  await expectAccessible()
  await cheaper.click()
  await chat.reads('main-v3')
  await expectTitle(chat, 'Make it cheaper, please')

  await page.getByRole('button', { name: 'Search', exact: true }).first().click()
  await page.getByRole('combobox', { name: 'Search messages' }).fill('vegetarian')
  const hit = option(/on branch One of us is vegetarian/).first()
  await expect.element(hit).toMatchTextContent('4 messages')
  await expectAccessible()

  await openPage(`${pathname}/compare?left=main-v2&right=main-v3`)
  const left = page.getByRole('combobox', { name: 'Left branch' })
  await expect.element(left).toHaveTextContent('One of us is vegetarian')
  await left.click()
  await expect.element(option('Make it cheaper, please')).toMatchTextContent('4 messages')
  await expectAccessible()
  await option(/^Main line$/).click()
  await expect.element(left).toHaveTextContent('Main line')
})

test('a retry by another model is called after that model', async () => {
  await openChat({ branches: [{ name: 'main', says: turns('Where is Braga?') }] })
  const id = location.pathname.split('/')[2]
  const answer = await fetch('/api/chat', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id, trigger: 'regenerate-message', messageId: 'q1', model: scripted }),
  })
  await answer.text()
  const chat = await openPage(`/c/${id}?branch=main-v2`)
  // the title is stored after the reply, and arrives by itself
  await expectTitle(chat, 'scripted’s answer')
})
