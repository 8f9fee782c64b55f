import type { Locator, Page } from '@playwright/test'
import { type ChatPage, hydrated } from '../support/chat-page'
import { openSample, seedFork, seedTurns, sendTurn, userMessage } from '../support/openings'
import { look, onEveryScreen } from '../support/screens'
import { expect, otherPerson, test } from '../support/test'

/** The compare page as a person meets it. */
class ComparePage {
  readonly messages: Locator
  readonly left: Locator
  readonly right: Locator

  constructor(readonly page: Page) {
    this.messages = page.locator('article[data-side]')
    this.left = page.locator('article[data-side="left"]')
    this.right = page.locator('article[data-side="right"]')
  }

  async open(chatPath: string, left: string, right: string): Promise<void> {
    // the page may still be on its way to the chat
    await this.page.waitForLoadState('networkidle')
    await this.page.goto(`${chatPath}/compare?left=${left}&right=${right}`)
    await expect(this.page.getByRole('heading', { name: 'Compare', exact: true })).toBeVisible()
    await hydrated(this.branch('Left'))
  }

  branch(side: 'Left' | 'Right'): Locator {
    return this.page.getByRole('combobox', { name: `${side} branch`, exact: true })
  }

  async choose(side: 'Left' | 'Right', branch: string): Promise<void> {
    await this.branch(side).click()
    await this.page.getByRole('option', { name: branch, exact: true }).click()
    await expect(this.branch(side)).toContainText(branch)
  }
}

const plan = (train: string, time: string, where: string) =>
  `repeat: Day two, by **${train}**:\n\n| When | What |\n|---|---|\n| ${time} | out of town |\n| 18:00 | back for dinner |\n\n- walk along the ${where}\n- rest the knee\n\n\`\`\`sh\nbook --seats 2 --to ${where}\n\`\`\``

/** Makes a chat whose two branches ask and answer almost the same; returns its path. */
async function seedTwins(chat: ChatPage): Promise<string> {
  const id = await seedTurns(chat, ['We begin together', plan('train', '9:30', 'coast')])
  await seedFork(chat, id, plan('night bus', '7:15', 'river and the coast'))
  return `/c/${id}`
}

const textsOf = (messages: Locator) => messages.allInnerTexts().then((all) => all.map((text) => text.trim()))

test('given a chat with branches, when two are compared, then the messages they share are one line and the rest stands side by side', async ({
  chat,
  page,
}) => {
  const path = await openSample(chat)
  await page.getByRole('button', { name: 'Compare branches', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`${path}/compare\\?left=`))
  const compare = new ComparePage(page)
  await expect(compare.branch('Left')).toContainText('gentle-pace')

  // when another branch is chosen, and the same question was asked in other words
  await compare.choose('Right', 'vegetarian')
  await expect(page).toHaveURL(/right=vegetarian/)
  const asked = compare.right.filter({ hasText: 'One of us is vegetarian' })
  await expect(asked.locator('ins')).toHaveText('One of us is vegetarian.')
  const beside = compare.left.filter({ hasText: 'Where do we have dinner?' })
  await expect(beside.locator('del')).toHaveCount(0)
  const [one, other] = [await beside.boundingBox(), await asked.boundingBox()]
  expect(one?.y).toBe(other?.y)
  expect((one?.x ?? 0) + (one?.width ?? 0)).toBeLessThanOrEqual(other?.x ?? 0)

  // then the messages they share are one line, which opens
  const common = page.getByRole('button', { name: /messages in common/ })
  await expect(common).toHaveAttribute('aria-expanded', 'false')
  const before = await compare.messages.count()
  await common.click()
  await expect(common).toHaveAttribute('aria-expanded', 'true')
  const count = Number((await common.innerText()).match(/\d+/)?.[0])
  await expect(page.locator('article:not([data-side])')).toHaveCount(count)
  await expect(compare.messages).toHaveCount(before)
  await expect(page.getByText('Both have the same context.')).toBeVisible()
})

test('given replies that are almost equal, then the words each has alone are marked in the rendered text', async ({
  chat,
  page,
}) => {
  const path = await seedTwins(chat)
  const compare = new ComparePage(page)
  await compare.open(path, 'main', 'main-v2')
  const [left, right] = [compare.left.last(), compare.right.last()]

  await expect(right.locator('ins').first()).toBeVisible()
  await expect(right.locator('strong ins')).toHaveText('night bus')
  await expect(left.locator('strong del')).toHaveText('train')
  await expect(left.locator('td del')).toHaveText('9:30')
  await expect(right.locator('td ins')).toHaveText('7:15')
  await expect(right.locator('pre ins')).toHaveText('river and the')
  await expect(left.locator('ins')).toHaveCount(0)
  await expect(right.locator('del')).toHaveCount(0)
  await expect(left.getByRole('row')).toHaveCount(3)
  // a mark is more than a colour
  const line = (words: Locator) => words.evaluate((element) => getComputedStyle(element).textDecorationStyle)
  expect(await line(left.locator('td del'))).toBe('dashed')
  expect(await line(right.locator('td ins'))).toBe('solid')
  await expect(page.getByText(/tokens read/)).toHaveCount(2)
})

