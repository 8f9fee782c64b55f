import { expect, test } from 'vitest'
import { type Locator, page, userEvent } from 'vitest/browser'
import { css, expectCount, focus } from '@/testing/page/chat-page'
import { givenChat, intercept, openChat, openPage, openSample, turns } from '@/testing/page/given'
import { lookInAllWays } from '@/testing/page/look'

// Messages found by their words: the dialog, and where a hit leads.

const dialog = page.getByRole('dialog', { name: 'Search' })
const box = dialog.getByRole('combobox')
const hits = dialog.getByRole('option')

async function openSearch(): Promise<void> {
  await page.getByRole('button', { name: 'Search', exact: true }).first().click()
  await expect.element(box).toHaveFocus()
}

async function searchFor(words: string): Promise<void> {
  await box.fill(words)
  await expectCount(dialog.css('[aria-busy="true"]'), 0)
}

/** The message is in the part of the thread that can be seen. */
async function expectInView(message: Locator): Promise<void> {
  await expect.element(message).toBeInViewport()
  await expect.element(message).toHaveFocus()
  await expectCount(page.getByRole('dialog'), 0)
}

test('given a message on another branch, when it is found and opened, then the thread stands at it and the graph lights its path', async () => {
  const chat = await openSample()
  const { pathname } = location
  await openSearch()
  await searchFor('vegetarian')
  // its copy stands on a branch that brings several together
  const hit = hits
    .filter({ hasText: 'One of us is vegetarian' })
    .filter({ hasNotText: /The whole plan|Name of/ })
  await expect.element(hit.css('mark')).toHaveTextContent('vegetarian')
  await expect.element(hit).toMatchTextContent(/You/)
  const id = hit.element().getAttribute('data-message-id')
  await hit.click()
  await chat.reads('Vegetarian')
  expect([location.pathname, new URLSearchParams(location.search).get('at')]).toEqual([pathname, id])
  await expectInView(css(`article[data-message-id="${id}"]`))
  await expect.element(chat.branch()).toMatchTextContent(/Vegetarian/)
  await expect.element(chat.here).toHaveAccessibleName(expect.stringMatching(/small plates one/))
})

test('given a chat elsewhere, when a message of it is opened by keyboard, then its page stands at it', async () => {
  await openSample()
  const sample = location.pathname
  const chat = await openChat({ branches: [{ name: 'main', says: turns('Say nothing of Cascais, please') }] })
  await focus(chat.lastReply())
  await userEvent.keyboard('/')
  await expect.element(box).toHaveFocus()
  await searchFor('casc')
  // a message of a moment ago is found too, in its own chat
  await expectCount(dialog.getByRole('group'), 2)
  const wanted = hits
    .elements()
    .findIndex(({ textContent }) => textContent.includes('Forty minutes by train'))
  expect(wanted).toBeGreaterThanOrEqual(0)
  await userEvent.keyboard('{ArrowDown}'.repeat(wanted))
  const active = dialog.css('[role="option"][aria-selected="true"]')
  await expect.element(active).toMatchTextContent(/Forty minutes by train/)
  expect(box.element().getAttribute('aria-activedescendant')).toBe(active.element().id)
  await userEvent.keyboard('{Enter}')
  await chat.reads('Beach day')
  expect(location.pathname).toBe(sample)
  await expectInView(chat.message('Forty minutes by train'))
})

test('given a long chat, when its beginning is found and opened, then only messages around it are loaded, and the end is one click away', async () => {
  const later = Array.from({ length: 79 }, (_, at) => `Count to ${at + 1}`)
  const chat = await openChat({ branches: [{ name: 'main', says: turns('a wren in the hedge', ...later) }] })
  await openSearch()
  await searchFor('wren')
  await hits.filter({ hasText: 'You' }).click()
  const first = chat.messages.first()
  await expect.element(first).toMatchTextContent(/a wren in the hedge/)
  await expectInView(first)
  expect(chat.messages.elements().length).toBeLessThan(110)
  await page.getByRole('button', { name: 'Jump to latest' }).click()
  await expect.element(chat.lastReply()).toMatchTextContent(/79/)
  await expect.element(chat.lastReply()).toBeInViewport()
  await expect.element(first).not.toMatchTextContent(/a wren in the hedge/)
  await chat.send('repeat: and a robin')
  await expect.element(chat.lastReply()).toMatchTextContent(/and a robin/)
  await chat.settled()
})

test('given filters, when they are set, then only this chat, and only one voice, is searched', async () => {
  await openSample()
  await openChat({ branches: [{ name: 'main', says: turns('sardines') }] })
  await openSearch()
  await lookInAllWays('search-empty')
  await searchFor('sardines')
  await expectCount(dialog.getByRole('group'), 2)
  await lookInAllWays('search-found')
  const choose = (name: string) => dialog.getByRole('radio', { name }).click()
  await choose('This chat')
  await expectCount(dialog.getByRole('group'), 1)
  await expectCount(hits, 2)
  for (const voice of ['You', 'Assistant']) {
    await choose(voice)
    await expectCount(hits, 1)
    await expect.element(hits).toMatchTextContent(new RegExp(voice))
  }
  await searchFor('azulejo')
  await expect.element(dialog.getByText('No message says')).toBeVisible()
  await lookInAllWays('search-nothing')
  await dialog.getByRole('button', { name: 'Search everything' }).click()
  await expect.element(dialog.getByRole('radio', { name: 'All chats' })).toBeChecked()
  await expect.element(dialog.getByRole('radio', { name: 'Anyone' })).toBeChecked()
})

test('given an answer that is late, or none, then the older answer is not shown, and the page says so and tries again', async () => {
  await openSample()
  const asked: string[] = []
  const held = Promise.withResolvers<void>()
  const server = window.fetch
  intercept(/\/api\/search\?/, async ({ url, init }) => {
    const words = new URL(url, location.href).searchParams.get('q') ?? ''
    asked.push(words)
    if (words === 'lisbon') await held.promise
    if (words === 'tram' && asked.filter((other) => other === 'tram').length === 1)
      throw new TypeError('Failed to fetch')
    return server(url, init)
  })
  await openSearch()
  await box.fill('lisbon')
  await expect.poll(() => asked).toEqual(['lisbon'])
  await expect.element(dialog.getByRole('status', { name: 'Searching' })).toBeVisible()
  await searchFor('sintra')
  await expect.element(hits.first()).toMatchTextContent(/Sintra/)
  held.resolve()
  await expect.element(hits.first()).toMatchTextContent(/Sintra/)
  await box.fill('tram')
  await expect.element(dialog.getByRole('alert')).toMatchTextContent(/could not be reached/)
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await expect.element(hits.first()).toMatchTextContent(/tram/)
  expect(asked).toEqual(['lisbon', 'sintra', 'tram', 'tram'])
})

test('given words of another person, or none at all, when searched, then nothing is found and the visitor gets no session', async () => {
  await givenChat({ branches: [{ name: 'main', says: turns('periwinkle') }] })
  await fetch('/api/auth/sign-out', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  const chat = await openPage('/')
  await openSearch()
  await box.fill('periwinkle')
  await expect.element(dialog.getByText('Nothing has been said here yet.')).toBeVisible()
  expect(await (await fetch('/api/auth/get-session')).json()).toBeNull()
  await userEvent.keyboard('{Escape}')
  await chat.ask('Hello')
  await openSearch()
  await searchFor('periwinkle')
  await expect.element(dialog.getByText('No message says')).toBeVisible()
})
