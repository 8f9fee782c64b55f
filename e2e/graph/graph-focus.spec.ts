import { openForkedChat } from '../support/openings'
import { expect, test } from '../support/test'

test('a click leaves the keys to the graph', async ({ chat, page }) => {
  await openForkedChat(chat)
  const name = chat.graph.getByRole('textbox', { name: 'Checkpoint name' })
  const reply = chat.node(/^Assistant: .*devansh/i)
  const zoom = chat.graph.getByRole('button', { name: 'Zoom to 100 %' })
  // when a message is clicked, then arrows go on from it
  await chat.node('You: I am devansh').getByRole('button').click()
  await expect(chat.node('You: I am devansh')).toBeFocused()
  await expect(chat.toolbar).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(reply).toBeFocused()
  // and c opens a field in place, which a click elsewhere closes
  await page.keyboard.press('c')
  await expect(name).toBeFocused()
  await chat.box.click()
  await expect(name).toHaveCount(0)
  await expect(chat.box).toBeFocused()
  await reply.focus()
  await page.keyboard.press('Escape')
  await expect(chat.toolbar).toHaveCount(0)

  // given three checkpoints at the head
  await chat.here.focus()
  let description = 'Head of main-v2'
  for (const each of ['good', 'better', 'best']) {
    await page.keyboard.press('c')
    await name.fill(each)
    await name.press('Enter')
    // a screen reader is told of the checkpoints
    description += `, checkpoint ${each}`
    await expect(chat.here).toHaveAttribute('aria-description', description)
    await expect(chat.here).toBeFocused()
  }
  // then the branch's label is whole, and beside it stand one checkpoint and a count
  const label = chat.label('main-v2')
  expect(await label.evaluate((each) => each.scrollWidth <= each.clientWidth)).toBe(true)
  expect((await label.boundingBox())?.width).toBeGreaterThan(90)
  await expect(chat.graph.getByRole('button', { name: 'Restore good', exact: true })).toBeVisible()
  await chat.graph.getByRole('button', { name: '2 more checkpoints' }).click()
  await expect(chat.menuItem('Restore best')).toBeVisible()
  await page.keyboard.press('Escape')
  await chat.here.focus()
  await page.keyboard.press('Space')
  await expect(chat.here).toHaveAttribute('aria-description', `${description}, picked`)
  // when a checkpoint is named at the smallest zoom, then there is room for the field
  await zoom.click()
  await expect(zoom).toHaveAccessibleName('Zoom to 100 %, now 100 %')
  await chat.here.focus()
  for (let times = 0; times < 9; times++) await page.keyboard.press('-')
  await expect(zoom).toHaveAccessibleName('Zoom to 100 %, now 13 %')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('c')
  await expect(name).toBeFocused()
})

test('dialogs give the focus back', async ({ chat, page }) => {
  await chat.open()
  await chat.ask('I am devansh')
  const from = chat.node('You: I am devansh')
  const dialog = page.getByRole('dialog')
  await from.focus()
  for (const key of ['?', 'Control+k']) {
    await page.keyboard.press(key)
    await expect(dialog).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(from).toBeFocused()
  }
  // a dialog that was opened from another gives it back to what had it before both
  await page.keyboard.press('Control+k')
  await page.keyboard.type('Show keys')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(from).toBeFocused()
  // and a dialog that was opened from a menu, to the button of the menu
  const more = page.getByRole('button', { name: /^More about/ })
  await more.focus()
  await page.keyboard.press('Enter')
  await chat.menuItem('Delete').click()
  await expect(page.getByRole('button', { name: 'Keep it' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(more).toBeFocused()
})

test('the focus stays with a branch that is renamed or archived', async ({ chat, page }) => {
  await openForkedChat(chat)
  // given the list of branches, opened from its button
  const open = page.getByRole('button', { name: 'Branches', exact: true })
  await open.focus()
  await page.keyboard.press('Enter')
  const list = page.getByRole('dialog', { name: 'Branches' })
  const row = (name: string) => list.getByRole('button', { name: `Switch to ${name}`, exact: true })
  const name = list.getByRole('textbox', { name: 'Branch name' })
  // when a rename is left, and then done
  await list.getByRole('button', { name: 'Rename main', exact: true }).press('Enter')
  await expect(name).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(row('main')).toBeFocused()
  await list.getByRole('button', { name: 'Rename main', exact: true }).press('Enter')
  await name.fill('twos')
  await page.keyboard.press('Enter')
  await expect(row('twos')).toBeFocused()
  // when it is archived
  await list.getByRole('button', { name: 'Archive twos' }).press('Enter')
  const archived = page.getByRole('list', { name: 'Archived branches' })
  await expect(archived.getByRole('button', { name: 'Switch to twos', exact: true })).toBeFocused()
  await archived.getByRole('button', { name: 'Unarchive twos' }).press('Enter')
  await expect(archived).toHaveCount(0)
  await expect(row('twos')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(open).toBeFocused()

  // when the menu of its label is left, then the focus is on the label
  const label = chat.label('twos')
  await label.click({ button: 'right' })
  await expect(chat.menuItem('Archive')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(label).toBeFocused()
  // and when the label or the message goes, on the rest of the tree
  await label.click({ button: 'right' })
  await chat.menuItem('Archive').click()
  await expect(label).toHaveCount(0)
  const standing = chat.graph.locator('[role=treeitem]:focus')
  await expect(standing).toHaveCount(1)
  await chat.undo()
  await chat.node(/^Assistant: .*4/).click({ button: 'right', position: { x: 6, y: 8 } })
  await chat.menuItem('Archive twos').click()
  await expect(chat.nodes).toHaveCount(4)
  await expect(standing).toHaveCount(1)
})
