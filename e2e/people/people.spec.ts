import { ChatPage } from '../support/chat-page'
import { openSample } from '../support/openings'
import { lookInAllWays } from '../support/screens'
import { expect, test } from '../support/test'

// A chat that its owner lets another person into.

test('given a chat, when its owner lets a person into it, then that person reads it live, proposes from a copy, and reads nothing once removed', async ({
  chat,
  page,
  browser,
  baseURL,
}) => {
  await openSample(chat)
  const peopleOf = async ({ page: own }: ChatPage) => {
    await own.getByRole('button', { name: 'More about this chat' }).click()
    await own.getByRole('menuitem', { name: 'People…' }).click()
    return own.getByRole('dialog', { name: 'People' })
  }
  const people = await peopleOf(chat)
  await people.getByRole('radio', { name: 'Proposes' }).click()
  await lookInAllWays(page, 'people-invite')
  await people.getByRole('button', { name: 'Make the link' }).click()
  const url = await people.getByRole('textbox', { name: 'Link', exact: true }).inputValue()
  await expect(people.getByText('A link, not taken yet')).toBeVisible()
  await lookInAllWays(page, 'people-link')

  // when another person takes it, as a guest
  const other = await browser.newContext({ ...(baseURL && { baseURL }) })
  const member = new ChatPage(await other.newPage())
  member.page.setDefaultTimeout(20_000)
  await member.page.goto(url)
  await lookInAllWays(member.page, 'people-join-visitor')
  await member.page.getByRole('button', { name: 'Go on as a guest' }).click()
  await expect(member.page.getByRole('button', { name: 'Join the chat' })).toBeVisible()
  await lookInAllWays(member.page, 'people-join')
  await member.page.getByRole('button', { name: 'Join the chat' }).click()

  // then they read it, and change nothing
  await expect(member.page).toHaveURL(/\/c\//)
  const reading = member.page.getByRole('region', { name: 'Reading' })
  await expect(reading).toBeVisible()
  await expect(member.page.getByRole('textbox', { name: 'Message' })).toHaveCount(0)
  const shared = member.page.getByRole('navigation', { name: 'Shared with me' })
  await expect(shared.getByRole('link')).toHaveAttribute('aria-current', 'page')
  await member.lastReply().hover()
  await expect(member.lastReply().getByRole('button', { name: 'Copy', exact: true })).toBeVisible()
  for (const name of ['Try again', 'Branch', 'Edit'])
    await expect(member.page.locator('article').getByRole('button', { name, exact: true })).toHaveCount(0)
  await lookInAllWays(member.page, 'people-reading')

  // when the owner goes on, then it is read at once
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await chat.ask('Is the castle open on Monday?')
  await expect(member.said('Is the castle open on Monday?')).toBeVisible()
  await expect(member.lastReply().and(member.page.locator('[data-status=done]'))).toBeVisible()

  // when they go on in a copy, then it is theirs to write in
  const there = member.page.url()
  await reading.getByRole('button', { name: 'Continue in a copy' }).click()
  await expect(member.page.getByRole('textbox', { name: 'Message' })).toBeVisible()

  // when they are removed while they read
  await member.page.goto(there)
  await expect(reading).toBeVisible()
  const again = await peopleOf(chat)
  await expect(again.getByRole('listitem').filter({ hasText: 'A guest' })).toHaveCount(2)
  await lookInAllWays(page, 'people-list')
  await again.getByRole('button', { name: 'Remove A guest' }).click()
  await again.getByRole('group', { name: 'Remove A guest' }).getByRole('button', { name: 'Remove' }).click()
  await expect(again.getByRole('listitem')).toHaveCount(1)
  // then the page says so
  await expect(member.page.getByRole('heading', { name: 'This chat is no longer here' })).toBeVisible()
  await lookInAllWays(member.page, 'people-removed')
  await other.close()
})
