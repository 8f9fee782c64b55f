import type { ChatPage } from '../support/chat-page'
import { openForkedChat, openSample } from '../support/openings'
import { look, onEveryScreen } from '../support/screens'
import { expect, test } from '../support/test'

// Branches brought together: merged, picked from, compacted, and all of it taken back.

const dialog = (chat: ChatPage, name: string) => chat.page.getByRole('dialog', { name })

/** Opens the menu of a branch in the graph and chooses an item. */
async function ofBranch(chat: ChatPage, branch: string, item: string): Promise<void> {
  await chat.label(branch).click({ button: 'right' })
  await chat.menuItem(item, { exact: true }).click()
}

test('a branch is merged into another, its brief reviewed before, and Undo takes it back', async ({
  chat,
}) => {
  await openForkedChat(chat)
  await ofBranch(chat, 'main-v2', 'Merge into…')
  const merge = dialog(chat, 'Merge')
  const brief = merge.getByRole('textbox', { name: 'Brief' })
  await expect(brief).toHaveValue(/what is 3\+3/)
  await brief.fill('**Found**\n\n- Three and three are six.')

  await merge.getByRole('button', { name: 'Merge', exact: true }).click()

  await chat.reads('main')
  const merged = chat.message('Three and three are six.')
  await expect(merged).toHaveAttribute('data-role', 'user')
  await expect(merged.locator('strong')).toHaveText('Found')
  await expect(chat.messages).toHaveCount(5)
  await expect(chat.node(/^You: Merged from branch/)).toHaveAttribute('aria-description', /merged here/)
  await expect(chat.graph.locator('[data-merges] path')).toHaveCount(1)
  // the next reply reads it
  await chat.ask('how many messages do you see')
  await expect(chat.messages).toHaveCount(7)
  // and the link leads to where it comes from
  await merged.getByRole('button', { name: 'what is 3+3' }).click()
  await chat.reads('main-v2')
})

test('a merge is taken back and made again from the keyboard', async ({ chat, page }) => {
  await openForkedChat(chat)
  await ofBranch(chat, 'main-v2', 'Merge into…')
  const merge = dialog(chat, 'Merge')
  await merge.getByRole('radio', { name: 'Turns' }).click()
  await expect(merge.getByText('2 messages are copied.')).toBeVisible()
  await merge.getByRole('button', { name: 'Merge', exact: true }).click()
  await chat.reads('main')
  await expect(chat.messages).toHaveCount(6)
  await expect(chat.message('Copied from')).toHaveCount(2)

  await page.keyboard.press('Control+z')
  await chat.reads('main-v2')
  await expect(chat.messages).toHaveCount(4)
  await page.keyboard.press('Control+Shift+z')
  await chat.reads('main')
  await expect(chat.messages).toHaveCount(6)
  // there is nothing left to merge
  await chat.reload()
  await ofBranch(chat, 'main-v2', 'Merge into…')
  await expect(merge.getByText('There is nothing to merge')).toBeVisible()
  await expect(merge.getByRole('button', { name: 'Merge', exact: true })).toBeDisabled()
})

test('a message is picked with its reply, alone or with others, and the copies lead to their originals', async ({
  chat,
  page,
}) => {
  await openForkedChat(chat)
  await chat.said('what is 3+3').hover()
  await chat.said('what is 3+3').getByRole('button', { name: 'More actions' }).click()
  await chat.menuItem('Cherry-pick to…').click()
  const pick = dialog(chat, 'Cherry-pick')
  await expect(pick.getByRole('list', { name: 'What is copied' }).getByRole('listitem')).toHaveCount(2)
  await expect(pick.getByRole('combobox', { name: 'Copy to' })).toHaveText('main')
  await pick.getByRole('button', { name: 'Cherry-pick', exact: true }).click()
  await chat.reads('main')
  await expect(chat.messages).toHaveCount(6)
  await chat.said('what is 3+3').getByRole('button', { name: 'what is 3+3', exact: true }).click()
  await chat.reads('main-v2')
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Control+z')
  await expect(chat.nodes).toHaveCount(6)

  // several are picked in the graph, in any order
  await chat.node(/^Assistant: .*6/).focus()
  await page.keyboard.press('Space')
  await chat.node('You: what is 3+3').focus()
  await page.keyboard.press('Space')
  await page.getByRole('group', { name: 'Compare' }).getByRole('button', { name: 'Cherry-pick to…' }).click()
  await expect(pick.getByRole('listitem').first()).toContainText('6')
  await pick.getByRole('button', { name: 'Cherry-pick', exact: true }).click()
  await chat.reads('main')
  await expect(chat.messages).toHaveCount(6)
})

