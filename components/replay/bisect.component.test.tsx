import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { type ChatPage, expectCount } from '@/testing/page/chat-page'
import { givenReply, openChat, reload, scripted } from '@/testing/page/given'
import { lookInAllWays } from '@/testing/page/look'

// A bisect finds the message that made a reply say something, by a person or by a text.

const dialog = page.getByRole('dialog', { name: 'Find what made the difference', exact: true })
const click = (name: string) => dialog.getByRole('button', { name }).click()
const found = dialog.getByText('Turn 3 made the difference.')

/** Opens a chat whose third message turns the map over, and the search for what made its last reply. */
async function openBisect(): Promise<ChatPage> {
  const south = 'Braga is in the **south** of it.'
  await givenReply('Where is Braga?', {
    text: 'Braga is in the north of it.',
    heard: { words: 'upside down', text: south },
  })
  const before = ['We go to Portugal', 'We take the train', 'Hold the map upside down', 'We are two']
  const says = before.flatMap((text) => [text, 'I will keep that in mind.'])
  const chat = await openChat({
    model: scripted,
    branches: [{ name: 'main', says: [...says, 'Where is Braga?', south] }],
  })
  await expectCount(chat.messages, 10)
  await openDialog(chat)
  await expect.element(dialog.getByRole('button', { name: 'Find the message' })).toBeVisible()
  return chat
}

async function openDialog(chat: ChatPage): Promise<void> {
  await chat.lastReply().hover()
  await chat.more(chat.lastReply(), 'Find what made the difference…')
}

test('given a reply that says something odd, when it is searched by its text, then the message that made it so is found and marked', async () => {
  const chat = await openBisect()
  await dialog.getByRole('radio', { name: 'Text' }).click()
  const text = dialog.getByRole('textbox', { name: 'Text that the reply holds' })
  await text.fill('east')
  await click('Find the message')
  await expect.element(dialog.getByRole('alert')).toMatchTextContent(/^This reply does not say that\.$/)
  await text.fill('south')
  await click('Find the message')
  await expect.element(found).toBeVisible()
  await expect.element(dialog.getByRole('blockquote')).toMatchTextContent(/^Hold the map upside down$/)
  await click('Open the message')
  await expect.element(chat.said('upside down')).toBeInViewport()
  // a flag stands at it, and the branches of the runs are folded away
  await expectCount(chat.graph.getByRole('button', { name: /^Restore Bisect: turn 3, / }), 1)
  await expectCount(chat.graph.css('[role=treeitem][data-branch]'), 0)
  // until they are asked for
  await chat
    .node(/archived branch/)
    .getByRole('button')
    .click()
  const rows = chat.graph.css('[role=treeitem][data-branch]')
  await expect.element(rows.first()).toBeVisible()
  expect(rows.filter({ hasText: 'Archived' }).elements()).toEqual(rows.elements())
})

test('a person judges each reply, over a reload', async () => {
  const chat = await openBisect()
  await lookInAllWays('bisect-form')
  await click('Find the message')
  const still = dialog.getByRole('button', { name: 'It still says it' })
  await expect.element(still).toBeVisible()
  await lookInAllWays('bisect-waiting')
  await page.viewport(1440, 900)
  await reload()
  await openDialog(chat)
  const run = dialog.getByRole('status')
  for (let asked = 0; asked < 5; asked++) {
    await expect.element(still.or(found)).toBeVisible()
    if (found.elements().length > 0) break
    const before = run.element().textContent ?? ''
    const says = dialog.getByRole('blockquote').element().textContent?.includes('south')
    await click(says ? 'It still says it' : 'It no longer does')
    await expect.poll(() => run.element().textContent).not.toBe(before)
  }
  await expect.element(found).toBeVisible()
  await lookInAllWays('bisect-done')
})
