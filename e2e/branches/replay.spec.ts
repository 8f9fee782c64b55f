import type { Page } from '@playwright/test'
import type { ReplayReport } from '@/lib/protocol'
import { type OpenAIServer, startOpenAIServer, textOf } from '@/testing/machines/openai-server'
import { type ChatPage, hydrated } from '../support/chat-page'
import { seedTurns } from '../support/openings'
import { look, onEveryScreen, picture } from '../support/screens'
import { expect, providerPort, test } from '../support/test'

// A person's messages of a branch are asked again on another, while the page watches or is closed.

const bar = (page: Page) => page.getByRole('region', { name: 'Replay', exact: true })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Replay', exact: true })

/** Answers with another model: a question with "slowly" in it takes a second, one with "never" fails. */
const MODEL = /scripted/
let provider: OpenAIServer
test.beforeEach(async () => {
  provider = await startOpenAIServer({
    port: providerPort(),
    answer: ({ messages }) => {
      const question = textOf(messages.at(-1) ?? { role: 'user' })
      if (question.includes('never')) return { error: { status: 401, code: 'invalid_api_key' } }
      const text = `The other model on “${question}”, in its own words.`
      return question.includes('slowly') ? { text, delayMs: 150 } : text
    },
  })
})
test.afterEach(() => provider.close())

/** Chooses the other model in the dialog. */
async function chooseModel(page: Page) {
  await dialog(page).getByRole('combobox', { name: 'Model' }).click()
  await page.getByRole('option', { name: MODEL }).click()
}

const sums = ['what is 1+1', 'what is 2+2', 'what is 3+3', 'what is 4+4']

/** Opens the dialog from a message of the thread. */
async function askFrom(chat: ChatPage, text: string) {
  const { page } = chat
  await chat.said(text).hover()
  await chat.said(text).getByRole('button', { name: 'More actions' }).click()
  await chat.menuItem('Replay…').click()
  await expect(dialog(page)).toBeVisible()
  // the server has said what it comes to
  await expect(dialog(page).getByText(/tokens in and/)).toBeVisible()
}

const begin = (page: Page) =>
  dialog(page)
    .getByRole('button', { name: /^Replay \d+ message/ })
    .click()

async function replaysOf(page: Page, chatId: string): Promise<ReplayReport['replays']> {
  const answer = await page.request.get(`/api/chats/${chatId}/replays`)
  return ((await answer.json()) as ReplayReport).replays
}

test('given a branch, when it is replayed from a message in other words, then a new branch answers all of it, and is compared turn by turn', async ({
  chat,
  page,
}) => {
  const chatId = await seedTurns(chat, sums)
  await chat.open(`/c/${chatId}`)
  await expect(chat.messages).toHaveCount(8)
  await askFrom(chat, 'what is 2+2')
  await expect(dialog(page).getByRole('combobox', { name: 'From' })).toContainText('2 · what is 2+2')
  await dialog(page).getByRole('button', { name: 'Edit the first message' }).click()
  const first = dialog(page).getByRole('textbox', { name: 'First message' })
  await expect(first).toHaveValue('what is 2+2')
  await first.fill('what is 2+20')
  await begin(page)
  // then
  await chat.reads('main-v2')
  await expect(bar(page).getByText('Replayed 3 messages')).toBeVisible()
  await expect(chat.messages).toHaveCount(8)
  const asked = await chat.texts('user')
  expect(asked.map((text) => text.split('\n').at(-1))).toEqual([
    ...['what is 1+1', 'what is 2+20', 'what is 3+3', 'what is 4+4'],
  ])
  await expect(chat.message('2 + 20 = 22')).toHaveCount(1)
  // when
  await bar(page).getByRole('link', { name: 'Compare with the original' }).click()
  await expect(page).toHaveURL(/compare\?left=main&right=main-v2/)
  const rows = page.locator('[data-row]')
  await expect(rows.first()).toBeVisible()
  const beside = await rows.evaluateAll((all) =>
    all.map((row) =>
      ['left', 'right'].map(
        (side) =>
          row
            .querySelector(`article[data-side="${side}"][data-role="user"]`)
            ?.textContent?.includes('what is') ?? null,
      ),
    ),
  )
  // every question stands beside its own
  expect(beside.filter(([left, right]) => left !== null || right !== null)).toEqual([
    ...Array.from({ length: 3 }, () => [true, true]),
  ])
})

