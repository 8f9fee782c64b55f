import { lookInAllWays } from '../support/screens'
import { expect, test, watchErrors } from '../support/test'

// The pages that say how scripts and agents ask.

test('the page of the API has every operation, and axe finds nothing in it', async ({ page, request }) => {
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
  for (const [anchor, heading] of [
    ['sendMessage', 'Send message'],
    ['shape-ThreadEvent', 'ThreadEvent'],
  ] as const) {
    await page.goto(`/docs/api#${anchor}`)
    await expect(page.getByRole('heading', { name: heading, exact: true })).toBeInViewport()
  }
  const wideParts = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('*')]
        .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0)
        .filter((element) => getComputedStyle(element).display !== 'inline')
        .map((element) => `${element.tagName} ${element.textContent?.slice(0, 40)}`),
    )
  await lookInAllWays(page, 'docs', { strict: true, also: async () => expect(await wideParts()).toEqual([]) })
  expect(errors).toEqual([])
})

test('the page of agents says what to set, with the address of this server, and its lines are copied by the keyboard', async ({
  page,
  context,
  baseURL,
}) => {
  const errors = watchErrors(page)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/docs/api')
  await page.getByRole('link', { name: 'what to set' }).click()
  await expect(page.getByRole('heading', { name: 'Agents', level: 1 })).toBeVisible()
  const { origin } = new URL(baseURL ?? '')
  for (const [client, lines] of [
    ['OpenAI for Python', `base_url="${origin}/v1"`],
    ['Anthropic', `baseURL: '${origin}'`],
    ['aider', `OPENAI_API_BASE=${origin}/v1`],
    ['curl', `curl ${origin}/v1/chat/completions`],
  ] as const)
    await expect(page.getByRole('article', { name: client }).first()).toContainText(lines)
  await expect(page.getByRole('region', { name: 'Tools' })).toContainText('send_message')
  await lookInAllWays(page, 'agents', { strict: true })

  await page.getByRole('button', { name: 'Copy the lines for Claude Code', exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status').filter({ hasText: 'Copied' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(
    `export ANTHROPIC_BASE_URL=${origin}`,
  )
  expect(errors).toEqual([])
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('both pages are whole, have no dead buttons, and their links lead where they say', async ({
    page,
  }) => {
    for (const [address, link] of [
      ['/docs/api', 'Fork thread'],
      ['/docs/agents', 'aider'],
    ] as const) {
      await page.goto(address)
      if (address === '/docs/agents') await expect(page.getByRole('button')).toHaveCount(0)
      await page.getByRole('navigation').getByRole('link', { name: link }).click()
      await expect(page.getByRole('heading', { name: link })).toBeInViewport()
      const dead = await page
        .locator('a[href^="#"]')
        .evaluateAll((all) =>
          all
            .map((anchor) => anchor.getAttribute('href')?.slice(1))
            .filter((id) => document.querySelectorAll(`[id="${id}"]`).length !== 1),
        )
      expect(dead, address).toEqual([])
    }
  })
})
