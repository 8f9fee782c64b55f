import { expect, onTestFinished, test, vi } from 'vitest'
import { type Locator, page, userEvent } from 'vitest/browser'
import { type ChatPage, css, expectCount, focus } from '@/testing/page/chat-page'
import { givenChat, intercept, onPhone, openPage, reload, turns } from '@/testing/page/given'
import { expectAccessible, expectNoSidewaysScroll } from '@/testing/page/look'

// The list of chats: what is done to one, to many, and how a long list is read.

/** Stores chats, the first of them last, and opens the new chat. */
async function openChats(...titles: string[]): Promise<ChatPage> {
  for (const title of titles) await storeChat(title)
  return openPage('/')
}

const storeChat = (title: string) => givenChat({ title, branches: [{ name: 'main', says: turns('Hello') }] })

const rows = css('nav[aria-label="Your chats"] [data-chat]')
const links = rows.getByRole('link')
const list = page.getByRole('navigation', { name: 'Your chats' })
const row = (title: string): Locator => rows.filter({ has: page.getByRole('link', { name: title }) })
const bar = page.getByRole('toolbar', { name: 'Selected chats' })

/** Waits until the list shows these titles, from top to bottom. */
const expectTitles = (...titles: string[]) =>
  expect
    .poll(() => links.elements().map((link) => link.querySelector('[dir=auto]')?.textContent))
    .toEqual(titles)

async function choose(title: string, item: string): Promise<void> {
  await row(title).hover()
  await row(title)
    .getByRole('button', { name: `More about ${title}` })
    .click()
  await page.getByRole('menuitem', { name: item }).click()
}

async function filter(choice: string): Promise<void> {
  await page.getByRole('button', { name: 'Filter and sort chats' }).click()
  await page.getByRole('menuitemradio', { name: choice }).click()
}

/** Makes a tag in the picker that is open, and closes it. */
async function makeTag(name: string): Promise<void> {
  await page.getByPlaceholder('Find or make a tag').fill(name)
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('option', { name: `${name} , on` })).toBeVisible()
  await expectAccessible()
  await userEvent.keyboard('{Escape}')
}

test('given a chat that an agent writes in, then the list names its program, and shows it alone when it is asked for agents', async () => {
  const says = turns('Mend the till')
  await givenChat({
    title: 'The till',
    agent: 'claude-cli/2.1.197 (external, cli)',
    branches: [{ name: 'main', says }],
  })
  await openChats('Lisbon')
  await expectTitles('Lisbon', 'The till')
  await expect.element(links.filter({ hasText: 'The till' })).toMatchTextContent(/, by Claude Code/)
  await filter('Agents')
  await expectTitles('The till')
  await expectAccessible()
  await page.getByRole('button', { name: 'Show more than Agents' }).click()
  await expectTitles('Lisbon', 'The till')
})

test('given a page that stays in view, when another device begins a chat, then it is in the list half a minute later', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  await openChats('Porto')
  await expectTitles('Porto')
  await storeChat('Faro')
  vi.advanceTimersByTime(31_000)
  await expectTitles('Faro', 'Porto')
})

