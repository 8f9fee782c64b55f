import type { Locator, Page } from '@playwright/test'
import {
  type OpenAIServer,
  openAIErrors,
  type ScriptedReply,
  startOpenAIServer,
} from '@/testing/machines/openai-server'
import type { ChatPage } from '../support/chat-page'
import { seedTurns } from '../support/openings'
import { expectAccessible, look, onEveryScreen, phone, picture, sidewaysScroll } from '../support/screens'
import { expect, providerPort, test } from '../support/test'

// One message to several models at once: the choice, the replies side by side, and the one that is kept.

let provider: OpenAIServer
/** its replies begin, and go on until they are stopped */
const endless: ScriptedReply = { text: 'From the other one, at length', hangAfter: 4 }
let answer: ScriptedReply
test.beforeAll(async () => {
  provider = await startOpenAIServer({ port: providerPort(), answer: () => answer })
})
test.beforeEach(() => {
  answer = endless
})
test.afterAll(() => provider.close())

const demo = /^Demo/
const other = /scripted/

const columns = (page: Page) => page.getByRole('region', { name: 'Replies side by side' })
const replies = (page: Page) => columns(page).getByRole('article')
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Fan out' })
const press = (within: Locator, name: string | RegExp) =>
  within.getByRole('button', { name, exact: typeof name === 'string' }).click()

/** Chooses how often each model is asked, from three times the demo model, and sends. */
async function askFor(page: Page, { demos, others = 0 }: { demos: number; others?: number }): Promise<void> {
  const models = dialog(page).getByRole('list', { name: 'Models' })
  const row = (name: RegExp) => models.getByRole('group', { name })
  for (let count = 3; count > demos; count--) await press(row(demo), /^One reply fewer/)
  for (let count = 0; count < others; count++) await press(row(other), /^One reply more/)
  await press(dialog(page), `Ask for ${demos + others} replies`)
}

/** Writes a message and has several replies asked for. */
async function fanOut(chat: ChatPage, text: string, counts: Parameters<typeof askFor>[1]): Promise<void> {
  await chat.box.fill(text)
  await chat.page.getByRole('button', { name: 'Fan out', exact: true }).click()
  await askFor(chat.page, counts)
  await expect(replies(chat.page)).toHaveCount(counts.demos + (counts.others ?? 0))
}

test('given a new chat, when its first message goes to the demo model three times, then three replies stand side by side, and one is kept until Undo', async ({
  chat,
  page,
}) => {
  await chat.open()
  await expect(page.getByRole('button', { name: 'Fan out', exact: true })).toBeDisabled()

  await fanOut(chat, 'what is 2+2', { demos: 3 })

  await chat.settled()
  await expect(chat.box).toHaveValue('')
  await expect(chat.said('what is 2+2')).toHaveCount(1)
  await expect(replies(page).filter({ hasText: '4' })).toHaveCount(3)
  await expect(replies(page).first()).toHaveAttribute('aria-label', 'Reply 1 of 3, Demo')
  await expectAccessible(page)
  // when they are looked at again
  await chat.reload()
  await expect(replies(page)).toHaveCount(3)
  await expect(replies(page).filter({ hasText: '4' })).toHaveCount(3)

  // when one is kept
  await press(replies(page).nth(1), 'Keep this one')
  await expect(columns(page)).toHaveCount(0)
  await expect(chat.messages).toHaveCount(2)
  await chat.reads('main-v2')
  await expect(page.getByText('Archived the 2 other replies')).toBeVisible()
  // then one Undo brings the others back
  await chat.undo()
  await expect(replies(page)).toHaveCount(3)

  // when all are kept, then the thread shows one, and the others are its versions
  await press(columns(page), 'Keep all')
  await expect(columns(page)).toHaveCount(0)
  await expect(chat.lastReply().getByRole('button', { name: /^1 \/ 3/ })).toBeVisible()
  await chat.reload()
  await expect(chat.lastReply()).toBeVisible()
  await page.getByRole('button', { name: 'Show the 3 replies side by side' }).click()
  await expect(replies(page)).toHaveCount(3)

  // when something is said below one of them, then the thread goes on there
  await chat.box.fill('what is 3+3')
  await chat.box.press('Enter')
  await expect(columns(page)).toHaveCount(0)
  await chat.settled()
  await expect(chat.messages).toHaveCount(4)
})

