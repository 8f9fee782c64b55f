import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { type ChatPage, css, expectCount } from '@/testing/page/chat-page'
import { givenReply, goOn, openChat, openPage, reload, turns } from '@/testing/page/given'
import { lookInAllWays } from '@/testing/page/look'
import { act } from '@/testing/page/server'

// A person's messages of a branch are asked again on another, while the page watches or is closed.

const bar = page.getByRole('region', { name: 'Replay', exact: true })
const dialog = page.getByRole('dialog', { name: 'Ask everything again', exact: true })
const sums = ['what is 1+1', 'what is 2+2', 'what is 3+3', 'what is 4+4']

const openTurns = (...texts: string[]): Promise<ChatPage> =>
  openChat({ branches: [{ name: 'main', says: turns(...texts) }] })

/** Opens the dialog from a message of the thread. */
async function askFrom(chat: ChatPage, text: string): Promise<void> {
  await chat.said(text).hover()
  await chat.more(chat.said(text), 'Ask everything again…')
  // the server has said what it comes to
  await expect.element(dialog.getByText(/tokens in and/)).toBeVisible()
}

const begin = () => dialog.getByRole('button', { name: /^Ask \d+ messages? again/ }).click()

/** Begins with the scripted model in place of the chat's. */
async function beginElsewhere(): Promise<void> {
  await dialog.getByRole('combobox', { name: 'Model' }).click()
  await page.getByRole('option', { name: /scripted/ }).click()
  await begin()
}

/** Counts the requests in which the scripted model was asked something. */
const timesAsked = async (text: string): Promise<number> =>
  JSON.stringify(await act('asked')).split(`"${text}"`).length - 1

test('given a branch, when it is replayed from a message in other words, then a new branch answers all of it, and is compared turn by turn', async () => {
  const chat = await openTurns(...sums)
  await expectCount(chat.messages, 8)
  await askFrom(chat, 'what is 2+2')
  const from = dialog.getByRole('combobox', { name: 'From' })
  await expect.element(from).toHaveTextContent('2 · what is 2+2')
  await expect.element(from).toHaveFocus()
  await lookInAllWays('replay-dialog')
  await dialog.getByRole('button', { name: 'Edit the first message' }).click()
  const first = dialog.getByRole('textbox', { name: 'First message' })
  await expect.element(first).toHaveValue('what is 2+2')
  await first.fill('what is 2+20')
  await begin()
  // then
  await chat.reads('main-v2')
  await expect.element(bar.getByText('Replayed 3 messages')).toBeVisible()
  await expectCount(chat.messages, 8)
  const asked = chat.texts('user').map((text) => text.split('\n').at(-1))
  expect(asked).toEqual(['what is 1+1', 'what is 2+20', 'what is 3+3', 'what is 4+4'])
  await expectCount(chat.message('2 + 20 = 22'), 1)
  // when
  await bar.getByRole('link', { name: 'Compare with the original' }).click()
  await expect.poll(() => location.search).toBe('?left=main&right=main-v2')
  // then every question stands beside its own
  const questionOf = (row: Element, side: string) =>
    row.querySelector(`article[data-side="${side}"][data-role="user"]`)?.textContent?.includes('what is')
  await expect
    .poll(() =>
      css('[data-row]')
        .elements()
        .map((row) => [questionOf(row, 'left'), questionOf(row, 'right')])
        .filter(([left, right]) => left || right),
    )
    .toEqual(Array.from({ length: 3 }, () => [true, true]))
})

test('given a replay under way, when its page is left, then the server goes on to the end', async () => {
  await givenReply('what about Sintra', { text: 'Take the train.', holdAfter: 1 })
  const chat = await openTurns('what is 1+1', 'what about Sintra', 'what is 3+3')
  await askFrom(chat, 'what is 1+1')
  await beginElsewhere()
  await expect.element(bar.getByText('Replaying 2 of 3')).toBeVisible()
  const replays = `/api${location.pathname.replace('/c/', '/chats/')}/replays`
  await openPage('/settings/about')
  await goOn('what about Sintra')
  await expect.poll(async () => (await (await fetch(replays)).json()).replays[0].status).toBe('done')
})

test('given a question whose reply fails, then the replay pauses and says why, is taken up again, and is stopped', async () => {
  await givenReply('say never', { error: { status: 401, code: 'invalid_api_key' } })
  const chat = await openTurns('what is 1+1', 'say never', 'what is 3+3')
  // from the branch, by the keyboard
  await expect.element(chat.graph.getByRole('radiogroup', { name: 'Graph layout' })).toBeVisible()
  await userEvent.keyboard('{Control>}k{/Control}')
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  await palette.getByRole('combobox').fill('replay Main line')
  await expect
    .element(palette.getByRole('option').first())
    .toMatchTextContent('Ask everything on Main line again')
  await userEvent.keyboard('{Enter}')
  await expect.element(dialog.getByText(/tokens in and/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Edit the first message' }).click()
  await expect.element(dialog.getByRole('textbox', { name: 'First message' })).toHaveValue('what is 1+1')
  await lookInAllWays('replay-dialog-edited')
  await beginElsewhere()
  await expect.element(bar.getByText('Replay paused at 2 of 3')).toBeVisible()
  await expect.element(bar.getByText(/Question 2 has no reply/)).toBeVisible()
  expect(await timesAsked('say never')).toBe(1)
  // the graph says so too
  await expect.element(chat.graph.getByText(/2 of 3/).first()).toBeInTheDocument()
  await lookInAllWays('replay-paused')
  await bar.getByRole('button', { name: 'Go on' }).click()
  await expect.poll(() => timesAsked('say never')).toBe(2)
  await expect.element(bar.getByRole('button', { name: 'Go on' })).toBeEnabled()
  // it is there when the page opens again
  await reload()
  await expect.element(bar.getByText('Replay paused at 2 of 3')).toBeVisible()
  await bar.getByRole('button', { name: 'Stop the replay' }).click()
  await expect.element(bar.getByText('Replay stopped at 2 of 3')).toBeVisible()
  await lookInAllWays('replay-stopped')
  await bar.getByRole('button', { name: 'Dismiss' }).click()
  await expectCount(bar, 0)
})
