import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { forkedChat, openChat, openPage } from '@/testing/page/given'
import { lookInAllWays } from '@/testing/page/look'

test('given a chat with branches, when a link is made to one of them, then it is told once, listed, and revoked', async () => {
  const chat = await openChat(forkedChat)
  await chat.messages.last().hover()
  await chat.more(chat.messages.last(), 'Share up to here…')
  const dialog = page.getByRole('dialog', { name: 'Share' })
  // then its top says who can read it, and until when
  await expect.element(dialog.getByText('Who can read it, and until when')).toBeVisible()
  await expect
    .element(dialog.getByText('Anyone who has the link, without an account, until you revoke it.'))
    .toBeVisible()
  await dialog.getByRole('radio', { name: 'A week' }).click()
  await dialog.getByRole('switch', { name: 'Search engines may list it' }).click()
  await expect
    .element(
      dialog.getByText(
        /finds it through a search engine, without an account, until \d+ \w+ \d+ or until you revoke it\.$/,
      ),
    )
    .toBeVisible()
  await expect.element(dialog.getByText('4 messages, as they are now.')).toBeVisible()
  await expect.element(dialog.getByText('not even that they exist')).toBeVisible()
  await dialog.getByRole('radio', { name: 'With the graph' }).click()
  await expect.element(dialog.getByText('One other branch can be read too')).toBeVisible()
  await lookInAllWays('share')
  await dialog.getByRole('button', { name: 'Make the link' }).click()
  await expect
    .element(dialog.getByRole('textbox', { name: 'Link' }))
    .toHaveValue(expect.stringMatching(/^https?:\/\/[^/]+\/s\/[\w-]{20,}$/))
  await openPage('/settings/links')
  const revoke = page.getByRole('button', { name: /^Revoke the link/ })
  await expect.element(revoke).toBeVisible()
  await lookInAllWays('links')
  await revoke.click()
  await page.getByRole('button', { name: 'Revoke', exact: true }).click()
  await expect.element(page.getByText('The link is revoked.')).toBeVisible()
  // at once: the list is read again only later
  expect(page.getByText('You have shared nothing').elements()).toHaveLength(1)
})