test('given a comparison, when the sides are swapped, then each is where the other was, and so is the address', async ({
  chat,
  page,
}) => {
  const path = await openSample(chat)
  const compare = new ComparePage(page)
  await compare.open(path, 'main', 'beach-day')
  // messages out of view are plain text until they are drawn
  for (const message of await compare.messages.all()) await message.scrollIntoViewIfNeeded()
  await expect(compare.messages.getByRole('table').first()).toBeAttached()
  const [left, right] = [await textsOf(compare.left), await textsOf(compare.right)]
  expect(left.length).toBeGreaterThan(1)

  await page.getByRole('button', { name: 'Swap sides' }).click()

  await expect(compare.branch('Left')).toContainText('beach-day')
  await expect(page).toHaveURL(/left=beach-day&right=main/)
  await expect.poll(() => textsOf(compare.left)).toEqual(right)
  await expect.poll(() => textsOf(compare.right)).toEqual(left)
})

test('given one side, when it is continued there, then the message is sent on that branch and the reader lands there', async ({
  chat,
  page,
}) => {
  const path = await openSample(chat)
  const compare = new ComparePage(page)
  await compare.open(path, 'main', 'beach-day')
  const box = page.getByRole('textbox', { name: 'Continue on beach-day' })
  await box.fill('repeat: and where do we swim?')
  await box.press('Enter')

  await expect(page).toHaveURL(new RegExp(`${path}\\?branch=beach-day`))
  await expect(chat.said('and where do we swim?')).toBeVisible()
  await expect(chat.lastReply()).toContainText('and where do we swim?')
  await chat.settled()
  await expect(chat.lastReply()).toHaveAttribute('data-status', 'done')
  await expect(chat.branch()).toContainText('beach-day')
})