test('a chat is pinned, and renamed in place and from its header', async () => {
  const porto = await storeChat('Porto')
  await openChats('Lisbon', 'Faro')
  const chat = await openPage(`/c/${porto}`)
  await expectTitles('Faro', 'Lisbon', 'Porto')
  // when the last one is pinned, then it stands first, under a heading of its own
  await choose('Porto', 'Pin chat')
  await expectTitles('Porto', 'Faro', 'Lisbon')
  await expect
    .poll(() =>
      list
        .getByRole('heading')
        .elements()
        .map(({ textContent }) => textContent),
    )
    .toEqual(['Pinned', 'Today'])
  // when it is renamed where it stands, then the page of the chat is called so too
  await focus(links.first())
  await userEvent.keyboard('{F2}Never mind{Escape}')
  await expect.element(links.first()).toHaveFocus()
  await expectTitles('Porto', 'Faro', 'Lisbon')
  await userEvent.keyboard('{F2}Porto by train{Enter}')
  const heading = page.getByRole('heading', { level: 1 })
  await expect.element(heading).toHaveTextContent('Porto by train')
  await expect.element(row('Porto by train').getByRole('link')).toHaveFocus()
  // and from the header alike
  await heading.click()
  await page.getByRole('menuitem', { name: 'Rename chat' }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('Porto by bus')
  await chat.box.click()
  await expectTitles('Porto by bus', 'Faro', 'Lisbon')
})

test('a chat is tagged, and archived with a way back', async () => {
  const chat = await openChats('Porto', 'Lisbon', 'Faro')
  // when a tag is made for one, then the list can show those alone
  await choose('Lisbon', 'Tags…')
  await makeTag('Summer')
  await expect.element(row('Lisbon').getByRole('button', { name: /^More about/ })).toHaveFocus()
  await filter('Summer')
  await expectTitles('Lisbon')
  await page.getByRole('button', { name: 'Show more than Summer' }).click()
  await expectTitles('Faro', 'Lisbon', 'Porto')
  // when a chat is archived, then it leaves the list, and comes back with Undo
  await choose('Faro', 'Archive chat')
  await expectTitles('Lisbon', 'Porto')
  await chat.undo()
  await expectTitles('Faro', 'Lisbon', 'Porto')
  await choose('Faro', 'Archive chat')
  await expect.element(page.getByText('Archived “Faro”')).toBeVisible()
  await expect.poll(async () => (await (await fetch('/api/chats')).json()).chats).toHaveLength(2)
  await reload()
  await expectTitles('Lisbon', 'Porto')
  await filter('Archived')
  await expectTitles('Faro')
  await links.click()
  await expect.element(css('header').getByText('Archived')).toBeVisible()
})

test('chats are selected by key, and tagged and deleted with one request each', async () => {
  await openChats('One', 'Two', 'Three', 'Four', 'Five')
  const asked: (string | undefined)[] = []
  const server = window.fetch
  intercept(/\/api\/chats$/, ({ url, init }) => {
    if (init?.method) asked.push(init.method)
    return server(url, init)
  })
  await focus(links.first())
  await userEvent.keyboard('{ArrowDown} {Shift>}{ArrowDown}{ArrowDown}{/Shift}')
  await expect.element(bar).toMatchTextContent(/3 selected/)
  await expectCount(rows.getByRole('checkbox', { checked: true }), 3)
  await expectAccessible()
  // when Escape is pressed, then nothing is selected; the pointer selects too
  await userEvent.keyboard('{Escape}')
  await expectCount(bar, 0)
  await links.filter({ hasText: 'Two' }).click({ modifiers: ['ControlOrMeta'] })
  await links.filter({ hasText: 'Four' }).click({ modifiers: ['Shift'] })
  await expect.element(bar).toMatchTextContent(/3 selected/)
  await bar.getByRole('button', { name: 'Tags' }).click()
  await makeTag('Numbers')
  await expectCount(rows.filter({ hasText: 'Numbers' }), 3)
  // when they are deleted, then the question says how many
  await bar.getByRole('button', { name: 'Delete' }).click()
  await expect.element(page.getByRole('alertdialog')).toMatchTextContent(/Delete 3 chats\?/)
  await page.getByRole('button', { name: 'Delete 3 chats' }).click()
  await expectTitles('Five', 'One')
  await expectCount(bar, 0)
  expect(asked).toEqual(['PATCH', 'DELETE'])
  await reload()
  await expectTitles('Five', 'One')
})

test('chats that the server does not delete stay in the list', async () => {
  await openChats('Porto', 'Lisbon')
  const server = window.fetch
  intercept(/\/api\/chats$/, ({ url, init }) => {
    if (init?.method === 'DELETE') throw new TypeError('Failed to fetch')
    return server(url, init)
  })
  await choose('Porto', 'Delete chat')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect.element(page.getByText('The server could not be reached')).toBeVisible()
  await expectTitles('Lisbon', 'Porto')
})

/** The browser tells late, as on a busy page: entries out of view come together with those in view. */
function tellLate(): void {
  const Real = window.IntersectionObserver
  window.IntersectionObserver = class extends Real {
    constructor(tell: IntersectionObserverCallback, options?: IntersectionObserverInit) {
      const seen: IntersectionObserverEntry[] = []
      super((entries, self) => {
        seen.push(...entries)
        if (seen.at(-1)?.isIntersecting) tell(seen.splice(0), self)
      }, options)
    }
  }
  onTestFinished(() => {
    window.IntersectionObserver = Real
  })
}

test('a long list comes page by page, says where one fails, and is found through', async () => {
  const names = Array.from({ length: 70 }, (_, at) => `Chat ${at + 1}`)
  tellLate()
  const chat = await openChats(...names)
  await expectCount(links, 50)
  // given a page that cannot be read
  const restore = intercept(/\/api\/chats\?cursor=/, () => {
    throw new TypeError('Failed to fetch')
  })
  links.last().element().scrollIntoView()
  const failed = list.getByRole('alert')
  await expect.element(failed).toMatchTextContent(/More chats could not be loaded\./)
  restore()
  await failed.getByRole('button', { name: 'Try again' }).click()
  await focus(links.first())
  await expect
    .poll(async () => {
      await userEvent.keyboard('{End}')
      return links.elements().at(-1)?.textContent
    })
    .toBe('Chat 1')
  await expectTitles(...names.toReversed())
  // when a title is typed, then the server finds it, and the place is kept while another chat is opened
  const search = page.getByRole('searchbox', { name: 'Filter chats by title' })
  await search.fill('chat 1')
  await expectCount(links, 11)
  await links.last().click()
  await expect.poll(() => location.pathname).toMatch(/^\/c\//)
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Chat 1')
  await expectCount(links, 11)
  // then all of them are meant by the selection, loaded or not
  await search.fill('')
  await expectCount(links, 50)
  await focus(links.first())
  await userEvent.keyboard(' ')
  await page.getByRole('button', { name: 'Select all 70' }).click()
  await expect.element(bar).toMatchTextContent(/70 selected/)
  await bar.getByRole('button', { name: 'Archive' }).click()
  await expect.element(list).toMatchTextContent(/Your chats will be listed here\./)
  await chat.undo()
  await expectCount(links, 50)
})

test('given more chats of agents than a page of the list holds, when all of them are archived, then the others stay', async () => {
  await storeChat('Mine')
  for (let at = 1; at <= 51; at++) {
    const branches = [{ name: 'main', says: turns('Mend the till') }]
    await givenChat({ title: `Till ${at}`, agent: 'claude-cli/2.1.197 (external, cli)', branches })
  }
  await openPage('/')
  await filter('Agents')
  await expectCount(links, 50)
  await focus(links.first())
  await userEvent.keyboard(' ')
  await page.getByRole('button', { name: 'Select all 51' }).click()
  await bar.getByRole('button', { name: 'Archive' }).click()
  const titles = async () =>
    ((await (await fetch('/api/chats')).json()).chats as { title: string }[]).map(({ title }) => title)
  await expect.poll(titles).toEqual(['Mine'])
})

test('on a phone, chats are selected by thumb', async () => {
  await onPhone()
  await openChats('One', 'Two', 'Three')
  await page.getByRole('button', { name: 'Open sidebar' }).click()
  await row('Two').getByRole('button', { name: 'More about Two' }).click()
  await page.getByRole('menuitem', { name: 'Select chats' }).click()
  await links.filter({ hasText: 'One' }).click()
  await expect.element(bar).toMatchTextContent(/2 selected/)
  await expectAccessible()
  expectNoSidewaysScroll()
  await bar.getByRole('button', { name: 'Archive' }).click()
  await expectTitles('Three')
})
