import { zipOf } from '@/testing/worlds/zip-file'
import { hydrated } from '../support/chat-page'
import { look, onEveryScreen } from '../support/screens'
import { expect, test } from '../support/test'

// Chats of another program are brought in with a file, and their hidden branches are seen.

const node = (id: string, parent: string | null, role?: string, text?: string) => ({
  ...{ id, parent, children: [] },
  message: role
    ? {
        ...{ id, author: { role }, create_time: 1_683_000_000 },
        content: { content_type: 'text', parts: [text] },
      }
    : null,
})

/** ChatGPT's export of a conversation whose question was edited, and whose first reply was asked for twice. */
const moons = (title: string) => ({
  ...{ id: 'moons', title, create_time: 1_683_000_000, update_time: 1_683_000_900, current_node: 'a3' },
  mapping: {
    root: node('root', null),
    q1: node('q1', 'root', 'user', 'How many moons has Mars?'),
    a1: node('a1', 'q1', 'assistant', 'Mars has two moons.'),
    a2: node('a2', 'q1', 'assistant', 'Two: Phobos and Deimos.'),
    q3: node('q3', 'a2', 'user', 'And Venus?'),
    q3b: node('q3b', 'a2', 'user', 'And Jupiter?'),
    a3: node('a3', 'q3', 'assistant', 'Venus has none.'),
    a3b: node('a3b', 'q3b', 'assistant', 'Jupiter has ninety-five.'),
  },
})

const exported = (...chats: object[]) => ({
  ...{ name: 'chatgpt-export.zip', mimeType: 'application/zip' },
  buffer: zipOf([{ name: 'conversations.json', bytes: JSON.stringify(chats) }]),
})

test('an export of ChatGPT is brought in from the palette, and its hidden branches are in the graph', async ({
  chat,
  page,
}) => {
  await chat.open()
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox').fill('chatgpt')
  await page.getByRole('option', { name: 'Import chats…' }).click()
  await expect(page.getByRole('heading', { name: 'Import chats' })).toBeVisible()
  await page.getByLabel('File to import').setInputFiles(exported(moons('Moons of the planets')))
  const report = page.getByRole('list', { name: 'Imports' }).getByRole('listitem').first()
  await expect(report).toContainText('Done')
  await report.getByText('Imported chats').click()
  await report.getByRole('link', { name: 'Moons of the planets' }).click()

  await expect(chat.messages.last()).toContainText('Venus has none.')
  await expect(chat.messages).toHaveCount(4)
  const branches = chat.graph.locator('[role=treeitem][data-branch]')
  await expect(branches).toHaveCount(2)
  await chat.graph
    .getByRole('button', { name: /Switch to/ })
    .first()
    .click()
  await expect(chat.messages.last()).toContainText(/Jupiter has ninety-five|Mars has two moons/)
})

test('a file that is no export is refused in words, and the same export again adds nothing', async ({
  page,
}) => {
  await page.goto('/settings/data')
  const input = page.getByLabel('File to import')
  await hydrated(input)
  await input.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('just words') })
  await expect(page.getByRole('alert').filter({ hasText: 'notes.txt' })).toContainText('is not JSON')
  const reports = page.getByRole('list', { name: 'Imports' }).getByRole('listitem')
  for (const [imported, unchanged] of [
    ['1', '0'],
    ['0', '1'],
  ]) {
    await input.setInputFiles(exported(moons('Moons')))
    const report = reports.first()
    await expect(report).toContainText('Done')
    await expect(report.getByText('Imported', { exact: true }).locator('xpath=..')).toContainText(
      imported ?? '',
    )
    await expect(report.getByText('Unchanged').locator('xpath=..')).toContainText(unchanged ?? '')
  }
})

const lines = (...said: object[]) => Buffer.from(said.map((line) => JSON.stringify(line)).join('\n'))

test('a chat of SillyTavern and the file of its branch are chosen together, and become one chat', async ({
  page,
}) => {
  const header = { user_name: 'Ada', character_name: 'Seraphina', create_date: '2024-05-01@10h00m00s' }
  const says = (is_user: boolean, mes: string) => ({
    ...{ name: is_user ? 'Ada' : 'Seraphina', is_user, mes, send_date: 'May 1, 2024 10:01am' },
  })
  const begun = [says(false, 'You wake in the glade.'), says(true, 'Where am I?')]
  await page.goto('/settings/data')
  const input = page.getByLabel('File to import')
  await hydrated(input)
  await input.setInputFiles([
    {
      ...{ name: 'Glade.jsonl', mimeType: 'application/jsonl' },
      buffer: lines({ ...header, chat_metadata: {} }, ...begun, says(false, 'In Eldoria.')),
    },
    {
      ...{ name: 'Glade - Branch #1.jsonl', mimeType: 'application/jsonl' },
      buffer: lines(
        { ...header, chat_metadata: { main_chat: 'Glade' } },
        ...begun,
        says(false, 'In my home.'),
      ),
    },
  ])
  const reports = page.getByRole('list', { name: 'Imports' }).getByRole('listitem')
  const report = reports.first()
  await expect(report).toContainText('2 files.zip')
  await expect(report).toContainText('Done')
  await expect(report.getByText('Chats read').locator('xpath=..')).toContainText('1')
  await expect(report.getByText('Messages', { exact: true }).locator('xpath=..')).toContainText('4')
})

test('several files are chosen, of which one is no export: the others are imported all the same', async ({
  page,
}) => {
  await page.goto('/settings/data')
  const input = page.getByLabel('File to import')
  await hydrated(input)
  const list = (text: string) => Buffer.from(JSON.stringify([{ role: 'user', content: text }]))
  await input.setInputFiles([
    { name: 'one.json', mimeType: 'application/json', buffer: list('First') },
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('just words') },
    { name: 'two.json', mimeType: 'application/json', buffer: list('Second') },
  ])
  const names = page.getByRole('list', { name: 'Imports' }).locator('bdi')
  await expect(names).toHaveText(['two.json', 'one.json'])
  await expect(page.getByRole('alert').filter({ hasText: 'notes.txt' })).toContainText('is not JSON')
})

onEveryScreen((screen) => {
  test('the page for data, with a report', async ({ page }) => {
    await page.goto('/settings/data')
    await expect(page.getByRole('button', { name: 'Choose a file' })).toBeVisible()
    const input = page.getByLabel('File to import')
    await hydrated(input)
    await input.setInputFiles(exported(moons('Moons')))
    await expect(page.getByRole('list', { name: 'Imports' })).toContainText('Done')
    await look(page, 'data', screen)
  })
})
