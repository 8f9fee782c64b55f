import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { css, expectCount } from '@/testing/page/chat-page'
import { openPage } from '@/testing/page/given'
import { lookInAllWays } from '@/testing/page/look'

// Chats of another program are brought in with a file, and their hidden branches are seen.

const node = (id: string, parent: string | null, role?: string, text?: string) => ({
  id,
  parent,
  children: [],
  message: role
    ? { id, author: { role }, create_time: 1_683_000_000, content: { content_type: 'text', parts: [text] } }
    : null,
})

/** ChatGPT's export of a conversation whose question was edited, and whose first reply was asked for twice. */
const moons = {
  id: 'moons',
  title: 'Moons of the planets',
  create_time: 1_683_000_000,
  update_time: 1_683_000_900,
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
const dialog = page.getByRole('dialog')
const importButton = (words: string | RegExp) => dialog.getByRole('button', { name: words })
/** Chooses files, and all that is found in them. */
const bring = async (...files: File[]) => {
  await choose(...files)
  await importButton(/^Import \d/).click()
}
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
  const row = dialog.getByRole('checkbox', { name: /Moons of the planets/ })
  await expect.element(row).toBeChecked()
  await expect.element(dialog).toMatchTextContent(/1 chat, 7 messages, 3 branches/)
  await expectCount(report, 0)
  await importButton('Import 1 chat').click()
  await expectDone({ 'Chats read': '1', Imported: '1', Unchanged: '0', Messages: '7' })
  await lookInAllWays('data')
  // what is here already is not chosen
  await choose(exported())
  await expect.element(dialog).toMatchTextContent(/Here already/)
  await expect.element(importButton('Import 0 chats')).toBeDisabled()
  await row.click()
  await importButton('Import 1 chat').click()
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
    name: is_user ? 'Ada' : 'Seraphina',
    is_user,
    mes,
    send_date: 'May 1, 2024 10:01am',
  })
  const begun = [says(false, 'You wake in the glade.'), says(true, 'Where am I?')]
  await openPage('/settings/data')
  await bring(
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
  await bring(
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
  await bring(
    linesFile(
      'Group.jsonl',
      { user_name: 'Ada', character_name: 'unused', chat_metadata: {} },
      says('Alice', 'Hi from Alice'),
      says('Bob', 'Hi from Bob'),
      says('Narrator', 'A note in the margin', { is_system: true }),
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

test('given a file of many chats, when some of them are chosen by title, day and with the keys, then these alone are imported', async () => {
  const day = (at: number) => new Date(Date.UTC(2026, 0, 1 + at)).toISOString()
  const many = Array.from({ length: 150 }, (_, at) => ({
    title: `Trip ${at}`,
    messages: [{ role: 'user', content: `Where to, ${at}?`, created_at: day(at) }],
  }))
  await openPage('/settings/data')
  await choose(jsonFile('trips.json', many))
  const boxes = dialog.getByRole('checkbox', { name: /^Trip \d/ })
  await expectCount(boxes, 100)
  await expect.element(dialog).toMatchTextContent(/150 chats, 150 messages, 17 kB/)
  await lookInAllWays('import-preview')
  await dialog.getByRole('button', { name: 'Show 50 more of 150' }).click()
  await expectCount(boxes, 150)

  await dialog.getByRole('checkbox', { name: /^All 150/ }).click()
  await expect.element(importButton('Import 0 chats')).toBeDisabled()
  await dialog.getByLabelText('Since').fill('2026-05-20')
  await expectCount(boxes, 11)
  await dialog.getByRole('checkbox', { name: /^All 11 that are shown/ }).click()
  await dialog.getByLabelText('Since').fill('')
  await dialog.getByRole('searchbox').fill('trip 14')
  await expectCount(boxes, 11)
  // from the search to the box for all, and into the list
  await dialog.getByRole('checkbox', { name: /^Trip 14\D/ }).click()
  await userEvent.keyboard('{ArrowDown}{ArrowDown} {ArrowUp} ')
  await importButton('Import 10 chats').click()
  await expectDone({ 'Chats read': '150', Imported: '10', 'Not chosen': '140' })
})

test('given a preview, when it is cancelled, then nothing is imported', async () => {
  await openPage('/settings/data')
  await choose(exported())
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expectCount(dialog, 0)
  await expectCount(report, 0)
  await expect.element(page.getByRole('button', { name: 'Choose a file' })).toHaveFocus()
})

test('given a chat that was copied as a text, when it is pasted, then its messages are shown, set right and imported', async () => {
  const chat = await openPage('/settings/data')
  await page.getByRole('button', { name: 'Paste a conversation' }).click()
  const text = dialog.getByRole('textbox', { name: 'Conversation' })
  await text.fill('Only a note.')
  await expect.element(dialog).toMatchTextContent(/No line says who speaks/)
  await text.fill(
    'Copied.\n\n**You:** Is Rome far?\n\n**Claude:** It is.\n\n**You:** How far?\n\n**Claude:** Two days.',
  )
  const messages = dialog.getByRole('list', { name: 'Messages' }).getByRole('listitem')
  await expectCount(messages, 5)
  await expect.element(dialog).toMatchTextContent(/before the first speaker is kept/)
  await lookInAllWays('paste')
  await messages.nth(1).getByRole('button', { name: 'Join to the message above' }).click()
  await expectCount(messages, 4)
  await dialog.getByRole('button', { name: 'Swap You and Assistant' }).click()
  await expect.element(messages.first().getByRole('radio', { name: 'Assistant' })).toBeChecked()
  await dialog.getByRole('button', { name: 'Swap You and Assistant' }).click()
  await messages.last().getByRole('radio', { name: 'You' }).click()
  await messages.last().getByRole('radio', { name: 'Assistant' }).click()
  await dialog.getByRole('textbox', { name: 'Title' }).fill('Rome by foot')
  await importButton('Import 4 messages').click()
  await expectDone({ Imported: '1', Messages: '4' })
  await page.getByText('Imported chats').click()
  await page.getByRole('link', { name: 'Rome by foot' }).last().click()
  await expectCount(chat.messages, 4)
  await expect.element(chat.messages.first()).toMatchTextContent(/Copied\.\s*Is Rome far\?/)
})
