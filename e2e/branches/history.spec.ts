import { openForkedChat, sendTurn, userMessage } from '../support/openings'
import { expect, test } from '../support/test'

// Undo comes from the log of the chat, over tabs. Over reloads, and the log itself: components/history/history.component.test.tsx.

test('given two tabs, when one undoes what the other did, then both see it; what was built upon is refused in words', async ({
  chat,
  page,
  context,
}) => {
  await openForkedChat(chat)
  const other = await context.newPage()
  await other.goto(page.url())
  await expect(other.getByRole('article')).toHaveCount(4)
  // given a branch that the first tab opened
  await chat.act(/^Assistant: .*devansh/i, 'Branch from here')
  await chat.reads('main-v2-v2')
  const undoing = page.getByRole('button', { name: 'Undo', exact: true })
  await expect(undoing).toBeVisible()
  // when the other goes on there, then the first cannot take it back
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  await sendTurn(page.request, id, userMessage('what is 7+7'), { branch: 'main-v2-v2' })
  await undoing.click()
  await expect(page.getByText('Nothing was undone: the branch has moved on since.').first()).toBeVisible()
  await chat.reads('main-v2-v2')
  await expect(chat.messages).toHaveCount(4)

  // given another move of the first tab, when the other undoes it by key, then both have it undone
  await chat.node('You: I am devansh').focus()
  await page.keyboard.press('c')
  await page.getByRole('textbox', { name: 'Checkpoint name' }).fill('good')
  await page.keyboard.press('Enter')
  await expect(chat.graph.getByRole('button', { name: 'Restore good', exact: true })).toBeVisible()
  const flag = other.getByRole('button', { name: 'Restore good', exact: true })
  await other.bringToFront()
  await expect(flag).toBeVisible()
  await other.getByRole('article').first().focus()
  await other.keyboard.press('Control+z')
  await expect(flag).toHaveCount(0)
  await page.bringToFront()
  await expect(chat.graph.getByRole('button', { name: 'Restore good', exact: true })).toHaveCount(0)
  // then the note of the first is about a move that is not the last any more
  await undoing.click()
  await expect(page.getByText('Nothing was undone: it is not the last move').first()).toBeVisible()
})
