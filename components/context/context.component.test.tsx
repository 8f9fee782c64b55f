import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { ChatContext, ContextChange, SentPrompt } from '@/lib/protocol'
import { ChatPage, expectCount, focus, press } from '@/testing/page/chat-page'
import { chatId, intercept, openChat, openPage, reload } from '@/testing/page/given'
import { lookInAllWays } from '@/testing/page/look'

// A person changes what the model is asked with: what is set is in force.

const panel = page.getByRole('region', { name: 'Instructions', exact: true })
const field = (name: string) => panel.getByRole('textbox', { name, exact: true })
const button = (name: string) => panel.getByRole('button', { name, exact: true })
const presets = panel.getByRole('button', { name: 'Use a preset' })
const box = field('Instructions')
const inForce = panel.getByText('In force from your next message.')
const preview = panel.getByRole('figure', { name: 'Preview of the system prompt' })
const rows = panel.css('[data-fragment]')

async function openPanel(): Promise<void> {
  await new ChatPage().ofChat('Instructions')
  await expect.element(box).toBeVisible()
}

/** Opens what few people need; it stays open. */
async function openAdvanced(): Promise<void> {
  await panel.getByRole('button', { name: /^Advanced/ }).click()
  await expect.element(field('Role')).toBeVisible()
}

/** Opens a chat of one turn, and the instructions of its branch. */
async function openInstructions(): Promise<ChatPage> {
  const chat = await openChat({
    branches: [{ name: 'main', says: ['what is 2+2', { id: 'a1', says: 'That is 4.' }] }],
  })
  await openPanel()
  return chat
}