test('given replies that are being written, then they grow together, each can be stopped, and all of them', async ({
  chat,
  page,
}) => {
  await chat.open()
  await fanOut(chat, 'Go on', { demos: 1, others: 2 })
  const others = replies(page).filter({ hasText: 'From the other one' })
  await expect(others).toHaveCount(2)
  const [first, second] = [others.nth(0), others.nth(1)]
  await expect(replies(page).and(page.locator('[data-status="done"]'))).toHaveCount(1)
  await expect(columns(page).getByRole('status').first()).toHaveText('3 replies, 2 being written')

  await press(first, 'Stop')
  await expect(first).toHaveAttribute('data-status', 'stopped')
  await expect(second).toHaveAttribute('data-status', 'streaming')
  await press(columns(page), 'Stop all')
  await expect(second).toHaveAttribute('data-status', 'stopped')
  await expect(second).toContainText('From the other one')
  await expect(columns(page).getByRole('button', { name: 'Stop all' })).toHaveCount(0)
})

test('given replies that are being written, when another one is kept, then they are stopped and archived with that', async ({
  chat,
  page,
}) => {
  await chat.open()
  await fanOut(chat, 'Choose', { demos: 1, others: 2 })
  const done = replies(page).and(page.locator('[data-status="done"]'))
  await expect(done).toHaveCount(1)
  await press(done, 'Keep this one')
  await expect(columns(page)).toHaveCount(0)
  await chat.settled()
  await expect(chat.lastReply()).toContainText('Choose')
  await chat.undo()
  await expect(replies(page).and(page.locator('[data-status="stopped"]'))).toHaveCount(2)
})

test('given a reply that fails, then its column says why, and it is asked for again there', async ({
  chat,
  page,
}) => {
  answer = { error: openAIErrors.badKey() }
  await chat.open()
  await fanOut(chat, 'Twice', { demos: 1, others: 1 })
  const [done, failed] = [replies(page).nth(0), replies(page).nth(1)]
  await expect(failed).toHaveAttribute('data-status', 'failed')
  await expect(failed.getByRole('alert')).toBeVisible()
  await expect(failed.getByRole('button', { name: 'Keep this one' })).toBeDisabled()
  await expect(done).toContainText('Twice')

  answer = 'Now it works.'
  await press(failed, 'Try again')

  await expect(failed).toContainText('Now it works.')
  await expect(failed).toHaveAttribute('data-status', 'done')
  await expect(replies(page)).toHaveCount(2)
})

test('given a reply, when it is fanned out by key, then its message has the replies side by side, and the old one stays where it was', async ({
  chat,
  page,
}) => {
  const chatId = await seedTurns(chat, ['I am devansh', 'what is 2+2'])
  await chat.open(`/c/${chatId}`)
  await chat.lastReply().focus()
  await page.keyboard.press('o')
  await expect(dialog(page)).toContainText('what is 2+2')
  await askFor(page, { demos: 2 })
  await expect(replies(page)).toHaveCount(2)
  await chat.settled()
  await expect(replies(page).filter({ hasText: '4' })).toHaveCount(2)
  await chat.reads('main-v2')
  // the old one is a version of its own
  await chat.label('main').click()
  await expect(columns(page)).toHaveCount(0)
  await expect(chat.lastReply().getByRole('button', { name: /^1 \/ 3/ })).toBeVisible()
})