test('a message dragged onto a branch is picked to it, and a branch dragged onto another is merged', async ({
  chat,
}) => {
  await openForkedChat(chat)
  await chat.draw('Outline')
  await chat.node('You: what is 3+3').dragTo(chat.row('main'))
  const pick = dialog(chat, 'Cherry-pick')
  await expect(pick.getByRole('combobox', { name: 'Copy to' })).toHaveText('main')
  await pick.getByRole('button', { name: 'Cancel' }).click()

  await chat.row('main').dragTo(chat.node('You: what is 3+3'))
  const merge = dialog(chat, 'Merge')
  await merge.getByRole('radio', { name: 'Turns' }).click()
  await merge.getByRole('button', { name: 'Merge', exact: true }).click()
  await chat.reads('main-v2')
  await expect(chat.messages).toHaveCount(6)
  // onto a branch that has it, nothing is asked
  await chat.node('You: what is 3+3').dragTo(chat.node(/^Assistant: .*6/))
  await expect(pick).toHaveCount(0)
})

test('a branch is compacted to one summary, and the original stays', async ({ chat, page }) => {
  await openForkedChat(chat)
  await ofBranch(chat, 'main-v2', 'Compact…')
  const compact = dialog(chat, 'Compact')
  await expect(compact.getByText('4 messages')).toBeVisible()
  await compact.getByRole('textbox', { name: 'Summary' }).fill('Devansh adds up numbers.')
  await compact.getByRole('button', { name: 'Compact', exact: true }).click()
  await expect(chat.messages).toHaveCount(1)
  await expect(chat.message('Stands for 4 messages')).toBeVisible()
  await chat.ask('hello again')
  await expect(chat.messages).toHaveCount(3)
  await chat.message('Stands for 4 messages').getByRole('button', { name: 'what is 3+3' }).click()
  await chat.reads('main-v2')
  await expect(chat.messages).toHaveCount(4)
  expect(page.url()).toContain('branch=main-v2')
})

onEveryScreen((screen) => {
  test('a merge in the thread and in the graph, and the dialogs', async ({ chat, page }) => {
    const path = await openSample(chat)
    await chat.open(`${path}?branch=the-whole-plan`)
    const merged = chat.message('Merged from')
    await merged.scrollIntoViewIfNeeded()
    await expect(merged.getByRole('button', { name: 'beach-day' })).toBeVisible()
    await look(page, 'merge-thread', screen)
    if (screen.size === 'narrow') await page.getByRole('tab', { name: 'Graph' }).click()
    await chat.draw('Map')
    await look(page, 'merge-map', screen)
    await chat.draw('Outline')
    await chat.row(/porto-instead/).click({ button: 'right' })
    await chat.menuItem('Merge into…', { exact: true }).click()
    await expect(dialog(chat, 'Merge').getByRole('textbox', { name: 'Brief' })).toBeVisible()
    await look(page, 'merge', screen)
    await page.keyboard.press('Escape')
    await chat.row(/porto-instead/).click({ button: 'right' })
    await chat.menuItem('Compact…', { exact: true }).click()
    await expect(dialog(chat, 'Compact').getByRole('textbox')).toBeVisible()
    await look(page, 'compact', screen)
  })
})
