import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectCount, focus } from '@/testing/page/chat-page'
import { openChat, openFork, turns } from '@/testing/page/given'

test('a click leaves the keys to the graph', async () => {
  const chat = await openFork()
  const name = chat.graph.getByRole('textbox', { name: 'Checkpoint name' })
  const reply = chat.node(/^Assistant: .*devansh/i)
  const zoom = chat.graph.getByRole('button', { name: 'Zoom to 100 %' })
  // when a message is clicked, then arrows go on from it
  await chat.node('You: I am devansh').getByRole('button').click()
  await expect.element(chat.node('You: I am devansh')).toHaveFocus()
  await expect.element(chat.toolbar).toBeVisible()
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(reply).toHaveFocus()
  // and c opens a field in place, which a click elsewhere closes
  await userEvent.keyboard('c')
  await expect.element(name).toHaveFocus()
  await chat.box.click()
  await expectCount(name, 0)
  await expect.element(chat.box).toHaveFocus()
  await focus(reply)
  await userEvent.keyboard('{Escape}')
  await expectCount(chat.toolbar, 0)

  // given three checkpoints at the head
  await focus(chat.here)
  let description = 'Head of what is 3+3'
  for (const each of ['good', 'better', 'best']) {
    await userEvent.keyboard('c')
    await name.fill(each)
    await userEvent.keyboard('{Enter}')
    // a screen reader is told of the checkpoints
    description += `, checkpoint ${each}`
    await expect.element(chat.here).toHaveAttribute('aria-description', description)
    await expect.element(chat.here).toHaveFocus()
  }
  // then the branch's label is whole, and beside it stand one checkpoint and a count
  const label = chat.label('what is 3+3').element()
  expect(label.scrollWidth).toBeLessThanOrEqual(label.clientWidth)
  await expect.element(chat.graph.getByRole('button', { name: 'Restore good', exact: true })).toBeVisible()
  const more = chat.graph.getByRole('button', { name: '2 more checkpoints' })
  await more.click()
  await expect.element(chat.menuItem('Restore best')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(more).toHaveFocus()
  await focus(chat.here)
  await userEvent.keyboard(' ')
  await expect.element(chat.here).toHaveAttribute('aria-description', `${description}, picked`)
  // when a checkpoint is named at the smallest zoom, then there is room for the field
  await zoom.click()
  await expect.element(zoom).toHaveAccessibleName('Zoom to 100 %, now 100 %')
  await focus(chat.here)
  await userEvent.keyboard('-'.repeat(9))
  await expect.element(zoom).toHaveAccessibleName('Zoom to 100 %, now 25 %')
  await userEvent.keyboard('{ArrowLeft}c')
  await expect.element(name).toHaveFocus()
})

test('dialogs give the focus back', async () => {
  const chat = await openChat({ branches: [{ name: 'main', says: turns('I am devansh') }] })
  const from = chat.node('You: I am devansh')
  const dialog = page.getByRole('dialog')
  await focus(from)
  for (const key of ['?', '{Control>}k{/Control}']) {
    await userEvent.keyboard(key)
    await expect.element(dialog).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(from).toHaveFocus()
  }
  // a dialog that was opened from another gives it back to what had it before both
  await userEvent.keyboard('{Control>}k{/Control}')
  await dialog.getByRole('combobox').fill('Show keys')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('dialog', { name: 'Keys' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(from).toHaveFocus()
  // and a dialog that was opened from a menu, to the button of the menu
  const more = page.getByRole('button', { name: /^More about .*devansh/i })
  await focus(more)
  await userEvent.keyboard('{Enter}')
  await chat.menuItem('Delete').click()
  await expect.element(page.getByRole('button', { name: 'Keep it' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(more).toHaveFocus()
})

test('the focus stays with a branch that is renamed or archived', async () => {
  const chat = await openFork()
  // given the list of branches, opened from its button
  const open = page.getByRole('button', { name: 'Branches', exact: true })
  await focus(open)
  await userEvent.keyboard('{Enter}')
  const list = page.getByRole('dialog', { name: 'Branches' })
  const row = (name: string) => list.getByRole('button', { name: `Switch to ${name}`, exact: true })
  const name = list.getByRole('textbox', { name: 'Branch name' })
  const press = async (button: string) => {
    await focus(list.getByRole('button', { name: button, exact: true }))
    await userEvent.keyboard('{Enter}')
  }
  // when a rename is left, and then done
  await press('Rename Main line')
  await expect.element(name).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(row('Main line')).toHaveFocus()
  await press('Rename Main line')
  await name.fill('twos')
  await userEvent.keyboard('{Enter}')
  await expect.element(row('twos')).toHaveFocus()
  // when it is archived
  await press('Archive twos')
  const archived = page.getByRole('list', { name: 'Archived branches' })
  await expect.element(archived.getByRole('button', { name: 'Switch to twos', exact: true })).toHaveFocus()
  await press('Unarchive twos')
  await expectCount(archived, 0)
  await expect.element(row('twos')).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(open).toHaveFocus()

  // when the menu of its label is left, then the focus is on the label
  const label = chat.label('twos')
  await label.click({ button: 'right' })
  await expect.element(chat.menuItem('Archive')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(label).toHaveFocus()
  // and when the label or the message goes, on the rest of the tree
  const standing = chat.graph.css('[role=treeitem]:focus')
  await label.click({ button: 'right' })
  await chat.menuItem('Archive').click()
  await expectCount(label, 0)
  await expectCount(standing, 1)
  await chat.undo()
  await chat.node(/^Assistant: .*4/).click({ button: 'right', position: { x: 6, y: 8 } })
  await chat.menuItem('Archive twos').click()
  await expectCount(chat.nodes, 4)
  await expectCount(standing, 1)
})
