import { ChatPage } from '../support/chat-page'
import { openSample } from '../support/openings'
import { lookInAllWays } from '../support/screens'
import { expect, test } from '../support/test'

// A copy of a shared chat, of which a branch comes home.

test('given a copy of a shared chat, when a branch of it is proposed, then the owner asks back and takes a message, and its author sees that', async ({
  chat,
  page,
  browser,
  baseURL,
}) => {
  const chatId = (await openSample(chat)).split('/').at(-1) ?? ''
  const data = { chat_id: chatId, branch: 'main', follow: false, graph: true }
  const { url } = await (await page.request.post('/api/shares', { data })).json()
  // given a stranger who has gone on in a copy
  const stranger = await browser.newContext({ ...(baseURL && { baseURL }) })
  const copy = new ChatPage(await stranger.newPage())
  await copy.page.goto(url)
  await copy.page.getByRole('button', { name: 'Continue in my own copy' }).first().click()
  await expect(copy.page).toHaveURL(/\/c\//)
  await copy.ask('Is the tram to Belém open in May?')
  await copy.lastReply().and(copy.page.locator('[data-status=done]')).waitFor()
  // when it is proposed
  const proposals = async ({ page: own }: ChatPage) => {
    await own.getByRole('button', { name: 'More about this chat' }).click()
    await own.getByRole('menuitem', { name: 'Proposals…' }).click()
    return own.getByRole('dialog', { name: 'Proposals' })
  }
  const made = await proposals(copy)
  await made.getByRole('button', { name: 'Propose to the original…' }).click()
  await made.getByRole('textbox', { name: 'Title' }).fill('The tram in May')
  await made.getByLabel('What it is about, if you like').fill('Ask this before you book.')
  await lookInAllWays(copy.page, 'proposal-made')
  await made.getByRole('button', { name: 'Propose to the original' }).click()
  await expect(made.getByRole('button', { name: /The tram in May.*Open/ })).toBeVisible()

  // then the owner reads it, and asks back
  await chat.open(`/c/${chatId}`)
  const found = await proposals(chat)
  await found.getByRole('button', { name: /The tram in May/ }).click()
  await expect(found.getByText('Ask this before you book.')).toBeVisible()
  await expect(found.getByRole('list', { name: 'What it adds' })).toContainText(
    'A guest: Is the tram to Belém',
  )
  await found.getByLabel('Comment', { exact: true }).fill('Which line do you mean?')
  await found.getByRole('button', { name: 'Send comment' }).click()
  await expect(found.getByRole('list', { name: 'Comments' })).toContainText('Which line do you mean?')
  await lookInAllWays(page, 'proposal-read')
  // and takes one message of it
  await found.getByRole('checkbox', { name: /Take Is the tram/ }).check()
  await found.getByRole('button', { name: 'Take one message…' }).click()
  const review = page.getByRole('dialog').last()
  await lookInAllWays(page, 'proposal-taken')
  await review.getByRole('button', { name: 'Take', exact: true }).click()
  await expect(chat.said('Is the tram to Belém open in May?')).toBeVisible()
  await expect(chat.said('Is the tram to Belém open in May?')).toContainText('proposed by A guest')

  // and its author sees what was asked, and that it was taken
  await copy.reload()
  const seen = await proposals(copy)
  await seen.getByRole('button', { name: /The tram in May.*Taken/ }).click()
  await expect(seen.getByRole('list', { name: 'Comments' })).toContainText('Which line do you mean?')
  await lookInAllWays(copy.page, 'proposal-seen')
  await stranger.close()
})
