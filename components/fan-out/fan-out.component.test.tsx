import { expect, test } from 'vitest'
import { type Locator, page } from 'vitest/browser'
import { type ChatPage, css, expectCount, focus, press } from '@/testing/page/chat-page'
import { chatId, givenReply, onPhone, openChat, openPage, reload, turns } from '@/testing/page/given'
import { expectAccessible, lookInAllWays } from '@/testing/page/look'
import type { GivenReply } from '@/testing/page/serve-pages'

// One message to several models at once: the choice, the replies side by side, and the one that is kept.

const demo = /^Demo/
const other = /scripted/
/** a reply that begins, and goes on until it is stopped */
const endless: GivenReply = { text: 'From the other one, at length', hangAfter: 4 }

const columns = page.getByRole('region', { name: 'Replies side by side' })
const replies = columns.getByRole('article')
const dialog = page.getByRole('dialog', { name: 'Ask several models' })
const models = dialog.getByRole('list', { name: 'Models' })
const modelRow = (name: RegExp) => models.getByRole('group', { name })
const context = (name: RegExp) => dialog.getByRole('checkbox', { name })
const ended = (status: string) => replies.and(css(`[data-status="${status}"]`))
const click = (within: Locator, name: string | RegExp) =>
  within.getByRole('button', { name, exact: typeof name === 'string' }).click()

/** Chooses how often each model is asked, from three times the demo model, and sends. */
async function askFor({ demos, others = 0 }: { demos: number; others?: number }): Promise<void> {
  for (let count = 3; count > demos; count--) await click(modelRow(demo), /^One reply fewer/)
  for (let count = 0; count < others; count++) await click(modelRow(other), /^One reply more/)
  await click(dialog, `Ask for ${demos + others} replies`)
}

/** Writes a message in a new chat, and opens the choice of models for it. */
async function openChoice(text: string): Promise<ChatPage> {
  const chat = await openPage('/')
  const fanOut = page.getByRole('button', { name: 'Ask several models', exact: true })
  await expect.element(fanOut).toBeDisabled()
  await chat.box.fill(text)
  await fanOut.click()
  return chat
}

/** Has several replies asked for a message in a new chat. */
async function openFanOut(text: string, counts: { demos: number; others: number }): Promise<ChatPage> {
  const chat = await openChoice(text)
  await askFor(counts)
  await expectCount(replies, counts.demos + counts.others)
  return chat
}

test('given replies that are being written, then they grow together, each can be stopped, and all of them', async () => {
  await givenReply('Go on', endless)
  const chat = await openChoice('Go on')
  await lookInAllWays('fan-out-choice')
  await dialog.getByRole('radio', { name: 'Contexts · 1' }).click()
  await lookInAllWays('fan-out-contexts')
  await dialog.getByRole('radio', { name: 'Models · 3' }).click()
  await askFor({ demos: 1, others: 2 })
  const others = replies.filter({ hasText: 'From the other one' })
  await expectCount(others, 2)
  const [first, second] = [others.nth(0), others.nth(1)]
  await expectCount(ended('done'), 1)
  const status = columns.getByRole('status').first()
  await expect.element(status).toMatchTextContent(/^3 replies, 2 being written$/)
  await lookInAllWays('fan-out-columns')
  await page.viewport(1440, 900)

  await click(first, 'Stop')
  await expect.element(first).toHaveAttribute('data-status', 'stopped')
  await expect.element(second).toHaveAttribute('data-status', 'streaming')
  await click(columns, 'Stop all')
  await expect.element(second).toHaveAttribute('data-status', 'stopped')
  await expect.element(second).toMatchTextContent('From the other one')
  await expectCount(columns.getByRole('button', { name: 'Stop all' }), 0)
  await chat.settled()
  await lookInAllWays('fan-out-ended')
})

test('given replies that are being written, when another one is kept, then they are stopped and archived with that', async () => {
  await givenReply('Choose', endless)
  const chat = await openFanOut('Choose', { demos: 1, others: 2 })
  await expectCount(ended('done'), 1)
  await click(ended('done'), 'Keep this one')
  await expectCount(columns, 0)
  await chat.settled()
  await expect.element(chat.lastReply()).toMatchTextContent('Choose')
  await chat.undo()
  await expectCount(ended('stopped'), 2)
})

test('given a reply that fails, then its column says why, and it is asked for again there', async () => {
  await givenReply('Twice', {
    error: { status: 401, code: 'invalid_api_key', message: 'Incorrect API key' },
  })
  await openFanOut('Twice', { demos: 1, others: 1 })
  const [done, failed] = [replies.nth(0), replies.nth(1)]
  await expect.element(failed).toHaveAttribute('data-status', 'failed')
  await expect.element(failed.getByRole('alert')).toBeVisible()
  await expect.element(failed.getByRole('button', { name: 'Keep this one' })).toBeDisabled()
  await expect.element(done).toMatchTextContent('Twice')

  await givenReply('Twice', { text: 'Now it works.' })
  await click(failed, 'Try again')

  await expect.element(failed).toMatchTextContent('Now it works.')
  await expect.element(failed).toHaveAttribute('data-status', 'done')
  await expectCount(replies, 2)
})

