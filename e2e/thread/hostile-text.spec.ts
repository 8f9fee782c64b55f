import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { type ScriptedReply, startOpenAIServer } from '@/testing/machines/openai-server'
import { hostileTexts } from '@/testing/worlds/hostile-texts'
import { ChatPage } from '../support/chat-page'
import { sendTurn, signIn, userMessage } from '../support/openings'
import { sidewaysScroll } from '../support/screens'
import { expect, providerPort, test } from '../support/test'

// Replies made to be expensive to draw slow neither the server nor the page.

let provider: Awaited<ReturnType<typeof startOpenAIServer>>
let answer: ScriptedReply = ''

test.beforeAll(async () => {
  provider = await startOpenAIServer({ port: providerPort(), answer: () => answer })
})
test.afterAll(() => provider.close())

/** A chat with these replies, stored; returns its path. */
async function store(page: Page, replies: readonly string[]): Promise<string> {
  await signIn(page.request)
  const id = randomUUID()
  for (const [at, text] of replies.entries()) {
    answer = { text: [text] }
    const model = 'openai-compatible:scripted'
    await sendTurn(page.request, id, userMessage(`Question ${at}`), { model, branch: 'main' })
  }
  return `/c/${id}`
}

test('given ten replies that are plain or at the limit of what is drawn, then their page is there within 1.5 s', async ({
  page,
}) => {
  for (const [name, length] of [
    ['a staircase of lists', 18_000],
    ['one list', 1900],
  ] as const) {
    const path = await store(page, Array<string>(10).fill(hostileTexts[name]?.(length) ?? ''))
    const before = Date.now()
    expect((await page.request.get(path)).ok()).toBe(true)
    expect(Date.now() - before, name).toBeLessThan(1500)
  }
})

test('given letters without a break, when they are opened, unfolded and typed, then the page never stands still for long', async ({
  page,
}) => {
  const chat = new ChatPage(page)
  for (const [name, text] of [
    ['60,000 letters without a break', 'a'.repeat(59_000)],
    ['59,000 combining marks', `a${'\u0301'.repeat(59_000)}`],
    ['60,000 letters of both directions', 'aא'.repeat(29_500)],
  ] as const) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await chat.open(await store(page, [text]))
    const reply = chat.lastReply()
    await reply.getByRole('button', { name: /^Show all/ }).click()
    await expect(reply.getByRole('button', { name: 'Show less' })).toBeVisible()
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(reply).toBeVisible()
    expect(await page.evaluate(longestTask), name).toBeLessThan(1000)
    expect(await sidewaysScroll(page)).toBe(0)
  }
  // nor when more is typed into a box of such letters
  await chat.box.fill('a'.repeat(60_000))
  await chat.box.press('b')
  await expect(chat.box).toHaveValue(/b$/)
  expect(await page.evaluate(longestTask)).toBeLessThan(1000)
})

/** How long the longest task of the page took so far, in ms. */
const longestTask = () =>
  new Promise<number>((done) => {
    const took = (list: PerformanceObserverEntryList) =>
      done(Math.max(...list.getEntries().map(({ duration }) => duration)))
    new PerformanceObserver(took).observe({ type: 'longtask', buffered: true })
    setTimeout(() => done(0), 100)
  })
