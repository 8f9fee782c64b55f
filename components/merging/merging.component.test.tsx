import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { type ChatPage, expectCount, focus } from '@/testing/page/chat-page'
import { forkedChat, intercept, openChat, reload } from '@/testing/page/given'
import { lookInAllWays } from '@/testing/page/look'

// Branches brought together: merged, picked from, compacted, and all of it taken back.

async function openFork(): Promise<ChatPage> {
  const chat = await openChat(forkedChat)
  await chat.draw('Map')
  await expectCount(chat.nodes, 6)
  return chat
}

const dialog = (name: string) => page.getByRole('dialog', { name })

/** Presses the button of a dialog that does what the dialog is about. */
const confirm = (title: string, name = title) =>
  dialog(title).getByRole('button', { name, exact: true }).click()

/** Opens the menu of a branch in the graph and chooses an item. */
async function ofBranch(chat: ChatPage, branch: string, item: string): Promise<void> {
  await chat.label(branch).click({ button: 'right' })
  await chat.menuItem(item, { exact: true }).click()
}

test('a branch is merged into another, its brief reviewed before, and the merge leads to where it comes from', async () => {
  const chat = await openFork()
  await ofBranch(chat, 'what is 3+3', 'Merge into…')
  const brief = dialog('Merge').getByRole('textbox', { name: 'Brief' })
  await expect.element(brief).toHaveValue(expect.stringContaining('what is 3+3'))
  await lookInAllWays('merge')
  await brief.fill('**Found**\n\n- Three and three are six.')
  await confirm('Merge')
  await chat.reads('main')
  const merged = chat.message('Three and three are six.')
  await expect.element(merged).toHaveAttribute('data-role', 'user')
  await expect.element(merged.css('strong')).toHaveTextContent('Found')
  await expectCount(chat.messages, 5)
  await expect.element(page.getByRole('main')).toMatchTextContent('Merged. Write on, or ask for a reply.')
  await expect.element(page.getByRole('button', { name: 'Ask for a reply' })).toBeVisible()
  await expect
    .element(chat.node(/^You: Merged from branch/))
    .toHaveAttribute('aria-description', expect.stringContaining('Merged from what is 3+3'))
  await expectCount(chat.graph.css('[data-merges] path'), 1)
  await lookInAllWays('merged', async (size) => {
    if (size === 'narrow') await page.getByRole('tab', { name: 'Graph' }).click()
  })
  // the next reply reads it
  await chat.ask('how many messages do you see')
  await expectCount(chat.messages, 7)
  await merged.getByRole('button', { name: 'what is 3+3' }).click()
  await chat.reads('main-v2')
})

test('a preview whose answer breaks off is said to be missing, and is asked for again', async () => {
  const chat = await openFork()
  const broken = new ReadableStream({ pull: (body) => body.error(new TypeError('network error')) })
  const whole = intercept(/merge-preview/, () => new Response(broken))
  await ofBranch(chat, 'what is 3+3', 'Merge into…')
  await expect.element(dialog('Merge').getByRole('alert')).toMatchTextContent(/could not be reached/)
  whole()
  await dialog('Merge').getByRole('button', { name: 'Try again' }).click()
  const brief = dialog('Merge').getByRole('textbox', { name: 'Brief' })
  await expect.element(brief).toHaveValue(expect.stringContaining('what is 3+3'))
})

test('a merge is taken back and made again from the keyboard', async () => {
  const chat = await openFork()
  await ofBranch(chat, 'what is 3+3', 'Merge into…')
  await dialog('Merge').getByRole('radio', { name: 'Turns' }).click()
  await expect.element(dialog('Merge').getByText('2 messages are copied.')).toBeVisible()
  await confirm('Merge')
  await chat.reads('main')
  await expectCount(chat.messages, 6)
  await expectCount(chat.message('Copied from'), 2)
  await userEvent.keyboard('{Control>}z{/Control}')
  await chat.reads('main-v2')
  await expectCount(chat.messages, 4)
  await userEvent.keyboard('{Control>}{Shift>}z{/Shift}{/Control}')
  await chat.reads('main')
  await expectCount(chat.messages, 6)
  // there is nothing left to merge
  await reload()
  await ofBranch(chat, 'what is 3+3', 'Merge into…')
  await expect.element(dialog('Merge').getByText('There is nothing to merge')).toBeVisible()
  await expect.element(dialog('Merge').getByRole('button', { name: 'Merge', exact: true })).toBeDisabled()
})

