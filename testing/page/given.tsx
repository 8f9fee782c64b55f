import { toast } from 'sonner'
import { expect, onTestFinished } from 'vitest'
import { cdp, page } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import { noteNewVersion } from '@/components/app/new-version'
import { announce, takeBackToast } from '@/components/app/toasts'
import { App, readView } from './app'
import { ChatPage, expectCount, focus } from './chat-page'
import type { GivenChat } from './plant-chat'
import type { GivenReply } from './serve-pages'
import { act, action } from './server'

/** Nothing of a page is left, as when a browser leaves it: no words about its last move either. */
export async function leavePage(): Promise<void> {
  await cleanup()
  takeBackToast()
  announce('')
  noteNewVersion(false)
  toast.dismiss()
}

const authenticate = (path: string): Promise<Response> =>
  fetch(`/api/auth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })

/** The browser has no session any more: a visitor, who becomes a guest with the first message. */
export const signOut = (): Promise<Response> => authenticate('sign-out')

/** Makes the person in the browser another one, a new guest; what the browser remembers stays. */
export async function signInAnew(): Promise<void> {
  await signOut()
  const answer = await authenticate('sign-in/anonymous')
  if (!answer.ok) throw new Error(`No guest was made: ${answer.status} ${await answer.text()}`)
}

/** Opens the page at a path, as after a load. */
export async function openPage(path: string): Promise<ChatPage> {
  await leavePage()
  history.replaceState(null, '', path)
  const view = await readView(path)
  await render(<App first={view} />)
  await expect.element(page.getByRole('main')).toBeInTheDocument()
  return new ChatPage()
}

/** Opens the page anew where it is: what is kept of it is what the server and the browser keep. */
export const reload = (): Promise<ChatPage> => openPage(`${location.pathname}${location.search}`)

/** Stores a chat for the person of the test; returns its id. */
export async function givenChat(chat: GivenChat): Promise<string> {
  return (await act('plant', { chat })).chatId
}

/** Stores a chat and opens it; on another branch than it opens on when `branch` says so. */
export async function openChat(chat: GivenChat, { branch }: { branch?: string } = {}): Promise<ChatPage> {
  const id = await givenChat(chat)
  if (chat.model) localStorage.setItem('ramify-model', chat.model)
  return openPage(`/c/${id}${branch ? `?branch=${branch}` : ''}`)
}

/** Opens the sample conversation; on another branch than it opens on when `branch` says so. */
export async function openSample({ branch }: { branch?: string } = {}): Promise<ChatPage> {
  return openPage(`${await givenSample()}${branch ? `?branch=${branch}` : ''}`)
}

/** Words of a person, each with a short answer: the turns of a branch. Messages are `q1`, `a1`, `q2`, … */
export const turns = (...texts: string[]) =>
  texts.flatMap((says, at) => [
    { id: `q${at + 1}`, says },
    { id: `a${at + 1}`, says: `Noted: ${says}` },
  ])

/** Two turns on `main`, and another second turn on `main-v2`, which is read. */
export const forkedChat: GivenChat = {
  branches: [
    {
      name: 'main',
      says: [...turns('I am devansh'), { id: 'q2', says: 'what is 2+2' }, { id: 'a2', says: 'That is 4.' }],
    },
    { name: 'main-v2', instead: 'q2', says: [{ id: 'q3', says: 'what is 3+3' }, 'That is 6.'] },
  ],
}

/** Opens the forked chat, its graph as a map, the focus where it is when a chat has opened. */
export async function openFork({
  model,
  ...options
}: {
  branch?: string
  model?: string
} = {}): Promise<ChatPage> {
  const chat = await openChat({ ...forkedChat, ...(model && { model }) }, options)
  await chat.draw('Map')
  await expectCount(chat.nodes, 6)
  await focus(chat.box)
  return chat
}

/** Gives the sample conversation to the person of the test; returns its path. */
export const givenSample = async (): Promise<string> =>
  `/c/${(await action('createSample', {})).value.chatId}`

/** The id of the chat that is open. */
export const chatId = (): string => location.pathname.split('/')[2] ?? ''

/** Sends a message to the chat that is open as another page or a script does, and waits until its reply is stored. */
export async function sendElsewhere(text: string, more: object = {}): Promise<void> {
  const message = { id: crypto.randomUUID(), role: 'user', parts: [{ type: 'text', text }] }
  const answer = await fetch('/api/chat', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: chatId(), message, ...more }),
  })
  expect(answer.status).toBe(200)
  await answer.text()
}

/** The model called `scripted` answers these words so from now on. */
export const givenReply = (to: string, reply: GivenReply): Promise<void> => act('reply', { to, ...reply })

/** Lets a reply that waits (`holdAfter`) go on. */
export const goOn = (to: string): Promise<void> => act('goOn', { to })

export const scripted = 'openai-compatible:scripted'

/** Answers requests whose address matches in place of the server, until the test ends or the returned function is called. */
export function intercept(
  address: RegExp,
  answer: (request: { url: string; init?: RequestInit | undefined }) => Response | Promise<Response>,
): () => void {
  const real = window.fetch
  const mine: typeof fetch = (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    return address.test(url) ? Promise.resolve().then(() => answer({ url, init })) : real(input, init)
  }
  window.fetch = mine
  const restore = () => {
    if (window.fetch === mine) window.fetch = real
  }
  onTestFinished(restore)
  return restore
}

const phone = { width: 390, height: 844 }

/**
 * The window of a phone, which is touched: no pointer hovers. Before the page is opened. The page's own media queries are
 * answered so: the browser's emulation of touch leaves it without a pointer for all tests that follow.
 */
export async function onPhone(): Promise<void> {
  await page.viewport(phone.width, phone.height)
  const touched = (query: string) =>
    query.replaceAll('(hover: none)', '(width > 0)').replaceAll('(hover: hover)', '(width < 0)')
  const real = window.matchMedia
  window.matchMedia = (query) => real.call(window, touched(query))
  const changed = new Map<MediaList, string>()
  const change = (rules: CSSRuleList) => {
    for (const rule of rules) {
      if (rule instanceof CSSMediaRule && touched(rule.media.mediaText) !== rule.media.mediaText) {
        changed.set(rule.media, rule.media.mediaText)
        rule.media.mediaText = touched(rule.media.mediaText)
      }
      if ('cssRules' in rule) change(rule.cssRules as CSSRuleList)
    }
  }
  for (const sheet of document.styleSheets) change(sheet.cssRules)
  onTestFinished(() => {
    window.matchMedia = real
    for (const [media, text] of changed) media.mediaText = text
  })
}

/**
 * Media features of the browser, as a person's system sets them: `prefers-color-scheme`, `prefers-reduced-motion`. Motion is
 * reduced unless a test is about it: nothing is caught on its way, and nothing has to be waited for.
 */
export async function emulate(features: Record<string, string>): Promise<void> {
  const all = Object.entries({ 'prefers-reduced-motion': 'reduce', ...features })
  await cdp().send('Emulation.setEmulatedMedia', { features: all.map(([name, value]) => ({ name, value })) })
  if (Object.keys(features).length > 0) onTestFinished(() => emulate({}))
}
