import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { type ChatPage, css, expectCount, press } from '@/testing/page/chat-page'
import {
  givenReply,
  goOn,
  intercept,
  openChat,
  openFork,
  openPage,
  reload,
  scripted,
  signInAnew,
  signOut,
  turns,
} from '@/testing/page/given'
import { expectAccessible } from '@/testing/page/look'

// The page keeps unsent words: across reloads, per branch, and while a reply is being written.
// A page that ends while it sends is in e2e/thread/drafts.spec.ts.

const waiting = page.getByRole('list', { name: 'Waiting messages' })
const holds = (chat: ChatPage, text: string) => expect.element(chat.box).toHaveValue(text)

/** A chat whose reply is being written, and a message that waits for its end. */
async function openWaiting(next = 'what is my name'): Promise<ChatPage> {
  const chat = await openChat({ model: scripted, branches: [{ name: 'main', says: turns('I am devansh') }] })
  await givenReply('count', { text: 'one two three four', holdAfter: 2 })
  await chat.send('count')
  await expect.element(css('article[data-status="streaming"]')).toMatchTextContent('one two')
  await chat.send(next)
  await expect.element(waiting).toMatchTextContent('Waiting: sends when the reply ends')
  return chat
}

test('a draft survives a reload and a visit elsewhere, per branch, until it is sent', async () => {
  const chat = await openFork()
  const path = location.pathname
  await chat.box.fill('a thought on main-v2')
  await chat.label('Main line').click()
  await chat.reads('main')
  await holds(chat, '')
  await chat.box.fill('a thought on main')
  await chat.label('what is 3+3').click()
  await holds(chat, 'a thought on main-v2')
  await reload()
  await holds(chat, 'a thought on main-v2')
  await openPage('/')
  await holds(chat, '')
  await openPage(`${path}?branch=main`)
  await holds(chat, 'a thought on main')
  // when it is sent, then nothing is left of it
  await chat.box.click()
  await press('Enter')
  await expectCount(chat.messages, 6)
  await chat.settled()
  await reload()
  await expectCount(chat.messages, 6)
  await holds(chat, '')
})

test('a draft of a new chat is kept, goes along to a branch that is opened, and no other person sees it', async () => {
  const chat = await openPage('/')
  await chat.box.fill('not yet')
  await reload()
  await holds(chat, 'not yet')
  await chat.ask('I am devansh')
  await chat.box.fill('half a thought')
  const reply = chat.messages.nth(1)
  await reply.hover()
  await reply.getByRole('button', { name: 'Branch from here' }).click()
  await expect.element(page.getByText('continues from here')).toBeVisible()
  await holds(chat, 'half a thought')
  await chat.undo()
  await holds(chat, 'half a thought')
  // another person in the same browser
  await openPage('/')
  await chat.box.fill('my own')
  await signInAnew()
  await reload()
  await holds(chat, '')
})

test('a message sent during a reply waits, can be changed, and leaves when the reply ends', async () => {
  const chat = await openWaiting()
  await expect.element(waiting).toMatchTextContent('what is my name')
  await holds(chat, '')
  // it can be taken back into the box, and removed
  await waiting.getByRole('button', { name: 'Edit the waiting message' }).click()
  await expectCount(waiting, 0)
  await holds(chat, 'what is my name')
  await chat.box.click()
  await press('Enter')
  await waiting.getByRole('button', { name: 'Remove the waiting message' }).click()
  await expectCount(waiting, 0)
  await chat.undo()
  await expect.element(waiting).toMatchTextContent('what is my name')
  // and is sent once the reply is there
  await goOn('count')
  await expect.element(chat.said('what is my name')).toBeVisible()
  await expectCount(waiting, 0)
  await chat.settled()
  await expectCount(chat.messages, 6)
  await expect.element(chat.lastReply()).toMatchTextContent('Noted: what is my name')
})

