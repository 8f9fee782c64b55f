import { randomUUID } from 'node:crypto'
import { userMessage } from '../support/openings'
import { expectAccessible, onEveryScreen, picture } from '../support/screens'
import { expect, test, watchErrors } from '../support/test'
import { ThreadApi } from '../support/thread-api'

// The description of the API, as a document that real answers are checked against, and as a page.

test('the description needs no session and may be cached', async ({ request }) => {
  const described = await request.get('/api/openapi.json')
  expect(described.status()).toBe(200)
  expect(described.headers()['cache-control']).toMatch(/public, max-age=\d+/)
  expect((await described.json()).openapi).toBe('3.1.0')
})

test('answers of the chat’s routes are as described', async ({ request }) => {
  const api = await new ThreadApi(request).signIn()
  const { chat_id, thread_id } = await api.create('Lisbon')
  await api.talk(thread_id, 'Hello')
  const fork = await api.fork(thread_id, 1)
  for (const address of [
    '/api/health',
    `/api/chats/${chat_id}/graph`,
    `/api/chats/${chat_id}/graph?since=2`,
    `/api/chats/${chat_id}/messages?limit=1`,
    `/api/chats/${randomUUID()}/graph`,
    `/api/chat/${chat_id}/stream`,
    '/api/keys',
  ]) {
    await api.get(address)
  }
  // a turn on the fork, which is then stopped after its end
  const message = userMessage('count to 1000')
  const turn = await api.post('/api/chat', { id: chat_id, branch: fork, message })
  const [, runId = ''] = /"runId":"([^"]+)"/.exec(turn.text) ?? []
  expect((await api.post(`/api/chat/${chat_id}/stop`, { runId })).body.status).toBe('completed')
  expect((await api.post('/api/chat', { id: chat_id })).status).toBe(400)
})

onEveryScreen(({ suffix }) => {
  test('the page has every operation, and axe finds nothing in it', async ({ page, request }) => {
    const errors = watchErrors(page)
    await page.goto('/docs/api')
    const { paths } = await (await request.get('/api/openapi.json')).json()
    const described = Object.values<Record<string, { operationId: string; summary: string }>>(paths)
    const summaries = described.flatMap((methods) =>
      Object.values(methods).map(({ operationId, summary }) => [operationId, summary]),
    )
    const shown = await page.evaluate(
      (ids) => ids.map((id) => [id, document.querySelector(`article#${id} h3`)?.textContent]),
      summaries.map(([id]) => id),
    )
    expect(shown).toEqual(summaries)
    await picture(page, `docs-${suffix}`)
    await page.goto('/docs/api#sendMessage')
    await expect(page.getByRole('heading', { name: 'Send message', exact: true })).toBeInViewport()
    await picture(page, `docs-operation-${suffix}`)
    await page.goto('/docs/api#shape-ThreadEvent')
    await expect(page.getByRole('heading', { name: 'ThreadEvent', exact: true })).toBeInViewport()
    await picture(page, `docs-shape-${suffix}`)

    await expectAccessible(page, { strict: true })
    const sideways = await page.evaluate(() =>
      [...document.querySelectorAll('*')]
        .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0)
        .filter((element) => getComputedStyle(element).display !== 'inline')
        .map((element) => `${element.tagName} ${element.textContent?.slice(0, 40)}`),
    )
    expect(sideways).toEqual([])
    expect(errors).toEqual([])
  })
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('the page is whole, and its links lead where they say', async ({ page }) => {
    await page.goto('/docs/api')
    await page.getByRole('navigation').getByRole('link', { name: 'Fork thread' }).click()
    await expect(page.getByRole('heading', { name: 'Fork thread' })).toBeInViewport()
    const links = await page
      .locator('a[href^="#"]')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    for (const link of new Set(links))
      await expect(page.locator(`[id="${link?.slice(1)}"]`), `${link}`).toHaveCount(1)
  })
})