test('given a reply, when it is fanned out by key, then its message has the replies side by side, and the old one stays where it was', async () => {
  const says = turns('I am devansh', 'what is 2+2')
  const chat = await openChat({ branches: [{ name: 'main', says }] })
  await focus(chat.lastReply())
  await press('o')
  await expect.element(dialog).toMatchTextContent('what is 2+2')
  await askFor({ demos: 2 })
  await expectCount(replies, 2)
  await chat.settled()
  await expectCount(replies.filter({ hasText: '4' }), 2)
  await chat.reads('main-v2')
  // the old one is a version of its own
  await chat.label('Main line').click()
  await expectCount(columns, 0)
  await expect.element(chat.lastReply().getByRole('button', { name: /^1 \/ 3/ })).toBeVisible()
})

test('given a message, when it goes to presets beside the context of its branch, then each column says in which it was asked, and another message goes to one of those contexts', async () => {
  const chat = await openChoice('what is 2+2')
  await dialog.getByRole('radio', { name: 'Contexts · 1' }).click()
  await expect.element(context(/^As on this branch/)).toBeChecked()
  await context(/^Tutor/).click()
  await context(/^Concise/).click()
  await expect
    .element(dialog)
    .toMatchTextContent('9 of at most 8 replies: 3 in each of 3 contexts is too many')
  await expect.element(dialog.getByRole('button', { name: 'Ask for 9 replies' })).toBeDisabled()
  await dialog.getByRole('radio', { name: 'Models · 3' }).click()
  await expect.element(modelRow(demo).getByRole('button', { name: /^One reply more/ })).toBeDisabled()
  for (let count = 3; count > 1; count--) await click(modelRow(demo), /^One reply fewer/)
  await click(dialog, 'Ask for 3 replies')

  await expectCount(replies, 3)
  await chat.settled()
  await expect.element(replies.nth(0)).toMatchTextContent('You are a helpful assistant.')
  await expect.element(replies.nth(1)).toMatchTextContent('You are a knowledgeable assistant')
  await expect.element(replies.nth(2)).toMatchTextContent('You are a patient tutor.')
  await expectAccessible()
  await reload()
  await expect.element(replies.nth(2)).toMatchTextContent('You are a patient tutor.')

  // when the reply is tried again in the context of another branch
  await click(columns, 'Keep all')
  await focus(chat.lastReply())
  await press('o')
  await click(modelRow(demo), /^One reply more/)
  await dialog.getByRole('radio', { name: 'Contexts · 1' }).click()
  await context(/patient tutor/).click()
  await context(/^As on this branch/).click()
  await click(dialog, 'Ask for 2 replies')
  await expectCount(replies, 2)
  await chat.settled()
  // then both were asked in it, so nothing tells them apart
  await expect.element(replies.nth(0)).not.toMatchTextContent('patient tutor')
  const { system } = await (await fetch(`/api/chats/${chatId()}/prompt?branch=main-v5`)).json()
  expect(system).toContain('You are a patient tutor.')
})

test('given the most replies at once, then no more can be chosen, and one alone is no fan-out', async () => {
  const chat = await openChoice('Many')
  for (let count = 3; count < 8; count++) await click(modelRow(demo), /^One reply more/)
  await expect.element(modelRow(demo).getByRole('button', { name: /^One reply more/ })).toBeDisabled()
  await expect.element(dialog).toMatchTextContent('8 of at most 8 replies')
  await expect.element(dialog).toMatchTextContent('Costs nothing.')
  for (let count = 8; count > 1; count--) await click(modelRow(demo), /^One reply fewer/)
  await expect.element(dialog.getByRole('button', { name: /^Ask for/ })).toBeDisabled()
  await expect.element(dialog).toMatchTextContent('choose at least 2')
  await press('Escape')
  await expectCount(dialog, 0)
  await expect.element(chat.box).toHaveValue('Many')
})

test('given three replies on a phone, then one is seen at a time, and the others are a swipe or a tap away; one is kept until Undo, or all, as versions', async () => {
  await onPhone()
  const chat = await openChoice('what is 2+2')
  await askFor({ demos: 3 })
  await chat.settled()
  await expect.element(chat.box).toHaveValue('')
  await reload()
  await expectCount(replies, 3)
  await expect.element(replies.first()).toHaveAttribute('aria-label', 'Reply 1 of 3, Demo')
  const inSight = () =>
    replies.elements().flatMap((column, at) => {
      const { left, right } = column.getBoundingClientRect()
      return left >= 0 && right <= innerWidth ? [at] : []
    })
  expect(inSight()).toEqual([0])
  await click(columns, /Reply 3/)
  await expect.poll(inSight).toEqual([2])
  await expectCount(
    columns.css('button[aria-current="true"]').and(page.getByRole('button', { name: 'Reply 3' })),
    1,
  )
  expect(document.documentElement.scrollWidth).toBe(innerWidth)
  await click(replies.nth(2), 'Keep this one')
  await expectCount(columns, 0)
  await expectCount(chat.messages, 2)
  await expect.element(page.getByText('Archived the 2 other replies')).toBeVisible()
  await chat.undo()
  await expectCount(replies, 3)

  await click(columns, 'Keep all')
  await expectCount(columns, 0)
  await reload()
  await page.getByRole('button', { name: 'Show the 3 replies side by side' }).click()
  await expectCount(replies, 3)
  // what is said below one of them goes on there
  await chat.send('what is 3+3')
  await chat.settled()
  await expectCount(columns, 0)
  await expectCount(chat.messages, 4)
})
