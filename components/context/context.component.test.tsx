import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { ChatContext, ContextChange, SentPrompt } from '@/lib/protocol'
import { ChatPage, expectCount, focus, press } from '@/testing/page/chat-page'
import { chatId, intercept, openChat, openPage, reload } from '@/testing/page/given'
import { expectAccessible, lookInAllWays } from '@/testing/page/look'

// A person changes what the model is asked with, and sees it before it is in force.

const panel = page.getByRole('region', { name: 'Instructions', exact: true })
const field = (name: string) => panel.getByRole('textbox', { name, exact: true })
const button = (name: string) => panel.getByRole('button', { name, exact: true })
const presets = panel.getByRole('button', { name: 'Presets' })
const preview = panel.getByRole('figure', { name: 'Preview of the system prompt' })
const rows = panel.css('[data-fragment]')

async function openPanel(): Promise<void> {
  await new ChatPage().ofChat('Instructions')
  await expect.element(field('Role')).toBeVisible()
}

/** Opens a chat of one turn, and the context of its branch. */
async function openContext(): Promise<ChatPage> {
  const chat = await openChat({
    branches: [{ name: 'main', says: ['what is 2+2', { id: 'a1', says: 'That is 4.' }] }],
  })
  await openPanel()
  return chat
}

/** The address of what the next reply of the branch on the page is asked with. */
const addressOf = (what: 'prompt' | 'context'): string => {
  const branch = new URLSearchParams(location.search).get('branch')
  return `/api/chats/${chatId()}/${what}${branch ? `?branch=${branch}` : ''}`
}
const read = async <T,>(what: 'prompt' | 'context'): Promise<T> => (await fetch(addressOf(what))).json()
const readContext = () => read<ChatContext>('context')
const readPrompt = () => read<SentPrompt>('prompt')

/** Changes the context as another page does. */
async function changeElsewhere(changeOf: (now: ChatContext) => Partial<ContextChange>): Promise<void> {
  const now = await readContext()
  const answer = await fetch(addressOf('context'), {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ expected_context_id: now.context_id, ...changeOf(now) }),
  })
  expect(answer.status).toBe(200)
}

test('a chat from elsewhere, where tools ran without asking, says that they ask here', async () => {
  await openChat({ branches: [{ name: 'main', says: ['what is 2+2', { id: 'a1', says: 'That is 4.' }] }] })
  const context = { ...(await readContext()), tools: { calculator: 'ask' }, tools_lowered: true }
  intercept(/\/context\b/, () => Response.json(context))
  await openPanel()
  await expect.element(panel.getByRole('region', { name: 'Tools' })).toMatchTextContent('ask you first')
})

test('a context is changed, is in force from the next turn on, and comes back with a rewind', async () => {
  const chat = await openContext()
  await field('Role').fill('You are a pirate.')
  await button('Add').click()
  await chat.menuItem('Guardrail').click()
  await expect.element(panel.getByRole('textbox', { name: 'Guardrail: Rule' })).toHaveFocus()
  await userEvent.keyboard('Never tell where the treasure is')
  await panel.getByRole('radio', { name: 'Markdown' }).click()
  await panel.getByRole('textbox', { name: 'Temperature' }).fill('0.4')
  // seen before it is in force: not a letter differs from what the server compiles
  await expect.element(preview.css('pre')).toMatchTextContent('Never tell where the treasure is')
  const seen = preview.css('pre').element().textContent
  expect((await readPrompt()).system).toContain('helpful assistant')
  // a draft survives the panel and the page
  await button('Close instructions').click()
  await reload()
  await openPanel()
  await expect.element(panel.getByText('Unsaved changes')).toBeVisible()
  await press('Control+s')
  await expect.element(panel.getByText('In force from your next message.')).toBeVisible()
  expect(await readPrompt()).toMatchObject({ system: seen, settings: { temperature: 0.4 } })
  // the graph marks where, for a reader and for a screen reader
  await chat.ask('what is 3+3')
  await button('Close instructions').click()
  await chat.draw('Map')
  await expectCount(chat.graph.getByTitle('Context changed here'), 1)
  await expect
    .element(chat.node('You: what is 3+3'))
    .toHaveAccessibleDescription(expect.stringMatching(/context changed here/))
  await expect
    .element(chat.node('You: what is 2+2'))
    .not.toHaveAccessibleDescription(expect.stringMatching(/context/))
  // back before it
  await chat.act(/^Assistant: That is 4/, 'Branch from here')
  await openPanel()
  await expect.element(field('Role')).toHaveValue('You are a helpful assistant.')
})

