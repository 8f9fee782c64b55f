import { expect, test } from '@playwright/test'
import { type Figure, median, meets, printFigures } from './figures'
import { seedLongChat } from './long-chat'
import { watchKeys } from './probes'
import { openSite, type Site } from './site'

/** A context of 200 fragments is edited, with its preview open. Times hold for this machine while nothing else runs on it. */

let site: Site
const figures: Figure[] = []

test.beforeAll(async () => {
  site = await openSite((store, ownerId) =>
    seedLongChat(store, { ownerId, title: 'A chat', chatId: 'chat', messages: 10, branches: 1 }),
  )
})
test.afterAll(async () => {
  console.log(`\n${printFigures(figures)}\n`)
  await site.close()
})

function note(figure: Figure): void {
  figures.push(figure)
  expect.soft(meets(figure), printFigures([figure])).toBe(true)
}

test('typing in a context of 200 fragments', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: site.baseURL, viewport: { width: 1440, height: 900 } })
  await context.addCookies(site.cookies)
  const kinds = [
    { name: 'hint', data: 'Name every price in euros, and say where it was read. '.repeat(3) },
    { name: 'term', data: { name: 'IC', definition: 'A fast train between large cities.' } },
    { name: 'guardrail', data: { rule: 'Never book anything', reason: 'It costs money' } },
    { name: 'example', data: { question: 'How far is it?', answer: 'Ten minutes on foot.' } },
  ]
  const fragments = Array.from({ length: 200 }, (_, at) => ({
    ...kinds[at % kinds.length],
    id: `f${at}`,
    enabled: true,
    ...(at >= 100 && { group: `Group ${at % 5}` }),
  }))
  const saved = await context.request.put('/api/chats/chat/context', {
    data: { expected_context_id: null, fragments },
    headers: { origin: site.baseURL },
  })
  expect(saved.status()).toBe(200)

  const page = await context.newPage()
  await page.goto('/c/chat')
  await page.waitForLoadState('networkidle')
  const asked = performance.now()
  await page.getByRole('button', { name: 'More about this chat' }).click()
  await page.getByRole('menuitem', { name: 'Instructions' }).click()
  const panel = page.getByRole('region', { name: 'Instructions', exact: true })
  await panel.getByRole('button', { name: /^Advanced/ }).click()
  await expect(panel.locator('[data-fragment]')).toHaveCount(200)
  note({ what: 'panel of 200 fragments is there after', value: performance.now() - asked, unit: 'ms' })

  const type = async (what: string, row: number) => {
    await page.evaluate(watchKeys)
    await panel.locator('[data-fragment]').nth(row).getByRole('textbox').first().focus()
    for (const letter of 'the quick brown fox jumps over it') {
      await page.keyboard.press(letter === ' ' ? 'Space' : letter)
      await page.waitForTimeout(60)
    }
    const told = await page.evaluate<number[]>('window.__keys')
    // below the threshold of 16 ms a key is not reported at all
    const all = [...told, ...Array.from({ length: Math.max(0, 33 - told.length) }, () => 16)]
    note({
      what: `a letter in ${what} until it is painted, median`,
      value: median(all),
      unit: 'ms',
      target: 50,
    })
    note({ what: `a letter in ${what} until it is painted, worst`, value: Math.max(...all), unit: 'ms' })
  }
  await type('the first fragment', 0)
  await type('the middle', 90)
  await type('the last', 199)
  await page.evaluate(watchKeys)
  for (let at = 0; at < 10; at++) {
    await page.keyboard.press('Alt+ArrowUp')
    await page.waitForTimeout(60)
  }
  const moves = await page.evaluate<number[]>('window.__keys')
  note({ what: 'moving a fragment up, median', value: median([16, ...moves]), unit: 'ms', target: 100 })
  await context.close()
})
