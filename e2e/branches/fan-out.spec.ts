import { expectAccessible } from '../support/screens'
import { expect, test } from '../support/test'

// One message to one model three times: the replies side by side over reloads, and the one that is kept.
// Everything else of a fan-out is in components/fan-out/fan-out.component.test.tsx.

test('given a new chat, when its first message goes to the demo model three times, then three replies stand side by side, and one is kept until Undo', async ({
  chat,
  page,
}) => {
  const columns = page.getByRole('region', { name: 'Replies side by side' })
  const replies = columns.getByRole('article')
  const fanOut = page.getByRole('button', { name: 'Fan out', exact: true })
  await chat.open()
  await expect(fanOut).toBeDisabled()

  await chat.box.fill('what is 2+2')
  await fanOut.click()
  await page.getByRole('button', { name: 'Ask for 3 replies' }).click()

  await expect(replies).toHaveCount(3)
  await chat.settled()
  await expect(chat.box).toHaveValue('')
  await expect(chat.said('what is 2+2')).toHaveCount(1)
  await expect(replies.filter({ hasText: '4' })).toHaveCount(3)
  await expect(replies.first()).toHaveAttribute('aria-label', 'Reply 1 of 3, Demo')
  await expectAccessible(page)
  // when they are looked at again
  await chat.reload()
  await expect(replies).toHaveCount(3)
  await expect(replies.filter({ hasText: '4' })).toHaveCount(3)

  // when one is kept
  await replies.nth(1).getByRole('button', { name: 'Keep this one', exact: true }).click()
  await expect(columns).toHaveCount(0)
  await expect(chat.messages).toHaveCount(2)
  await chat.reads('main-v2')
  await expect(page.getByText('Archived the 2 other replies')).toBeVisible()
  // then one Undo brings the others back
  await chat.undo()
  await expect(replies).toHaveCount(3)

  // when all are kept, then the thread shows one, and the others are its versions, in the order they were stored
  await columns.getByRole('button', { name: 'Keep all', exact: true }).click()
  await expect(columns).toHaveCount(0)
  await expect(chat.lastReply().getByRole('button', { name: /^[123] \/ 3/ })).toBeVisible()
  await chat.reload()
  await expect(chat.lastReply()).toBeVisible()
  await page.getByRole('button', { name: 'Show the 3 replies side by side' }).click()
  await expect(replies).toHaveCount(3)

  // when something is said below one of them, then the thread goes on there
  await chat.box.fill('what is 3+3')
  await chat.box.press('Enter')
  await expect(columns).toHaveCount(0)
  await chat.settled()
  await expect(chat.messages).toHaveCount(4)
})