test('a message is picked with its reply, alone or with others, and the copies lead to their originals', async () => {
  const chat = await openFork()
  await chat.said('what is 3+3').hover()
  await chat.more(chat.said('what is 3+3'), 'Bring single messages along…')
  const pick = dialog('Bring single messages along')
  await expectCount(pick.getByRole('list', { name: 'What is copied' }).getByRole('listitem'), 2)
  await expect.element(pick.getByRole('combobox', { name: 'Copy to' })).toMatchTextContent(/^Main line$/)
  await confirm('Bring single messages along', 'Bring along')
  await chat.reads('main')
  await expectCount(chat.messages, 6)
  await chat.said('what is 3+3').getByRole('button', { name: 'what is 3+3', exact: true }).click()
  await chat.reads('main-v2')
  await userEvent.keyboard('{Control>}z{/Control}')
  await userEvent.keyboard('{Control>}z{/Control}')
  await expectCount(chat.nodes, 6)
  // several are picked in the graph, in any order
  for (const name of [/^Assistant: .*6/, 'You: what is 3+3']) {
    await focus(chat.node(name))
    await userEvent.keyboard(' ')
  }
  await page
    .getByRole('group', { name: 'Compare' })
    .getByRole('button', { name: 'Bring single messages along…' })
    .click()
  await expect.element(pick.getByRole('listitem').first()).toMatchTextContent(/6/)
  await confirm('Bring single messages along', 'Bring along')
  await chat.reads('main')
  await expectCount(chat.messages, 6)
})

test('a message dragged onto a branch is picked to it, and a branch dragged onto another is merged', async () => {
  const chat = await openChat(forkedChat, { branch: 'main-v2' })
  await chat.draw('Outline')
  await userEvent.dragAndDrop(chat.node('You: what is 3+3'), chat.row('Main line'))
  const pick = dialog('Bring single messages along')
  await expect.element(pick.getByRole('combobox', { name: 'Copy to' })).toMatchTextContent(/^Main line$/)
  await pick.getByRole('button', { name: 'Cancel' }).click()
  await userEvent.dragAndDrop(chat.row('Main line'), chat.node('You: what is 3+3'))
  await dialog('Merge').getByRole('radio', { name: 'Turns' }).click()
  await confirm('Merge')
  await chat.reads('main-v2')
  await expectCount(chat.messages, 6)
  // onto a branch that has it, nothing is asked
  await userEvent.dragAndDrop(chat.node('You: what is 3+3'), chat.node(/^Assistant: .*6/))
  await expectCount(pick, 0)
})

test('a branch is compacted to one summary, and the original stays', async () => {
  const chat = await openFork()
  await ofBranch(chat, 'what is 3+3', 'Sum up and go on…')
  await expect.element(dialog('Sum up and go on').getByText('4 messages')).toBeVisible()
  await lookInAllWays('compact')
  await dialog('Sum up and go on').getByRole('textbox', { name: 'Summary' }).fill('Devansh adds up numbers.')
  await confirm('Sum up and go on', 'Go on from this summary')
  await expectCount(chat.messages, 1)
  const summary = chat.message('Stands for 4 messages')
  await expect.element(summary).toBeVisible()
  await chat.ask('hello again')
  await expectCount(chat.messages, 3)
  await summary.getByRole('button', { name: 'what is 3+3' }).click()
  await chat.reads('main-v2')
  await expectCount(chat.messages, 4)
})

test('given a dialog about a branch was closed, when another one is opened, then it closes too', async () => {
  const chat = await openFork()
  for (const [item, title] of [
    ['Merge into…', 'Merge'],
    ['Share…', 'Share'],
  ] as const) {
    await ofBranch(chat, 'what is 3+3', item)
    await dialog(title).getByRole('button', { name: 'Close' }).click()
    await expectCount(dialog(title), 0)
  }
})