test('given a message, when it goes to presets beside the context of its branch, then each column says in which it was asked, and another message goes to one of those contexts', async ({
  chat,
  page,
}) => {
  await chat.open()
  await chat.box.fill('what is 2+2')
  await page.getByRole('button', { name: 'Fan out', exact: true }).click()
  const row = dialog(page).getByRole('group', { name: demo })
  await dialog(page).getByRole('radio', { name: 'Contexts · 1' }).click()
  const context = (name: RegExp) => dialog(page).getByRole('checkbox', { name })
  await expect(context(/^As on this branch/)).toBeChecked()
  await context(/^Tutor/).check()
  await context(/^Concise/).check()
  await expect(dialog(page)).toContainText('9 of at most 8 replies: 3 in each of 3 contexts is too many')
  await expect(dialog(page).getByRole('button', { name: 'Ask for 9 replies' })).toBeDisabled()
  await dialog(page).getByRole('radio', { name: 'Models · 3' }).click()
  await expect(row.getByRole('button', { name: /^One reply more/ })).toBeDisabled()
  for (let count = 3; count > 1; count--) await press(row, /^One reply fewer/)
  await press(dialog(page), 'Ask for 3 replies')

  await expect(replies(page)).toHaveCount(3)
  await chat.settled()
  await expect(replies(page).nth(0)).toContainText('You are a helpful assistant.')
  await expect(replies(page).nth(1)).toContainText('You are a knowledgeable assistant')
  await expect(replies(page).nth(2)).toContainText('You are a patient tutor.')
  await expectAccessible(page)
  await chat.reload()
  await expect(replies(page).nth(2)).toContainText('You are a patient tutor.')

  // when the reply is tried again in the context of another branch
  await press(columns(page), 'Keep all')
  await chat.lastReply().focus()
  await page.keyboard.press('o')
  await press(row, /^One reply more/)
  await dialog(page).getByRole('radio', { name: 'Contexts · 1' }).click()
  await context(/patient tutor/).check()
  await context(/^As on this branch/).uncheck()
  await press(dialog(page), 'Ask for 2 replies')
  await expect(replies(page)).toHaveCount(2)
  await chat.settled()
  // then both were asked in it, so nothing tells them apart
  await expect(replies(page).nth(0)).not.toContainText('patient tutor')
  const chatId = new URL(page.url()).pathname.split('/').at(-1)
  const { system } = await (await page.request.get(`/api/chats/${chatId}/prompt?branch=main-v5`)).json()
  expect(system).toContain('You are a patient tutor.')
})

test('given the most replies at once, then no more can be chosen, and one alone is no fan-out', async ({
  chat,
  page,
}) => {
  await chat.open()
  await chat.box.fill('Many')
  await page.getByRole('button', { name: 'Fan out', exact: true }).click()
  const row = dialog(page).getByRole('group', { name: demo })
  for (let count = 3; count < 8; count++) await press(row, /^One reply more/)
  await expect(row.getByRole('button', { name: /^One reply more/ })).toBeDisabled()
  await expect(dialog(page)).toContainText('8 of at most 8 replies')
  await expect(dialog(page)).toContainText('Costs nothing.')
  for (let count = 8; count > 1; count--) await press(row, /^One reply fewer/)
  await expect(dialog(page).getByRole('button', { name: /^Ask for/ })).toBeDisabled()
  await expect(dialog(page)).toContainText('choose at least 2')
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await expect(chat.box).toHaveValue('Many')
})

test.describe('on a phone', () => {
  test.use(phone)

  test('given three replies, then one is seen at a time, and the others are a swipe or a tap away', async ({
    chat,
    page,
  }) => {
    await chat.open()
    await chat.box.fill('what is 2+2')
    await page.getByRole('button', { name: 'Fan out', exact: true }).tap()
    await askFor(page, { demos: 3 })
    await chat.settled()
    await expect(replies(page)).toHaveCount(3)
    const inSight = () =>
      replies(page).evaluateAll((all) =>
        all.flatMap((column, at) => {
          const { left, right } = column.getBoundingClientRect()
          return left >= 0 && right <= innerWidth ? [at] : []
        }),
      )
    expect(await inSight()).toEqual([0])
    await columns(page).getByRole('button', { name: 'Reply 3' }).tap()
    await expect.poll(inSight).toEqual([2])
    await expect(columns(page).getByRole('button', { name: 'Reply 3' })).toHaveAttribute(
      'aria-current',
      'true',
    )
    expect(await sidewaysScroll(page)).toBe(0)
    await replies(page).nth(2).getByRole('button', { name: 'Keep this one' }).tap()
    await expect(columns(page)).toHaveCount(0)
    await expect(chat.messages).toHaveCount(2)
  })
})

onEveryScreen((screen) => {
  test('the choice of models and the replies side by side', async ({ chat, page }) => {
    await chat.open()
    await chat.box.fill('what is 2+2')
    await page.getByRole('button', { name: 'Fan out', exact: true }).click()
    await expect(dialog(page)).toBeVisible()
    await look(page, 'fan-out-choice', screen)
    await dialog(page).getByRole('radio', { name: 'Contexts · 1' }).click()
    await look(page, 'fan-out-contexts', screen)
    await dialog(page).getByRole('radio', { name: 'Models · 3' }).click()
    await askFor(page, { demos: 1, others: 2 })
    await expect(replies(page).filter({ hasText: 'From the other one' })).toHaveCount(2)
    await picture(page, `fan-out-columns-${screen.suffix}`)
    expect(await sidewaysScroll(page)).toBe(0)
    await press(columns(page), 'Stop all')
    await chat.settled()
    await look(page, 'fan-out-ended', screen)
  })
})