test('given a branch that moved on meanwhile, when it is continued, then the page says so, nothing is sent, and the words stay', async ({
  chat,
  page,
  context,
}) => {
  const path = await openSample(chat)
  const compare = new ComparePage(page)
  await compare.open(path, 'main', 'beach-day')
  await sendTurn(context.request, path.slice(3), userMessage('Said elsewhere'), { branch: 'beach-day' })
  const box = page.getByRole('textbox', { name: 'Continue on beach-day' })
  await box.fill('Said here')
  await box.press('Enter')

  await expect(page.getByRole('alert').filter({ hasText: 'moved on' })).toBeVisible()
  await expect(box).toBeFocused()
  await expect(compare.right.filter({ hasText: 'Said elsewhere' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Show the new messages' }).click()
  await expect(compare.right.filter({ hasText: 'Said elsewhere' }).first()).toBeVisible()
  await expect(box).toHaveValue('Said here')
  await page.getByRole('button', { name: 'Send on beach-day' }).click()
  await expect(page).toHaveURL(/branch=beach-day/)
  await expect(chat.said('Said here')).toBeVisible()
})

test('given a message of either side, when it is opened or branched from, then the chat stands there, and undo comes back', async ({
  chat,
  page,
}) => {
  const path = await openSample(chat)
  const compare = new ComparePage(page)
  await compare.open(path, 'main', 'beach-day')
  const message = compare.right.filter({ hasText: 'Forty minutes by train' })
  await message.hover()
  await message.getByRole('link', { name: 'Open', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`${path}\\?branch=beach-day&at=`))
  await expect(chat.message('Forty minutes by train')).toBeInViewport()

  await page.goBack()
  await expect(message).toBeVisible()
  await message.hover()
  await message.getByRole('button', { name: 'Branch from here' }).click()
  await expect(page).toHaveURL(new RegExp(`${path}\\?branch=beach-day-v2`))
  await expect(chat.lastReply()).toContainText('Forty minutes by train')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page).toHaveURL(/compare\?left=main&right=beach-day/)
  await compare.branch('Left').click()
  await expect(page.getByRole('option', { name: 'beach-day', exact: true })).toBeVisible()
  await expect(page.getByRole('option', { name: 'beach-day-v2' })).toHaveCount(0)
})

test('given the keyboard alone, then it goes through both sides, branches, and reaches every choice', async ({
  chat,
  page,
}) => {
  const path = await openSample(chat)
  const compare = new ComparePage(page)
  await compare.open(path, 'gentle-pace', 'beach-day')
  await page.keyboard.press('j')
  await expect(compare.left.first()).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(compare.right.first()).toBeFocused()
  await page.keyboard.press('j')
  await expect(compare.right.nth(1)).toBeFocused()
  await page.keyboard.press('k')
  await expect(compare.right.first()).toBeFocused()
  await compare.branch('Left').focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('option', { name: 'gentle-pace', exact: true })).toBeFocused()
  await page.keyboard.press('Home')
  await expect(page.getByRole('option', { name: 'main', exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(compare.branch('Left')).toContainText('main')
  await compare.right.first().focus()
  await page.keyboard.press('b')
  await expect(page).toHaveURL(/branch=beach-day-v2/)
})

test('given addresses that name nothing, or another person’s chat, then the page is not there', async ({
  chat,
  page,
  browser,
  baseURL,
}) => {
  const path = await openSample(chat)
  const statusOf = async (address: string, of: Page = page) => (await of.request.get(address)).status()
  expect(await statusOf(`${path}/compare?left=main&right=beach-day`)).toBe(200)
  for (const query of ['left=nowhere&right=main', 'left=main&right=nowhere', 'left=%00', 'right=%00']) {
    expect(await statusOf(`${path}/compare?${query}`), query).toBe(404)
  }
  expect(await statusOf('/c/nowhere/compare?left=main&right=beach-day')).toBe(404)
  const other = await otherPerson(browser, baseURL)
  await other.open()
  await other.ask('I am another person')
  expect(await statusOf(`${path}/compare?left=main&right=beach-day`, other.page)).toBe(404)
  await other.page.goto(`${path}/compare?left=main&right=beach-day`)
  await expect(other.page.getByRole('heading', { name: 'There is no such chat here' })).toBeVisible()
  await other.page.context().close()

  // without names: the branch the chat opens on, beside the branch it came from
  await page.goto(`${path}/compare`)
  await expect(new ComparePage(page).branch('Left')).toContainText('gentle-pace')
  await expect(new ComparePage(page).branch('Right')).toContainText('main')
})

test('given a chat with one branch, or one branch twice, then the page says so', async ({ chat, page }) => {
  await chat.open()
  await chat.ask('Hello')
  const path = new URL(page.url()).pathname
  await page.goto(`${path}/compare?left=main`)
  await expect(page.getByText('This chat has one branch')).toBeVisible()
  await page.goto(`${path}/compare?left=main&right=main`)
  await expect(page.getByText('Both sides are the same branch')).toBeVisible()
})

test('given long sides, then the first messages are there, and more are loaded on demand', async ({
  chat,
  page,
}) => {
  const turns = Array.from({ length: 30 }, (_, turn) => `Question ${turn}`)
  const id = await seedTurns(chat, ['Where we begin', ...turns])
  await seedFork(chat, id, 'Question 0 again')

  const compare = new ComparePage(page)
  await compare.open(`/c/${id}`, 'main', 'main-v2')
  await expect(compare.left).toHaveCount(50)
  await expect(compare.right).toHaveCount(2)
  await page.getByRole('button', { name: 'Load more' }).click()
  await expect(compare.left).toHaveCount(60)
  await expect(page.getByRole('button', { name: 'Load more' })).toHaveCount(0)
  await expect(compare.left.filter({ hasText: /Question 29/ }).first()).toBeVisible()
})

onEveryScreen((screen) => {
  test('two branches side by side, the messages they share, and one side at a time', async ({
    chat,
    page,
  }) => {
    const path = await openSample(chat)
    const compare = new ComparePage(page)
    await compare.open(path, 'gentle-pace', 'vegetarian')
    await expect(page.locator('article[data-side]:visible').first()).toBeVisible()
    await look(page, 'compare-open', screen)
    if (screen.size === 'narrow') {
      await expect(compare.right.first()).toBeHidden()
      await page.getByRole('radio', { name: /^Right/ }).click()
      await expect(compare.right.first()).toBeVisible()
      await expect(compare.left.first()).toBeHidden()
      await expect(page.getByRole('textbox', { name: 'Continue on vegetarian' })).toBeVisible()
      await look(page, 'compare-other', screen)
    }
    await compare.open(path, 'main', 'gentle-pace')
    await page.getByRole('button', { name: /messages in common/ }).click()
    await expect(page.locator('article:not([data-side])').first()).toBeVisible()
    await look(page, 'compare-common', screen)
    await page.goto(`${path}/compare?left=main&right=main`)
    await expect(page.getByText('Both sides are the same branch')).toBeVisible()
    await look(page, 'compare-same', screen)
    await compare.open(await seedTwins(chat), 'main', 'main-v2')
    await expect(page.locator('del:visible').first()).toBeVisible()
    await expect(page.locator('table:visible').first()).toBeVisible()
    await look(page, 'compare-words', screen)
  })
})
