import { hydrated } from './support/chat-page'
import { openSample } from './support/openings'
import { expectAccessible, look, onEveryScreen, phone, sidewaysScroll } from './support/screens'
import { expect, test, watchErrors } from './support/test'

// A chat shared by a link: made by its owner, read and copied by a stranger.

test('given a branch that is shared with the graph, then a stranger reads it, looks around and continues in a copy', async ({
  chat,
  page,
  browser,
  baseURL,
}) => {
  await openSample(chat)
  await chat.messages.last().hover()
  await chat.messages.last().getByRole('button', { name: 'More actions' }).click()
  await chat.menuItem('Share…').click()
  const dialog = page.getByRole('dialog', { name: 'Share' })
  await dialog.getByRole('radio', { name: 'With the graph' }).click()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Make the link' }).click()
  const link = await dialog.getByRole('textbox', { name: 'Link' }).inputValue()

  const stranger = await browser.newContext({ ...(baseURL && { baseURL }) })
  const reading = await stranger.newPage()
  const errors = watchErrors(reading)
  const answer = await reading.goto(link)
  expect(answer?.headers()['referrer-policy']).toBe('no-referrer')
  await expect(reading.getByRole('article').first()).toContainText('three days in Lisbon')
  await expect(reading.locator('meta[name="robots"]')).toHaveAttribute('content', /noindex/)
  // no cookie is made by reading
  expect(await stranger.cookies()).toEqual([])

  await reading.getByRole('button', { name: 'Show graph' }).click()
  const graph = reading.getByRole('region', { name: 'Conversation graph' })
  await expect(graph.getByRole('treeitem').first()).toBeVisible()
  await reading.getByRole('navigation', { name: 'Branches' }).getByRole('link').last().click()
  await expect(reading).toHaveURL(/branch=/)
  await graph.getByRole('treeitem').first().click()
  await expect(reading).toHaveURL(/at=/)
  await expect(graph.getByRole('button', { name: 'Branch from here' })).toHaveCount(0)

  await reading.getByRole('button', { name: 'Continue in my own copy' }).first().click()
  await expect(reading).toHaveURL(/\/c\//)
  await expect(reading.getByRole('textbox', { name: 'Message', exact: true })).toBeEditable()
  await expect(reading.getByRole('article').first()).toBeVisible()
  expect(errors).toEqual([])

  // and the owner revokes the link, which cannot be undone
  await page.goto('/settings/links')
  const revoke = page.getByRole('button', { name: /^Revoke the link/ })
  await hydrated(revoke)
  await revoke.click()
  await page.getByRole('button', { name: 'Revoke', exact: true }).click()
  await expect(page.getByText('You have shared nothing')).toBeVisible()
  expect((await reading.goto(link))?.status()).toBe(404)
  await expect(reading.getByRole('heading', { name: 'This link opens nothing' })).toBeVisible()
  await stranger.close()
})

test('given a browser without JavaScript, then what a link opens is read on a phone, and found by its parts', async ({
  chat,
  page,
  browser,
  baseURL,
}) => {
  const path = await openSample(chat)
  const chatId = path.split('/').at(-1)?.split('?')[0]
  const shared = await page.request.post('/api/shares', {
    data: { chat_id: chatId, branch: 'main', graph: true, follow: false, shared_by: 'Ada' },
  })
  const { url } = await shared.json()
  const plain = await browser.newContext({ ...phone, ...(baseURL && { baseURL }), javaScriptEnabled: false })
  const reading = await plain.newPage()
  await reading.goto(url)
  await expect(reading.getByText('Shared by Ada')).toBeVisible()
  await expect(reading.getByRole('article').nth(1)).toBeVisible()
  await reading.getByRole('navigation', { name: 'Branches' }).getByRole('link').nth(1).click()
  await expect(reading).toHaveURL(/branch=/)
  const image = await reading.locator('meta[property="og:image"]').getAttribute('content')
  const picture = await plain.request.get(image ?? '')
  expect(picture.headers()['content-type']).toBe('image/png')
  await plain.close()
})

onEveryScreen((screen) => {
  test('the page of a link', async ({ chat, page }) => {
    const path = await openSample(chat)
    const chatId = path.split('/').at(-1)?.split('?')[0]
    const shared = await page.request.post('/api/shares', {
      data: { chat_id: chatId, branch: 'main', graph: true, follow: true },
    })
    await page.goto((await shared.json()).url)
    await look(page, 'shared-chat', screen)
    const show = page.getByRole('button', { name: 'Show graph' })
    await hydrated(show)
    await show.click()
    await expect(page.getByRole('treeitem').first()).toBeVisible()
    await look(page, 'shared-graph', screen)
    await page.goto('/settings/links')
    await look(page, 'links', screen)
    expect(await sidewaysScroll(page)).toBe(0)
  })
})
