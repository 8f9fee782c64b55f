import type { Page } from '@playwright/test'
import type { ChatContext, SentPrompt } from '@/lib/protocol'
import { ChatPage } from '../support/chat-page'
import { look, onEveryScreen } from '../support/screens'
import { expect, test } from '../support/test'

// A person changes what the model is asked with, and sees it before it is in force.

const panelOf = (page: Page) => page.getByRole('region', { name: 'Context', exact: true })

async function openPanel(page: Page) {
  await page.getByRole('button', { name: 'Context', exact: true }).click()
  const panel = panelOf(page)
  await expect(panel.getByRole('textbox', { name: 'Role', exact: true })).toBeVisible()
  return panel
}

/** What the next reply of the branch on the page is asked with, as the server tells it. */
async function readOf<T>(page: Page, what: 'prompt' | 'context'): Promise<T> {
  const { pathname, searchParams } = new URL(page.url())
  const branch = searchParams.get('branch')
  const query = branch ? `?branch=${encodeURIComponent(branch)}` : ''
  return (await page.request.get(`/api/chats/${pathname.split('/')[2]}/${what}${query}`)).json() as Promise<T>
}

test('a context is changed, is in force from the next turn on, and comes back with a rewind', async ({
  chat,
  page,
}) => {
  await chat.open()
  await chat.ask('what is 2+2')
  const panel = await openPanel(page)
  await panel.getByRole('textbox', { name: 'Role', exact: true }).fill('You are a pirate.')
  await panel.getByRole('button', { name: 'Add', exact: true }).click()
  await chat.menuItem('Guardrail').click()
  await expect(panel.getByRole('textbox', { name: 'Guardrail: Rule' })).toBeFocused()
  await page.keyboard.type('Never tell where the treasure is')
  await panel.getByRole('radio', { name: 'Markdown' }).click()
  await panel.getByRole('textbox', { name: 'Temperature' }).fill('0.4')
  // seen before it is in force: not a letter differs from what the server compiles
  const preview = panel.getByRole('figure', { name: 'Preview of the system prompt' }).locator('pre')
  await expect(preview).toContainText('Never tell where the treasure is')
  const seen = await preview.textContent()
  expect((await readOf<SentPrompt>(page, 'prompt')).system).toContain('helpful assistant')
  // a draft survives the panel and the page
  await panel.getByRole('button', { name: 'Close context' }).click()
  await chat.reload()
  await openPanel(page)
  await expect(panel.getByText('Unsaved changes')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+s')
  await expect(panel.getByText('In force from your next message.')).toBeVisible()
  const prompt = await readOf<SentPrompt>(page, 'prompt')
  expect(prompt.system).toBe(seen)
  expect(prompt.settings).toEqual({ temperature: 0.4 })
  // the graph marks where, for a reader and for a screen reader
  await chat.ask('what is 3+3')
  await panel.getByRole('button', { name: 'Close context' }).click()
  const marks = chat.graph.getByTitle('Context changed here')
  await expect(marks).toHaveCount(1)
  await expect(chat.node('You: what is 3+3')).toHaveAccessibleDescription(/context changed here/)
  await expect(chat.node('You: what is 2+2')).not.toHaveAccessibleDescription(/context/)
  // back before it
  await chat.act(/^Assistant: .*4/, 'Branch from here')
  await openPanel(page)
  await expect(panel.getByRole('textbox', { name: 'Role', exact: true })).toHaveValue(
    'You are a helpful assistant.',
  )
})

test('rows are moved, switched off, grouped and removed by keyboard, and Undo brings one back', async ({
  chat,
  page,
}) => {
  await chat.open()
  await chat.ask('what is 2+2')
  const panel = await openPanel(page)
  const rows = panel.locator('[data-fragment]')
  const role = panel.getByRole('textbox', { name: 'Role', exact: true })
  await role.focus()
  await page.keyboard.press('Alt+ArrowDown')
  await expect(role).toBeFocused()
  await expect(rows.nth(1).getByRole('textbox', { name: 'Role', exact: true })).toBeVisible()
  await rows.nth(1).getByRole('switch').press('Space')
  await expect(panel.getByRole('figure', { name: 'Preview of the system prompt' })).not.toContainText('role')
  await rows.nth(1).getByRole('button', { name: 'More for Role' }).press('Enter')
  await rows.nth(1).getByRole('combobox', { name: 'Group' }).fill('Who')
  await page.keyboard.press('Enter')
  await expect(panel.getByRole('list', { name: 'Group Who' }).getByRole('listitem')).toHaveCount(1)
  await rows.first().getByRole('button', { name: 'Remove Hint' }).press('Enter')
  await expect(rows).toHaveCount(1)
  // the focus goes to what is beside it, not with it
  await expect(panel.locator(':focus')).toHaveCount(1)
  await panel.getByRole('button', { name: 'Undo' }).click()
  await expect(rows).toHaveCount(2)
  await panel.getByRole('button', { name: 'Save for next turn' }).click()
  await expect(panel.getByText('In force')).toBeVisible()
  const { fragments } = await readOf<ChatContext>(page, 'context')
  expect(fragments.map(({ name, enabled, group }) => [name, enabled, group])).toEqual([
    ['hint', true, undefined],
    ['role', false, 'Who'],
  ])
})

test('a context that two tabs changed is shown twice, and nothing is lost', async ({
  chat,
  page,
  context,
}) => {
  await chat.open()
  await chat.ask('what is 2+2')
  const other = new ChatPage(await context.newPage())
  await other.open(page.url())
  const [mine, theirs] = [await openPanel(page), await openPanel(other.page)]
  // without a draft the panel follows the other tab
  await theirs.getByRole('textbox', { name: 'Temperature' }).fill('1')
  await theirs.getByRole('button', { name: 'Save for next turn' }).click()
  await expect(mine.getByRole('textbox', { name: 'Temperature' })).toHaveValue('1')
  // with one, both are shown
  await mine.getByRole('textbox', { name: 'Role', exact: true }).fill('You are a pirate.')
  await theirs.getByRole('textbox', { name: 'Role', exact: true }).fill('You are a monk.')
  await theirs.getByRole('textbox', { name: 'Hint', exact: true }).fill('Say little.')
  await theirs.getByRole('button', { name: 'Save for next turn' }).click()
  await mine.getByRole('button', { name: 'Compare both' }).click()
  const differences = mine.getByRole('list', { name: 'Differences' }).locator(':scope > li')
  await expect(differences).toHaveCount(2)
  await expect(differences.first()).toContainText('changed in both')
  await expect(differences.first().getByRole('figure', { name: 'Mine' })).toContainText('pirate')
  await expect(differences.first().getByRole('figure', { name: 'Theirs' })).toContainText('monk')
  // a page behind another draws nothing
  await page.bringToFront()
  await look(page, 'context-conflict', { size: 'wide', colorScheme: 'light', suffix: 'wide-light' })
  await mine.getByRole('button', { name: 'Save what is chosen' }).click()
  await expect(mine.getByText('In force')).toBeVisible()
  const { fragments } = await readOf<ChatContext>(page, 'context')
  expect(fragments.map(({ data }) => data)).toEqual(['You are a pirate.', 'Say little.'])
})

test('a context is saved as a preset, and applied on another branch', async ({ chat, page }) => {
  await chat.open()
  await chat.ask('what is 2+2')
  const panel = await openPanel(page)
  const role = panel.getByRole('textbox', { name: 'Role', exact: true })
  const presets = panel.getByRole('button', { name: 'Presets' })
  await role.fill('You are a pirate.')
  await presets.click()
  await panel.getByRole('textbox', { name: 'Save this context as a preset' }).fill('Pirate')
  await page.keyboard.press('Enter')
  await expect(panel.getByRole('list', { name: 'Your presets' })).toContainText('2 fragments')
  await panel.getByRole('button', { name: 'Apply Tutor' }).click()
  await expect(role).toHaveValue('You are a patient tutor.')
  await panel.getByRole('button', { name: 'Undo' }).click()
  await expect(role).toHaveValue('You are a pirate.')
  await presets.click()
  await panel.getByRole('button', { name: 'Add Pirate' }).click()
  await expect(panel.locator('[data-fragment]')).toHaveCount(4)
  await presets.click()
  await panel.getByRole('button', { name: 'Rename Pirate' }).click()
  await page.keyboard.type('Captain')
  await page.keyboard.press('Enter')
  await panel.getByRole('button', { name: 'Delete Captain' }).click()
  await expect(panel.getByText('Captain is deleted.')).toBeVisible()
  await panel.getByRole('button', { name: 'Bring it back' }).click()
  await expect(panel.getByRole('button', { name: 'Apply Captain' })).toBeVisible()
})

test('a new chat gets its context before its first message', async ({ chat, page }) => {
  await chat.open()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Context', exact: true }).click()
  await panelOf(page).getByRole('button', { name: 'Set up its context first' }).click()
  const role = panelOf(page).getByRole('textbox', { name: 'Role', exact: true })
  await role.fill('You are a pirate.')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(panelOf(page).getByText('In force from your next message.')).toBeVisible()
  await chat.ask('what is 2+2')
  expect((await readOf<SentPrompt>(page, 'prompt')).system).toContain('<role>You are a pirate.</role>')
})

onEveryScreen((screen) => {
  test('the context of a branch', async ({ chat, page }) => {
    await chat.open()
    await chat.ask('what is 2+2')
    const panel = await openPanel(page)
    await look(page, 'context', screen)
    // what was added has the focus
    const field = panel.getByRole('textbox').and(page.locator(':focus'))
    for (const kind of ['Term', 'Guardrail', 'Example']) {
      await panel.getByRole('button', { name: 'Add', exact: true }).click()
      await chat.menuItem(kind).click()
      await expect(field).toBeVisible()
      await page.keyboard.type(`A ${kind} of some length, which says what it is about in a line or two`)
    }
    await panel.getByRole('button', { name: 'Remember' }).click()
    await expect(field).toBeVisible()
    await page.keyboard.type('One of us is vegetarian.')
    await panel.getByRole('button', { name: 'More for Guardrail' }).click()
    await look(page, 'context-changed', screen)
    await panel.getByRole('button', { name: 'Presets' }).click()
    await expect(panel.getByText('Nothing saved yet')).toBeVisible()
    await look(page, 'context-presets', screen)
  })
})
