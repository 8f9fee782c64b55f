import { expect, test } from 'vitest'
import { type Locator, page } from 'vitest/browser'
import { type ChatPage, css, expectCount, expectHidden, focus, press } from '@/testing/page/chat-page'
import { givenChat, givenSample, openPage, sendElsewhere, turns } from '@/testing/page/given'
import { lookInAllWays } from '@/testing/page/look'

// Two branches side by side. The way there, to a message, and back again is in e2e/branches/compare.spec.ts.

const messages = css('article[data-side]')
const left = css('article[data-side="left"]')
const right = css('article[data-side="right"]')
const shared = css('article:not([data-side])')
const common = page.getByRole('button', { name: /messages in common/ })
const branchOf = (side: 'Left' | 'Right') =>
  page.getByRole('combobox', { name: `${side} branch`, exact: true })
const option = (name: string) => page.getByRole('option', { name, exact: true })

async function openComparison(path: string, one: string, other: string): Promise<ChatPage> {
  const chat = await openPage(`${path}/compare?left=${one}&right=${other}`)
  await expect.element(page.getByRole('heading', { name: 'Compare', exact: true })).toBeVisible()
  return chat
}

const openSample = async (one: string, other: string) => openComparison(await givenSample(), one, other)

const plan = (train: string, time: string, where: string) =>
  `Day two, by **${train}**:\n\n| When | What |\n|---|---|\n| ${time} | out of town |\n| 18:00 | back for dinner |\n\n- walk along the ${where}\n- rest the knee\n\n\`\`\`sh\nbook --seats 2 --to ${where}\n\`\`\``

/** A chat whose two branches ask and answer almost the same; its path. */
async function givenTwins(): Promise<string> {
  const [one, other] = [plan('train', '9:30', 'coast'), plan('night bus', '7:15', 'river and the coast')]
  const reply = (says: string, inputTokens: number) => ({
    says,
    metadata: { usage: { inputTokens, outputTokens: 30 } },
  })
  const id = await givenChat({
    branches: [
      { name: 'main', says: [...turns('We begin together'), { id: 'q2', says: one }, reply(one, 1200)] },
      { name: 'main-v2', instead: 'q2', says: [other, reply(other, 90)] },
    ],
  })
  return `/c/${id}`
}

const textsOf = (all: Locator) => all.elements().map((message) => (message as HTMLElement).innerText.trim())

const boxOf = (locator: Locator) => locator.element().getBoundingClientRect()

test('given a chat with branches, when two are compared, then the messages they share are one line and the rest stands side by side', async () => {
  const chat = await openPage(await givenSample())
  await chat.ofChat('Compare')
  await expect.element(branchOf('Left')).toMatchTextContent('Gentle pace')

  // when another branch is chosen, and the same question was asked in other words
  await branchOf('Right').click()
  await option('Vegetarian').click()
  await expect.element(branchOf('Right')).toMatchTextContent('Vegetarian')
  await expect.poll(() => location.search).toMatch(/right=Vegetarian/)
  const asked = right.filter({ hasText: 'One of us is vegetarian' })
  await expect.element(asked.css('ins')).toMatchTextContent(/^One of us is vegetarian\.$/)
  const beside = left.filter({ hasText: 'Where do we have dinner?' })
  await expectCount(beside.css('del'), 0)
  expect(boxOf(beside).y).toBe(boxOf(asked).y)
  expect(boxOf(beside).right).toBeLessThanOrEqual(boxOf(asked).x)

  // then the messages they share are one line, which opens
  await expect.element(common).toHaveAttribute('aria-expanded', 'false')
  const before = messages.elements().length
  await common.click()
  await expect.element(common).toHaveAttribute('aria-expanded', 'true')
  await expectCount(shared, Number(common.element().textContent?.match(/\d+/)?.[0]))
  await expectCount(messages, before)
  await expect.element(page.getByText('Both have the same context.')).toBeVisible()
  await lookInAllWays('compare-common')
})

test('given replies that are almost equal, then the words each has alone are marked in the rendered text', async () => {
  await openComparison(await givenTwins(), 'main', 'main-v2')
  const [mine, other] = [left.last(), right.last()]
  await expect.element(other.css('ins').first()).toBeVisible()
  await expect.element(other.css('strong ins')).toMatchTextContent(/^night bus$/)
  await expect.element(mine.css('strong del')).toMatchTextContent(/^train$/)
  await expect.element(mine.css('td del')).toMatchTextContent(/^9:30$/)
  await expect.element(other.css('td ins')).toMatchTextContent(/^7:15$/)
  await expect.element(other.css('pre ins')).toMatchTextContent(/^river and the$/)
  await expectCount(mine.css('ins'), 0)
  await expectCount(other.css('del'), 0)
  await expectCount(mine.getByRole('row'), 3)
  // a mark is more than a colour
  const line = (words: Locator) => getComputedStyle(words.element()).textDecorationStyle
  expect([line(mine.css('td del')), line(other.css('td ins'))]).toEqual(['dashed', 'solid'])
  for (const cost of ['1,200 tokens read, 30 written', '90 tokens read, 30 written']) {
    await expect.element(page.getByText(cost, { exact: true })).toBeVisible()
  }
  await lookInAllWays('compare-words')
})