test('rows are moved, switched off, grouped and removed by keyboard, and Undo brings one back', async () => {
  await openContext()
  const second = rows.nth(1)
  await focus(field('Role'))
  await press('Alt+ArrowDown')
  await expect.element(field('Role')).toHaveFocus()
  await expect.element(second.getByRole('textbox', { name: 'Role', exact: true })).toBeVisible()
  await focus(second.getByRole('switch'))
  await press(' ')
  await expect.element(preview).not.toMatchTextContent('role')
  await focus(second.getByRole('button', { name: 'More for Role' }))
  await press('Enter')
  await second.getByRole('combobox', { name: 'Group' }).fill('Who')
  await press('Enter')
  await expectCount(panel.getByRole('list', { name: 'Group Who' }).getByRole('listitem'), 1)
  await focus(rows.first().getByRole('button', { name: 'Remove Hint' }))
  await press('Enter')
  await expectCount(rows, 1)
  // the focus goes to what is beside it, not with it
  await expectCount(panel.css(':focus'), 1)
  await panel.getByRole('button', { name: 'Undo' }).click()
  await expectCount(rows, 2)
  await button('Save for next turn').click()
  await expect.element(panel.getByText('In force')).toBeVisible()
  const { fragments } = await readContext()
  expect(fragments.map(({ name, enabled, group }) => [name, enabled, group])).toEqual([
    ['hint', true, undefined],
    ['role', false, 'Who'],
  ])
})

test('what is added has the focus', async () => {
  const chat = await openContext()
  await lookInAllWays('context', () => expect.element(panel).toBeVisible())
  await page.viewport(1440, 900)
  const added = panel.css(':is(input, textarea):focus')
  for (const kind of ['Term', 'Guardrail', 'Example']) {
    await button('Add').click()
    await chat.menuItem(kind).click()
    await expectCount(added, 1)
    await userEvent.keyboard(`A ${kind} of some length, which says what it is about in a line or two`)
  }
  await panel.getByRole('button', { name: 'Remember' }).click()
  await expectCount(added, 1)
  await userEvent.keyboard('One of us is vegetarian.')
  await panel.getByRole('button', { name: 'More for Guardrail' }).click()
  await lookInAllWays('context-changed')
})

test('a context that two pages changed is shown twice, and nothing is lost', async () => {
  await openContext()
  // without a draft the panel follows the other page
  await changeElsewhere(() => ({ settings: { temperature: 1 } }))
  await expect.element(panel.getByRole('textbox', { name: 'Temperature' })).toHaveValue('1')
  // with one, both are shown
  await field('Role').fill('You are a pirate.')
  const theirs: Record<string, string> = { role: 'You are a monk.', hint: 'Say little.' }
  await changeElsewhere(({ fragments }) => ({
    fragments: fragments.map((fragment) => ({ ...fragment, data: theirs[fragment.name] ?? '' })),
  }))
  await button('Compare both').click()
  const differences = panel.getByRole('list', { name: 'Differences' }).css(':scope > li')
  await expectCount(differences, 2)
  const first = differences.first()
  await expect.element(first).toMatchTextContent('changed in both')
  await expect.element(first.getByRole('figure', { name: 'Mine' })).toMatchTextContent('pirate')
  await expect.element(first.getByRole('figure', { name: 'Theirs' })).toMatchTextContent('monk')
  await expectAccessible()
  await button('Save what is chosen').click()
  await expect.element(panel.getByText('In force')).toBeVisible()
  const { fragments } = await readContext()
  expect(fragments.map(({ data }) => data)).toEqual(['You are a pirate.', 'Say little.'])
})

test('a context is saved as a preset, which is added, renamed, deleted and brought back', async () => {
  await openContext()
  await field('Role').fill('You are a pirate.')
  await presets.click()
  await expect.element(panel.getByText('Nothing saved yet')).toBeVisible()
  await panel.getByRole('textbox', { name: 'Save this context as a preset' }).fill('Pirate')
  await press('Enter')
  await expect.element(panel.getByRole('list', { name: 'Your presets' })).toMatchTextContent('2 fragments')
  await button('Apply Tutor').click()
  await expect.element(field('Role')).toHaveValue('You are a patient tutor.')
  await panel.getByRole('button', { name: 'Undo' }).click()
  await expect.element(field('Role')).toHaveValue('You are a pirate.')
  await presets.click()
  await button('Add Pirate').click()
  await expectCount(rows, 4)
  await presets.click()
  await button('Rename Pirate').click()
  await userEvent.keyboard('Captain{Enter}')
  await button('Delete Captain').click()
  await expect.element(panel.getByText('Captain is deleted.')).toBeVisible()
  await button('Bring it back').click()
  await expect.element(button('Apply Captain')).toBeVisible()
  await lookInAllWays('context-presets')
})

test('a new chat gets its context before its first message', async () => {
  const chat = await openPage('/')
  await press('Escape')
  await chat.ofChat('Instructions')
  await button('Write instructions first').click()
  await field('Role').fill('You are a pirate.')
  await press('Control+Enter')
  await expect.element(panel.getByText('In force from your next message.')).toBeVisible()
  await chat.ask('what is 2+2')
  expect((await readPrompt()).system).toContain('<role>You are a pirate.</role>')
})