test('given a replay under way, when its page is closed, then the server goes on to the end', async ({
  chat,
  page,
  context,
}) => {
  const chatId = await seedTurns(chat, ['what is 1+1', 'say slowly 2', 'what is 3+3'])
  await chat.open(`/c/${chatId}`)
  await askFrom(chat, 'what is 1+1')
  await chooseModel(page)
  await begin(page)
  await expect(bar(page)).toBeVisible()
  const other = await context.newPage()
  await page.close()
  await expect.poll(async () => (await replaysOf(other, chatId))[0]?.status).toBe('done')
})

test('given a question whose reply fails, then the replay pauses and says why, is taken up again, and is stopped', async ({
  chat,
  page,
}) => {
  const chatId = await seedTurns(chat, ['what is 1+1', 'say never', 'what is 3+3'])
  await chat.open(`/c/${chatId}`)
  // from the branch, by the keyboard, once the graph offers what can be done with it
  await expect(chat.graph.getByRole('radiogroup', { name: 'Graph layout' })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  await palette.getByRole('combobox').fill('replay main')
  await expect(palette.getByRole('option').first()).toContainText('Replay')
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByText(/tokens in and/)).toBeVisible()
  await chooseModel(page)
  await begin(page)
  await expect(bar(page).getByText('Replay paused at 2 of 3')).toBeVisible()
  await expect(bar(page).getByText(/Question 2 has no reply/)).toBeVisible()
  // the graph says so too
  await expect(chat.graph.getByText(/2 of 3/).first()).toBeAttached()
  await bar(page).getByRole('button', { name: 'Go on' }).click()
  await expect
    .poll(
      async () =>
        (await replaysOf(page, chatId))[0]?.status === 'paused' &&
        (await bar(page).getByRole('button', { name: 'Go on' }).isEnabled()),
    )
    .toBe(true)
  // the page survives a reload
  await chat.reload()
  await expect(bar(page).getByText('Replay paused at 2 of 3')).toBeVisible()
  // the bar comes after the box
  const stop = bar(page).getByRole('button', { name: 'Stop the replay' })
  await hydrated(stop)
  await stop.click()
  await expect(bar(page).getByText('Replay stopped at 2 of 3')).toBeVisible()
  await bar(page).getByRole('button', { name: 'Dismiss' }).click()
  await expect(bar(page)).toHaveCount(0)
})

onEveryScreen((screen) => {
  test('the dialog, a replay under way, paused and done', async ({ chat, page }) => {
    const slow = [...sums.slice(0, 3), 'What about Sintra, slowly?', 'And never again?']
    const chatId = await seedTurns(chat, slow)
    await chat.open(`/c/${chatId}`)
    await askFrom(chat, 'what is 3+3')
    await look(page, 'replay-dialog', screen)
    await dialog(page).getByRole('combobox', { name: 'From' }).selectOption({ index: 0 })
    await dialog(page).getByRole('button', { name: 'Edit the first message' }).click()
    await expect(dialog(page).getByRole('textbox', { name: 'First message' })).not.toBeEmpty()
    await look(page, 'replay-dialog-edited', screen)
    await chooseModel(page)
    await begin(page)
    await expect(bar(page).getByText('Replaying 4 of 5')).toBeVisible()
    // without axe: in the outline the words of a reply under way run past the name of its row
    await picture(page, `replay-running-${screen.suffix}`)
    await expect(bar(page).getByText('Replay paused at 5 of 5')).toBeVisible()
    await look(page, 'replay-paused', screen)
    await bar(page).getByRole('button', { name: 'Stop the replay' }).click()
    await expect(bar(page).getByText('Replay stopped at 5 of 5')).toBeVisible()
    await look(page, 'replay-stopped', screen)
  })
})
