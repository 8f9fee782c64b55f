import { expect, test } from '@playwright/test'
import { type Figure, median, meets, printFigures } from './figures'
import { seedLongChat } from './long-chat'
import { openSite, type Site } from './site'

/** A person with 10,000 chats, beside one with 10. Times hold for this machine while nothing else runs on it. */

const figures: Figure[] = []
test.afterAll(() => console.log(`\n${printFigures(figures)}\n`))

const many = 10_000
const site = (chats: number): Promise<Site> =>
  openSite(async (store, ownerId) => {
    await seedLongChat(store, { ownerId, title: 'A chat', chatId: 'chat', messages: 200, branches: 4 })
    await store.database.query(
      `with made as (
        insert into chats (id, user_id, title, active_branch_id, created_at, updated_at)
        select 'chat-' || i, $1, 'What is to be said about number ' || i, 'b-' || i,
          now() - i * interval '1 hour', now() - i * interval '1 hour'
        from generate_series(1, $2::int) i returning id, active_branch_id)
      insert into branches (chat_id, id, name) select id, active_branch_id, 'main' from made`,
      [ownerId, chats - 1],
    )
  })

test('10,000 chats are read page by page, and 2,000 of them are scrolled through', async ({ browser }) => {
  test.setTimeout(180_000)
  const full = await site(many)
  const context = await browser.newContext({ baseURL: full.baseURL, viewport: { width: 1440, height: 900 } })
  await context.addCookies(full.cookies)
  const page = await context.newPage()
  const ask = async (query: string) => {
    const times: number[] = []
    let next = ''
    for (let n = 0; n < 12; n++) {
      const begun = performance.now()
      const answer = (await (await context.request.get(`/api/chats?${query}`)).json()) as { next: string }
      times.push(performance.now() - begun)
      next = answer.next
    }
    return { took: median(times), next }
  }
  const first = await ask('')
  let cursor = first.next
  for (let n = 0; n < 24; n++)
    cursor = (await (await context.request.get(`/api/chats?limit=200&cursor=${cursor}`)).json()).next
  const middle = await ask(`cursor=${cursor}`)
  figures.push({ what: 'first page of 10,000 chats, answered in', value: first.took, unit: 'ms', target: 60 })
  figures.push({ what: 'a page in the middle, answered in', value: middle.took, unit: 'ms', target: 60 })

  // 2,000 chats are scrolled to
  await page.goto('/c/chat')
  const list = page.getByRole('navigation', { name: 'Your chats' })
  await page.waitForFunction(() => {
    const element = document.querySelector('nav[aria-label="Your chats"]')
    element?.scrollTo(0, element.scrollHeight)
    return (element?.querySelectorAll('[data-chat]').length ?? 0) > 2000
  })
  const frame = await list.evaluate(async (element) => {
    const long: number[] = []
    let before = performance.now()
    for (let n = 0; n < 60; n++) {
      element.scrollTo(0, (element.scrollHeight / 60) * n)
      await new Promise(requestAnimationFrame)
      long.push(performance.now() - before)
      before = performance.now()
    }
    return long.sort((a, b) => a - b)[Math.floor(long.length * 0.95)] ?? 0
  })
  figures.push({
    what: 'a frame while 2,000 are scrolled through, p95',
    value: frame,
    unit: 'ms',
    target: 50,
  })
  await context.close()
  await full.close()
})

test('a chat opens as quickly beside 10,000 others as beside 10', async ({ browser }) => {
  test.setTimeout(180_000)
  const [few, full] = [await site(10), await site(many)]
  const opened = async ({ baseURL, cookies }: Site) => {
    const context = await browser.newContext({ baseURL, viewport: { width: 1440, height: 900 } })
    await context.addCookies(cookies)
    const page = await context.newPage()
    const begun = performance.now()
    await page.goto('/c/chat')
    await expect(page.locator('article').last()).toBeVisible()
    const took = performance.now() - begun
    await context.close()
    return took
  }
  const took: [number[], number[]] = [[], []]
  for (let round = 0; round < 9; round++) {
    const [beside10, beside10000] = [await opened(few), await opened(full)]
    // the first opening of each warms the server up
    if (round > 0) {
      took[0].push(beside10)
      took[1].push(beside10000)
    }
  }
  figures.push({ what: 'a chat opens beside 10 others after', value: median(took[0]), unit: 'ms' })
  figures.push({ what: 'a chat opens beside 10,000 others after', value: median(took[1]), unit: 'ms' })
  const more: Figure = {
    what: 'longer by',
    value: median(took[1]) - median(took[0]),
    unit: 'ms',
    target: 60,
  }
  figures.push(more)
  expect.soft(meets(more), printFigures([more])).toBe(true)
  await few.close()
  await full.close()
})