/** Opens them with everything that few people need. */
async function openContext(): Promise<ChatPage> {
  const chat = await openInstructions()
  await openAdvanced()
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

/** The server is not reached by what saves a context. */
async function withoutSaving(): Promise<() => void> {
  const now = await readContext()
  return intercept(/\/context\b/, ({ init }) => {
    if (init?.method === 'PUT') throw new TypeError('Failed to fetch')
    return Response.json(now)
  })
}

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

test('instructions are a plain text: in force by themselves, one change, and taken back by Undo', async () => {
  const chat = await openInstructions()
  await expectCount(rows, 0)
  await expect.element(panel).not.toMatchTextContent('ragment')
  await lookInAllWays('instructions', () => expect.element(box).toBeVisible())
  await page.viewport(1440, 900)
  await box.click()
  await userEvent.keyboard('Speak like')
  await expect.element(inForce).toBeVisible()
  await userEvent.keyboard(' a pirate.')
  const system = async () => (await readPrompt()).system
  await expect.poll(system).toContain('<instruction>Speak like a pirate.</instruction>')
  // two rests of the keys are one change: it goes back as one, and is one line of the history
  await panel.getByRole('button', { name: 'Undo' }).click()
  await expect.element(box).toHaveValue('')
  await expect.poll(system).not.toContain('pirate')
  await focus(chat.messages.first())
  await press('Control+z')
  await expect.element(box).toHaveValue('Speak like a pirate.')
  await press('Control+z')
  await expect.element(box).toHaveValue('')
  await expect.poll(system).not.toContain('pirate')
})

test('a message that is sent right after the last key is asked with it', async () => {
  const chat = await openInstructions()
  await box.fill('Speak like a pirate.')
  await chat.ask('what is 3+3')
  const reply = [...document.querySelectorAll('article[data-role="assistant"]')].at(-1)
  const id = reply?.getAttribute('data-message-id')
  const sent = (await (await fetch(`/api/chats/${chatId()}/prompt?message=${id}`)).json()) as SentPrompt
  expect(sent.system).toContain('Speak like a pirate.')
  // and what is typed last before the panel closes is in force too
  await box.fill('Speak like a monk.')
  await button('Close instructions').click()
  await expect.poll(async () => (await readPrompt()).system).toContain('monk')
})

test('what the server could not be told survives the panel and the page, and is in force once it can', async () => {
  await openInstructions()
  const restore = await withoutSaving()
  await box.fill('Speak like a pirate.')
  await expect.element(panel.getByRole('alert')).toMatchTextContent('Not in force yet')
  await button('Close instructions').click()
  restore()
  await reload()
  await openPanel()
  await expect.element(box).toHaveValue('Speak like a pirate.')
  await expect.poll(async () => (await readPrompt()).system).toContain('pirate')
})

test('a context is changed in parts, is in force from the next turn on, and comes back with a rewind', async () => {
  const chat = await openContext()
  await field('Role').fill('You are a pirate.')
  await button('Add').click()
  await chat.menuItem('Guardrail').click()
  await expect.element(panel.getByRole('textbox', { name: 'Guardrail: Rule' })).toHaveFocus()
  await userEvent.keyboard('Never tell where the treasure is')
  await panel.getByRole('radio', { name: 'Markdown' }).click()
  await panel.getByRole('textbox', { name: 'Temperature' }).fill('0.4')
  await panel.getByRole('button', { name: /^Preview/ }).click()
  await expect.element(preview.css('pre')).toMatchTextContent('Never tell where the treasure is')
  const seen = preview.css('pre').element().textContent
  // not a letter differs from what the server compiles
  await expect.poll(readPrompt).toMatchObject({ system: seen, settings: { temperature: 0.4 } })
  await expect.element(inForce).toBeVisible()
  // a number that is none is said beside its field, with the one that counts
  await panel.getByRole('textbox', { name: 'Temperature' }).fill('9')
  await expect.element(panel.getByText('A number from 0 to 2. In force: 0.4.')).toBeVisible()
  await panel.getByRole('textbox', { name: 'Temperature' }).fill('0.4')
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

test('a memory that is not whole is said to be out of force beside it, and the others are in force', async () => {
  await openContext()
  await button('Remember').click()
  const added = panel.css('textarea:focus')
  await expectCount(added, 1)
  await expect.element(panel.getByText('Not in force: it has no text.')).toBeVisible()
  await field('Role').fill('You are a pirate.')
  await expect
    .poll(readContext)
    .toMatchObject({ memories: [], fragments: [{ data: 'You are a pirate.' }, {}] })
  await panel.getByRole('textbox', { name: 'Text of note-1' }).fill('One of us is vegetarian. ')
  await expect.poll(readContext).toMatchObject({ memories: [{ text: 'One of us is vegetarian.' }] })
  await expectCount(panel.getByText('Not in force'), 0)
})

test('rows are moved, switched off, grouped and removed by keyboard, and Undo brings one back', async () => {
  await openContext()
  const second = rows.nth(1)
  await focus(field('Role'))
  await press('Alt+ArrowDown')
  await expect.element(field('Role')).toHaveFocus()
  await expect.element(second.getByRole('textbox', { name: 'Role', exact: true })).toBeVisible()
  await panel.getByRole('button', { name: /^Preview/ }).click()
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
  const inTheChat = async () =>
    (await readContext()).fragments.map(({ name, enabled, group }) => [name, enabled, group])
  await expect.poll(inTheChat).toEqual([
    ['hint', true, undefined],
    ['role', false, 'Who'],
  ])
})

test('what is added has the focus', async () => {
  const chat = await openContext()
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
  // a change that the server has not got yet is kept, and said not to be in force
  const restore = await withoutSaving()
  await field('Role').fill('You are a pirate.')
  await expect.element(panel.getByRole('alert')).toMatchTextContent('Not in force yet')
  restore()
  const theirs: Record<string, string> = { role: 'You are a monk.', hint: 'Say little.' }
  await changeElsewhere(({ fragments }) => ({
    fragments: fragments.map((fragment) => ({ ...fragment, data: theirs[fragment.name] ?? '' })),
  }))
  // both are shown
  await lookInAllWays('instructions-conflict', () => button('Compare both').click())
  await page.viewport(1440, 900)
  await button('Compare both').click()
  const differences = panel.getByRole('list', { name: 'Differences' }).css(':scope > li')
  await expectCount(differences, 2)
  const first = differences.first()
  await expect.element(first).toMatchTextContent('changed in both')
  await expect.element(first.getByRole('figure', { name: 'Mine' })).toMatchTextContent('pirate')
  await expect.element(first.getByRole('figure', { name: 'Theirs' })).toMatchTextContent('monk')
  await button('Save what is chosen').click()
  const texts = async () => (await readContext()).fragments.map(({ data }) => data)
  await expect.poll(texts).toEqual(['You are a pirate.', 'Say little.'])
})

test('a context is saved as a preset, which is added, renamed, deleted and brought back', async () => {
  await openContext()
  await field('Role').fill('You are a pirate.')
  await presets.click()
  await expect.element(panel.getByText('Nothing saved yet')).toBeVisible()
  await panel.getByRole('textbox', { name: 'Save what is set here as a preset' }).fill('Pirate')
  await press('Enter')
  await expect.element(panel.getByRole('list', { name: 'Your presets' })).toMatchTextContent('2 parts')
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

test('a new chat has instructions before its first message, and keeps them', async () => {
  const chat = await openPage('/')
  await press('Escape')
  await chat.ofChat('Instructions')
  await lookInAllWays('instructions-new-chat')
  await page.viewport(1440, 900)
  await box.fill('Speak like a pirate.')
  await expect.element(inForce).toBeVisible()
  await expect.element(box).toHaveFocus()
  await chat.ask('what is 2+2')
  expect((await readPrompt()).system).toContain('<instruction>Speak like a pirate.</instruction>')
  await expect.element(box).toHaveValue('Speak like a pirate.')
})