test('given a comparison, when the sides are swapped, then each is where the other was, and so is the address', async () => {
  await openSample('main', 'Beach day')
  // messages out of view are plain text until they are drawn
  await expect.element(messages.first()).toBeVisible()
  for (const message of messages.elements()) message.scrollIntoView()
  await expect.element(messages.getByRole('table').first()).toBeInTheDocument()
  const [one, other] = [textsOf(left), textsOf(right)]
  expect(one.length).toBeGreaterThan(1)

  await page.getByRole('button', { name: 'Swap sides' }).click()

  await expect.element(branchOf('Left')).toMatchTextContent('Beach day')
  await expect.poll(() => location.search).toMatch(/left=Beach\+day&right=main/)
  await expect.poll(() => textsOf(left)).toEqual(other)
  await expect.poll(() => textsOf(right)).toEqual(one)
})

test('given a narrow window, then one side is seen at a time', async () => {
  await openSample('Gentle pace', 'Vegetarian')
  await expect.element(left.first()).toBeVisible()
  await lookInAllWays('compare-open')
  await page.viewport(390, 844)
  await expectHidden(right)
  await page.getByRole('radio', { name: /^Right/ }).click()
  await expect.element(right.first()).toBeVisible()
  await expectHidden(left)
  await expect.element(page.getByRole('textbox', { name: 'Continue on vegetarian' })).toBeVisible()
  await lookInAllWays('compare-other')
})

test('given a branch that moved on meanwhile, when it is continued, then nothing is sent until the reader has seen it; then the reader lands there', async () => {
  const chat = await openSample('main', 'Beach day')
  await sendElsewhere('Said elsewhere', { branch: 'Beach day' })
  const box = page.getByRole('textbox', { name: 'Continue on Beach day' })
  const there = right.filter({ hasText: 'Said elsewhere' })
  await box.fill('repeat: and where do we swim?')
  await press('Enter')
  await expect.element(page.getByRole('alert').filter({ hasText: 'moved on' })).toBeVisible()
  await expect.element(box).toHaveFocus()
  await expectCount(there, 0)
  await page.getByRole('button', { name: 'Show the new messages' }).click()
  await expect.element(there.first()).toBeVisible()
  await expect.element(box).toHaveValue('repeat: and where do we swim?')
  await page.getByRole('button', { name: 'Send on Beach day' }).click()
  await chat.reads('Beach day')
  await expect.element(chat.said('and where do we swim?')).toBeVisible()
  await chat.settled()
  await expect.element(chat.lastReply()).toMatchTextContent('and where do we swim?')
  await expect.element(chat.lastReply()).toHaveAttribute('data-status', 'done')
  await expect.element(chat.branch()).toMatchTextContent('Beach day')
})

test('given the keyboard alone, then it goes through both sides, branches, and reaches every choice', async () => {
  const chat = await openSample('Gentle pace', 'Beach day')
  await expect.element(left.first()).toBeVisible()
  await press('j')
  await expect.element(left.first()).toHaveFocus()
  await press('ArrowRight')
  await expect.element(right.first()).toHaveFocus()
  await press('j')
  await expect.element(right.nth(1)).toHaveFocus()
  await press('k')
  await expect.element(right.first()).toHaveFocus()
  await focus(branchOf('Left'))
  await press('Enter')
  await expect.element(option('Gentle pace')).toHaveFocus()
  await press('Home')
  await expect.element(option('Main line')).toHaveFocus()
  await press('Enter')
  await expect.element(branchOf('Left')).toMatchTextContent('Main line')
  await focus(right)
  await press('b')
  await chat.reads('Beach day-v2')
})

test('given a chat with one branch, or one branch twice, then the page says so; without names, the branch it opens on stands beside that it came from', async () => {
  const path = `/c/${await givenChat({ branches: [{ name: 'main', says: turns('Hello') }] })}`
  await openPage(`${path}/compare?left=main`)
  await expect.element(page.getByText('This chat has one branch')).toBeVisible()
  await openPage(`${path}/compare?left=main&right=main`)
  await expect.element(page.getByText('Both sides are the same branch')).toBeVisible()
  await lookInAllWays('compare-same')
  await openPage(`${await givenSample()}/compare`)
  await expect.element(branchOf('Left')).toMatchTextContent('Gentle pace')
  await expect.element(branchOf('Right')).toMatchTextContent('Main line')
})

test('given long sides, then the first messages are there, and more are loaded on demand', async () => {
  const questions = Array.from({ length: 30 }, (_, turn) => `Question ${turn}`)
  const id = await givenChat({
    branches: [
      { name: 'main', says: turns('Where we begin', ...questions) },
      { name: 'main-v2', instead: 'q2', says: ['Question 0 again', 'Noted.'] },
    ],
  })
  await openComparison(`/c/${id}`, 'main', 'main-v2')
  const more = page.getByRole('button', { name: 'Load more' })
  await expectCount(left, 20)
  await expectCount(right, 2)
  await more.click()
  await expectCount(left, 60)
  await expectCount(more, 0)
  await expect.element(left.filter({ hasText: /Question 29/ }).first()).toBeVisible()
})
