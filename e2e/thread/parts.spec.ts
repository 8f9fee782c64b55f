import { look, onEveryScreen } from '../support/screens'
import { expect, test } from '../support/test'

// A reply is more than its text: what the model thought, the tools it called, files and sources are kept and shown.

const everything = 'Show me all parts of a reply, and what is 2+2'

test('reasoning, tools, a file and sources are shown beside the text, and what is in them opens', async ({
  chat,
}) => {
  await chat.open()
  await chat.ask(everything)
  const reply = chat.lastReply()
  const fold = (label: string | RegExp) => reply.locator('summary').filter({ hasText: label })
  // given a reply that is stored and drawn
  await expect(reply).toContainText('built-in demo model')
  await expect(fold('Thought for')).toBeVisible()
  await expect(fold('search')).toContainText(/\d s$/)
  await expect(fold('weather')).toContainText('Failed')
  await expect(reply.getByText('The question is')).toHaveCount(0)
  // when each is opened, then what the model thought is read as Markdown, and values as they are
  await fold('Thought for').click()
  await expect(reply.locator('strong', { hasText: 'short' })).toBeVisible()
  await fold('search').click()
  await expect(reply.getByRole('figure', { name: 'Arguments' })).toContainText('"query": "opening hours"')
  await expect(reply.getByRole('figure', { name: 'Result' })).toContainText('<b>closed</b> on Monday')
  await fold('weather').press('Enter')
  await expect(reply.getByRole('figure', { name: 'Why it failed' })).toHaveText(
    /The weather service does not answer\.$/,
  )
  // then the file is a picture, and only a source that leads to a page is a link
  await expect(reply.getByRole('img', { name: 'A file (image/png)' })).toBeVisible()
  const sources = reply.getByRole('region', { name: 'Sources' })
  await expect(sources.getByRole('link')).toHaveText(['Opening hours'])
  await expect(sources).toContainText('A link that runs')
  // and the same stands after a reload
  await chat.reload()
  await expect(fold('Thought for')).toBeVisible()
  await expect(fold('weather')).toContainText('Failed')
  await expect(sources.getByRole('link')).toHaveAttribute('href', 'https://example.com/hours')
  // when the chat goes on, then the next reply is written
  await chat.ask('what is 5+5')
  await expect(chat.lastReply()).toContainText('10')
})

test('a message is found by the names of its tools and sources', async ({ chat, page }) => {
  await chat.open()
  await chat.ask(everything)
  await page.getByRole('button', { name: 'Search', exact: true }).first().click()
  const dialog = page.getByRole('dialog', { name: /search/i })
  await dialog.getByRole('combobox').or(dialog.getByRole('searchbox')).first().fill('weather')
  await expect(dialog.getByRole('option').first()).toContainText('weather')
})

test('compared replies show their words as a difference, and their other parts as they are', async ({
  chat,
  page,
}) => {
  await chat.open()
  await chat.ask(everything)
  await chat.lastReply().getByRole('button', { name: 'Try again', exact: true }).click()
  await expect(page.getByText('2 / 2')).toBeVisible()
  await expect(chat.lastReply()).toHaveAttribute('data-status', 'done')
  await page
    .getByRole('link', { name: 'Compare branches' })
    .or(page.getByRole('button', { name: 'Compare branches' }))
    .click()
  const replies = page.locator('article[data-side][data-role="assistant"]')
  await expect(replies).toHaveCount(2)
  for (const reply of await replies.all()) {
    await expect(reply.locator('summary').filter({ hasText: 'search' })).toBeVisible()
    await expect(reply.getByRole('link', { name: 'Opening hours' })).toBeVisible()
  }
})

onEveryScreen((screen) => {
  test('a reply of many parts', async ({ chat, page }) => {
    await chat.open()
    await chat.ask(everything)
    const folds = chat.lastReply().locator('summary')
    await expect(folds).toHaveCount(3)
    await folds.nth(1).click()
    await chat.box.hover()
    await look(page, 'parts', screen)
  })
})
