import { expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { css } from '@/testing/page/chat-page'
import { givenChat, givenReply, goOn, openPage, reload, scripted, turns } from '@/testing/page/given'
import { expectAccessible } from '@/testing/page/look'

// A reply that ends in a chat that is not on the screen is marked in the list and in the title of the window until the chat is read.

const row = (title: string) =>
  page.getByRole('navigation', { name: 'Your chats' }).getByRole('link', { name: title })

/** The page is out of sight from now on, and in sight when called with `false`. */
function hide(hidden: boolean): void {
  Object.defineProperty(document, 'hidden', { configurable: true, value: hidden })
  document.dispatchEvent(new Event('visibilitychange'))
}

async function askInLisbon() {
  const says = turns('Hello')
  await givenChat({ title: 'Porto', branches: [{ name: 'main', says }] })
  const id = await givenChat({ title: 'Lisbon', model: scripted, branches: [{ name: 'main', says }] })
  await givenReply('and then?', { text: 'Then the tram to Belem', holdAfter: 2 })
  const chat = await openPage(`/c/${id}`)
  await chat.send('and then?')
  await expect.element(chat.lastReply()).toMatchTextContent('Then the')
  return chat
}

test('given a reply on its way, when its chat is left and the reply ends, then list and window say so until it is read', async () => {
  const chat = await askInLisbon()
  await row('Porto').click()
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Porto')
  await expect.element(row('Lisbon , new reply')).not.toBeInTheDocument()
  await goOn('and then?')
  await expect.element(row('Lisbon , new reply')).toBeVisible()
  expect(document.title).toBe('● Porto · Ramify')
  await expectAccessible()
  // when it is opened, then nothing is new
  await row('Lisbon').click()
  await expect.element(chat.lastReply()).toMatchTextContent('Then the tram to Belem')
  await expect.element(row('Lisbon , new reply')).not.toBeInTheDocument()
  await expect.poll(() => document.title).toBe('Lisbon · Ramify')
})

test('given a reply on its way, when the page is loaded again on another chat and the reply ends, then list and window say so', async () => {
  await askInLisbon()
  await row('Porto').click()
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Porto')
  await reload()
  await expect.element(row('Lisbon')).toBeVisible()
  await goOn('and then?')
  await expect.element(row('Lisbon , new reply'), { timeout: 10_000 }).toBeVisible()
  expect(document.title).toBe('● Porto · Ramify')
})

test('given a window out of sight, when a reply ends in it, then a notification that was allowed opens the chat', async () => {
  const shown: { title: string; body: string | undefined }[] = []
  class Shown {
    static permission = 'granted'
    constructor(title: string, { body }: NotificationOptions) {
      shown.push({ title, body })
    }
  }
  vi.stubGlobal('Notification', Shown)
  vi.spyOn(document, 'hasFocus').mockReturnValue(false)
  localStorage.setItem('ramify-notify', 'on')
  onTestFinished(() => {
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
    localStorage.removeItem('ramify-notify')
    hide(false)
  })
  await askInLisbon()
  hide(true)
  await goOn('and then?')
  await expect.poll(() => document.title).toBe('● Lisbon · Ramify')
  expect(shown).toEqual([{ title: 'Lisbon', body: 'New reply' }])
  // when the window is looked at, then it is read
  hide(false)
  await expect.poll(() => document.title).toBe('Lisbon · Ramify')
  await expect(css('[data-chat] [title="New reply"]').elements()).toHaveLength(0)
})

test('notifications are asked for by their switch alone, and a browser that blocks them is told of', async () => {
  const ask = vi.fn(async () => 'denied')
  vi.stubGlobal('Notification', Object.assign(class {}, { permission: 'default', requestPermission: ask }))
  onTestFinished(() => void vi.unstubAllGlobals())
  await openPage('/settings/appearance')
  const toggle = page.getByRole('switch', { name: 'Notifications' })
  await expect.element(toggle).toHaveAttribute('aria-checked', 'false')
  expect(ask).not.toHaveBeenCalled()
  await toggle.click()
  await expect.element(page.getByText('This browser blocks them.')).toBeVisible()
  await expect.element(toggle).toHaveAttribute('aria-checked', 'false')
  expect(ask).toHaveBeenCalledOnce()
})
