import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { type ScriptedReply, startOpenAIServer } from '@/testing/machines/openai-server'
import { hostileTexts } from '@/testing/worlds/hostile-texts'
import { ChatPage, hydrated } from '../support/chat-page'
import { sendTurn, signIn, userMessage } from '../support/openings'
import { expectAccessible, sidewaysScroll } from '../support/screens'
import { expect, providerPort, test } from '../support/test'

// Replies that are expensive to draw slow neither the server nor the page, and can be read.

test.describe('replies made to be expensive to draw', () => {
  let provider: Awaited<ReturnType<typeof startOpenAIServer>>
  let answer: ScriptedReply = ''

  test.beforeAll(async () => {
    provider = await startOpenAIServer({
      port: providerPort(),
      answer: () => answer,
    })
  })
  test.afterAll(() => provider.close())

  /** A chat with these replies, stored. */
  async function store(page: Page, replies: readonly string[]): Promise<string> {
    await signIn(page.request)
    const id = randomUUID()
    for (const [at, text] of replies.entries()) {
      answer = { text: [text] }
      const model = 'openai-compatible:scripted'
      await sendTurn(page.request, id, userMessage(`Question ${at}`), { model, branch: 'main' })
    }
    return id
  }

  test('given ten staircases of lists, when the chat is opened, then it is there within 1.5 s, plain and folded', async ({
    page,
  }) => {
    const staircase = make('a staircase of lists', 18_000)
    const id = await store(page, Array<string>(10).fill(staircase))

    const before = Date.now()
    const response = await page.request.get(`/c/${id}`)
    const took = Date.now() - before
    expect(response.ok()).toBe(true)
    expect(took).toBeLessThan(1500)

    await page.goto(`/c/${id}`)
    const reply = new ChatPage(page).lastReply()
    await expect(reply).toContainText('Shown as plain text')
    const whole = reply.getByRole('button', { name: /^Show all \([\d,]+ characters\)$/ })
    await hydrated(whole)
    await whole.click()
    await expect(reply.getByRole('button', { name: 'Show less' })).toBeVisible()
    await expectAccessible(page)
    expect(await sidewaysScroll(page)).toBe(0)

    // Copy takes the whole text
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await reply.hover()
    await reply.getByRole('button', { name: 'Copy', exact: true }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(staircase)
  })

  test('given replies at the limit of what is drawn, when the chat is opened, then they are drawn one after another', async ({
    page,
  }) => {
    const id = await store(page, Array<string>(10).fill(make('one list', 1900)))
    const before = Date.now()
    expect((await page.request.get(`/c/${id}`)).ok()).toBe(true)
    expect(Date.now() - before).toBeLessThan(1500)

    await page.goto(`/c/${id}`)
    const replies = page.locator('article[data-role="assistant"]')
    await expect(replies.last().locator('li').first()).toBeVisible()
    // the end that is drawn first may still pull the view to it
    await expect(async () => {
      await replies.first().scrollIntoViewIfNeeded()
      await expect(replies.first().locator('li').first()).toBeVisible({ timeout: 1_000 })
    }).toPass()
  })

  for (const [name, text] of [
    ['60,000 letters without a break', 'a'.repeat(59_000)],
    ['59,000 combining marks', `a${'\u0301'.repeat(59_000)}`],
    ['60,000 letters of both directions', 'aא'.repeat(29_500)],
  ] as const) {
    test(`given ${name}, when they are opened and unfolded, then the page never stands still for long`, async ({
      page,
    }) => {
      const id = await store(page, [text])
      await page.addInitScript(watchTasks)
      await page.goto(`/c/${id}`)
      const reply = new ChatPage(page).lastReply()
      const whole = reply.getByRole('button', { name: /^Show all/ })
      await hydrated(whole)
      await whole.click()
      await expect(reply.getByRole('button', { name: 'Show less' })).toBeVisible()
      await page.setViewportSize({ width: 390, height: 844 })
      await expect(reply).toBeVisible()
      const longest = await page.evaluate(longestTask)
      test.info().annotations.push({ type: 'longest task', description: `${longest} ms` })
      expect(longest).toBeLessThan(1000)
      expect(await sidewaysScroll(page)).toBe(0)
    })
  }

  test('given letters without a break in the box, when more is typed, then the box keeps up', async ({
    page,
  }) => {
    const chat = new ChatPage(page)
    await page.addInitScript(watchTasks)
    await chat.open()
    await chat.box.fill('a'.repeat(60_000))
    await chat.box.press('b')
    await expect(chat.box).toHaveValue(/b$/)
    expect(await page.evaluate(longestTask)).toBeLessThan(1000)
  })
})

function make(name: string, length: number): string {
  const text = hostileTexts[name]?.(length)
  if (text === undefined) throw new Error(`there is no hostile text called ${name}`)
  return text
}

/** Notes in the page how long its longest task was. */
function watchTasks(): void {
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      const before = Number(sessionStorage.getItem('longest') ?? 0)
      if (duration > before) sessionStorage.setItem('longest', String(Math.round(duration)))
    }
  }).observe({ type: 'longtask', buffered: true })
}

const longestTask = () =>
  new Promise<number>((done) => {
    requestAnimationFrame(() => setTimeout(() => done(Number(sessionStorage.getItem('longest') ?? 0)), 100))
  })
