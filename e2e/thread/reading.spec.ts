import { seedTurns } from '../support/openings'
import { expect, test } from '../support/test'

// What a page loads for the words of a reply, and for whom.

test('the code for formulas and diagrams is not loaded for a reply without them', async ({ chat, page }) => {
  const loaded: string[] = []
  page.on('response', async (response) => {
    const isCode = response.url().includes('/_next/static/') && response.url().includes('.js')
    if (isCode && response.ok()) loaded.push(await response.text().catch(() => ''))
  })
  await chat.open(`/c/${await seedTurns(chat, ['repeat: Only **words**.'])}`)
  await expect(chat.lastReply().locator('strong')).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect(loaded.length).toBeGreaterThan(3)
  expect(loaded.some((code) => code.includes('katex-html'))).toBe(false)
  expect(loaded.some((code) => code.includes('flowchart-elk'))).toBe(false)
})

test('the model’s words load nothing and run nothing', async ({ chat, page }) => {
  const asked: string[] = []
  await chat.open()
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(page.url()).origin) asked.push(request.url())
  })
  await chat.ask(
    'repeat: ![x](https://evil.example/x.png) <img src="https://evil.example/y.png"> <iframe src="https://evil.example"></iframe> [click](javascript:alert(1)) <script>alert(1)</script>',
  )
  expect(asked).toEqual([])
  await expect(page.locator('a[href^="javascript"]')).toHaveCount(0)
  await expect(page.locator('article iframe')).toHaveCount(0)
})

test('given a page whose scripts have not run, then the end of its thread is in sight', async ({
  chat,
  browser,
  page,
}) => {
  const words = (at: number) => `repeat: Words number ${at}. ${'They go on for some lines. '.repeat(20)}`
  const url = `/c/${await seedTurns(
    chat,
    Array.from({ length: 8 }, (_, at) => words(at)),
  )}`
  const plain = await browser.newContext({
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
  })
  const read = await plain.newPage()
  await read.goto(new URL(url, test.info().project.use.baseURL).href)
  await expect(read.locator('#messages article').last()).toBeInViewport()
  await expect(read.locator('#messages article').first()).not.toBeInViewport()
  // replies are formatted, and nothing stands in for them until scripts run
  await expect(read.locator('#messages article[data-role=assistant] .reading > p')).toHaveCount(8)
  await expect(read.locator('#messages template')).toHaveCount(0)
  // what is pointed at is drawn later, but for the newest reply
  await expect(read.locator('#messages [data-action=copy]')).toHaveCount(1)
  await plain.close()
})