test('two messages sent during a reply stay two: each is changed by itself, and leaves in its turn', async () => {
  const chat = await openWaiting('who am I')
  await givenReply('who am I', { text: 'You are devansh', holdAfter: 2 })
  await chat.send('and where do I live')
  const [first, second] = [waiting.getByRole('listitem').nth(0), waiting.getByRole('listitem').nth(1)]
  await expect.element(first).toMatchTextContent('who am I')
  await expect.element(second).toMatchTextContent('Waiting: sends after the one aboveand where do I live')
  // when the first is changed, then it keeps its place
  await first.getByRole('button', { name: 'Edit the waiting message' }).click()
  await expectCount(waiting.getByRole('listitem'), 1)
  await holds(chat, 'who am I')
  await chat.box.click()
  await press('Enter')
  await expect.element(first).toMatchTextContent('who am I')
  await second.getByRole('button', { name: 'Remove the waiting message' }).click()
  await expectCount(waiting.getByRole('listitem'), 1)
  await chat.undo()
  await expect.element(second).toMatchTextContent('and where do I live')
  await reload()
  await expectCount(waiting.getByRole('listitem'), 2)
  // when the reply ends, then the first leaves and the second waits for its reply
  await goOn('count')
  await expect.element(chat.said('who am I')).toBeVisible()
  await expectCount(waiting.getByRole('listitem'), 1)
  await expect.element(waiting).toMatchTextContent('Waiting: sends when the reply ends')
  await expect.element(css('article[data-status="streaming"]')).toMatchTextContent('You are')
  await goOn('who am I')
  await expect.element(chat.said('and where do I live')).toBeVisible()
  await expectCount(waiting, 0)
  await chat.settled()
  await expectCount(chat.messages, 8)
  await expect.element(chat.lastReply()).toMatchTextContent('Noted: and where do I live')
})

test('a message that was not stored holds back the one behind it', async () => {
  const chat = await openWaiting()
  await chat.send('and where do I live')
  await expectCount(waiting.getByRole('listitem'), 2)
  const restore = intercept(/\/api\/chat$/, async () =>
    Response.json({ error: { code: 'overloaded', message: 'Full.' } }, { status: 503 }),
  )
  await goOn('count')
  await holds(chat, 'what is my name')
  await expect.element(waiting).toMatchTextContent('Not sent: there was no reply')
  await expectCount(chat.said('and where do I live'), 0)
  restore()
})

test('a message that waits survives a reload, and is kept when the reply is stopped', async () => {
  const chat = await openWaiting()
  await reload()
  await expect.element(waiting).toMatchTextContent('Waiting: sends when the reply ends')
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect.element(waiting).toMatchTextContent('Not sent: the reply was stopped')
  await expectCount(chat.said('what is my name'), 0)
  await expectAccessible()
  await waiting.getByRole('button', { name: 'Send now' }).click()
  await expect.element(chat.said('what is my name')).toBeVisible()
  await expectCount(waiting, 0)
  await chat.settled()
  await expectCount(chat.messages, 6)
})

/** Messages that are sent never reach the server, or their answers never the page. */
function lose(what: 'request' | 'answer') {
  const { fetch } = window
  const lost = Promise.withResolvers<void>()
  const restore = intercept(/\/api\/chat$/, async ({ url, init }) => {
    if (what === 'answer') await fetch(url, init)
    lost.resolve()
    return new Promise<never>(() => undefined)
  })
  return { one: lost.promise, restore }
}

test('a message whose page is left before the server has it is in the box again, and is stored once', async () => {
  const chat = await openChat({ branches: [{ name: 'main', says: turns('I am devansh') }] })
  const request = lose('request')
  await chat.send('what is my name')
  await request.one
  await chat.box.fill('written since')
  await reload()
  await holds(chat, 'what is my name\n\nwritten since')
  await expectCount(chat.messages, 2)
  request.restore()

  // when the answer is lost, then the server has it
  const answer = lose('answer')
  await chat.send('count to 5')
  await answer.one
  await chat.box.fill('written since')
  answer.restore()
  await reload()
  await expect.element(chat.said('count to 5')).toBeVisible()
  await holds(chat, 'written since')
  await chat.settled()
  await reload()
  await expectCount(chat.messages, 4)
  await holds(chat, 'written since')
})

test('the first message of a visitor is in the box of a new chat when it did not arrive, and nowhere when it did', async () => {
  await signOut()
  const chat = await openPage('/')
  const request = lose('request')
  await chat.send('I am devansh')
  await request.one
  // what a visitor has written is the guest's that the visitor has become
  const keys = () => Object.keys(localStorage).filter((key) => key.startsWith('ramify-draft:visitor'))
  await expect.poll(keys).toEqual([])
  await openPage('/')
  await holds(chat, 'I am devansh')
  request.restore()

  const answer = lose('answer')
  await chat.box.click()
  await press('Enter')
  await answer.one
  answer.restore()
  await openPage('/')
  await holds(chat, '')
  await page.getByRole('link', { name: 'I am devansh' }).first().click()
  await expectCount(chat.messages, 2)
  await chat.settled()
})
