import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { css, expectCount } from '@/testing/page/chat-page'
import { openPage } from '@/testing/page/given'
import { lookInAllWays } from '@/testing/page/look'

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
const moons = {
  ...{ id: 'moons', title: 'Moons of the planets', create_time: 1_683_000_000, update_time: 1_683_000_900 },
  current_node: 'a3',
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
}

const jsonFile = (name: string, content: object) =>
  new File([JSON.stringify(content)], name, { type: 'application/json' })
const exported = () => jsonFile('conversations.json', [moons])
const notes = () => new File(['just words'], 'notes.txt', { type: 'text/plain' })
const linesFile = (name: string, ...said: object[]) =>
  new File([said.map((line) => JSON.stringify(line)).join('\n')], name, { type: 'application/jsonl' })

const choose = (...files: File[]) => userEvent.upload(page.getByLabelText('File to import'), files)
/** The newest import. */
const report = page.getByRole('list', { name: 'Imports' }).getByRole('listitem').first()
const refused = page.getByRole('alert').filter({ hasText: 'notes.txt' })

/** Waits until the newest import is done with these counts. */
async function expectDone(counts: Record<string, string>): Promise<void> {
  await expect
    .poll(() =>
      Object.fromEntries(
        report
          .css('dt')
          .elements()
          .map((dt) => [dt.textContent, dt.nextElementSibling?.textContent]),
      ),
    )
    .toMatchObject(counts)
  await expect.element(report).toMatchTextContent(/Done/)
}

test('an export of ChatGPT is brought in from the palette, adds nothing when it comes again, and its hidden branches are in the graph', async () => {
  const chat = await openPage('/')
  await userEvent.keyboard('{Control>}k{/Control}')
  await page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox').fill('chatgpt')
  await page.getByRole('option', { name: 'Import chats…' }).click()
  await expect.element(page.getByRole('heading', { name: 'Import chats' })).toBeVisible()
  await choose(exported())
  await expectDone({ 'Chats read': '1', Imported: '1', Unchanged: '0', Messages: '7' })
  await lookInAllWays('data')
  await choose(exported())
  await expectDone({ Imported: '0', Unchanged: '1' })
  await page.getByText('Imported chats').click()
  await page.getByRole('link', { name: 'Moons of the planets' }).last().click()
  await expect.element(chat.messages.last()).toMatchTextContent(/Venus has none\./)
  await expectCount(chat.messages, 4)
  await expectCount(chat.graph.css('[role=treeitem][data-branch]'), 2)
  await chat.graph
    .getByRole('button', { name: /Switch to/ })
    .first()
    .click()
  await expect.element(chat.messages.last()).toMatchTextContent(/Jupiter has ninety-five|Mars has two moons/)
})

test('a chat of SillyTavern and the file of its branch are chosen together, and become one chat', async () => {
  const header = { user_name: 'Ada', character_name: 'Seraphina', create_date: '2024-05-01@10h00m00s' }
  const says = (is_user: boolean, mes: string) => ({
    ...{ name: is_user ? 'Ada' : 'Seraphina', is_user, mes, send_date: 'May 1, 2024 10:01am' },
  })
  const begun = [says(false, 'You wake in the glade.'), says(true, 'Where am I?')]
  await openPage('/settings/data')
  await choose(
    linesFile('Glade.jsonl', { ...header, chat_metadata: {} }, ...begun, says(false, 'In Eldoria.')),
    linesFile(
      'Glade - Branch #1.jsonl',
      { ...header, chat_metadata: { main_chat: 'Glade' } },
      ...begun,
      says(false, 'In my home.'),
    ),
  )
  await expect.element(report).toMatchTextContent(/2 files\.zip/)
  await expectDone({ 'Chats read': '1', Messages: '4' })
})

test('several files are chosen, of which one is no export: it is refused in words, and the others are imported all the same', async () => {
  await openPage('/settings/data')
  await choose(
    jsonFile('one.json', [{ role: 'user', content: 'First' }]),
    notes(),
    jsonFile('two.json', [{ role: 'user', content: 'Second' }]),
  )
  const names = css('[aria-label="Imports"] bdi')
  await expect
    .poll(() => names.elements().map(({ textContent }) => textContent))
    .toEqual(['two.json', 'one.json'])
  await expect.element(refused).toMatchTextContent(/is not JSON/)
})

test('a group of SillyTavern is shown with the names of its speakers, and a line that was hidden from the model as such', async () => {
  const says = (name: string, mes: string, more = {}) => ({ name, mes, is_user: name === 'Ada', ...more })
  const chat = await openPage('/settings/data')
  await choose(
    linesFile(
      'Group.jsonl',
      { user_name: 'Ada', character_name: 'unused', chat_metadata: {} },
      says('Alice', 'Hi from Alice'),
      says('Bob', 'Hi from Bob'),
      says('Narrator', 'A note to nobody', { is_system: true }),
      says('Ada', 'Hi all'),
    ),
  )
  await expectDone({ Imported: '1', Messages: '4' })
  await page.getByText('Imported chats').click()
  await page.getByRole('link', { name: 'Group' }).last().click()
  await expectCount(chat.messages, 4)
  for (const name of ['Alice', 'Bob', 'Hidden where it came from', 'Ada'])
    await expect.element(page.getByRole('article', { name, exact: true })).toBeVisible()
})
