import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectCount } from '@/testing/page/chat-page'
import { openPage, reload } from '@/testing/page/given'
import { lookInAllWays } from '@/testing/page/look'
import { act } from '@/testing/page/server'

const KEY = 'rk_a-key-of-a-person-9876'

const form = page.getByRole('form', { name: 'New remote' })
const work = page.getByRole('listitem').filter({ hasText: 'work' })
const opener = page.getByRole('button', { name: 'Add a remote' })

test('given no remote, when one is added by key, refused and corrected, then it is listed without its key, and removed', async () => {
  const { remote } = await act('ownServers')
  await openPage('/settings/remotes')
  await expect.element(page.getByText('You have no remote yet.')).toBeVisible()
  await lookInAllWays('remotes-none')

  // when it is given with a key that the other server refuses
  await opener.click()
  await expect.element(form.getByLabelText('Name')).toHaveFocus()
  await userEvent.keyboard('work')
  await form.getByLabelText('Address').fill(remote)
  await form.getByLabelText('Key').fill('wrong')
  await userEvent.keyboard('{Enter}')
  // then the words say what to do
  await expect
    .element(form.getByRole('alert'))
    .toMatchTextContent(/work refused the key.*Make a new one there, under Settings, API keys/)
  await lookInAllWays('remotes-refused')

  // when it is corrected, then it is listed, and the focus is where the next one is added
  await form.getByLabelText('Key').fill(KEY)
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText(/^work is added\./)).toBeVisible()
  await expect.element(work).toMatchTextContent(remote)
  await expectCount(form, 0)
  await expect.element(opener).toHaveFocus()
  await lookInAllWays('remotes-added')
  await reload()
  await expect.element(work).toMatchTextContent(remote)
  expect(JSON.stringify(await act('view', { path: '/settings/remotes' }))).not.toContain(KEY)

  // when it is removed
  await page.getByRole('button', { name: 'Remove work' }).click()
  await expect.element(page.getByText('work is removed. The chats stay on both sides.')).toBeVisible()
  await expect.element(page.getByText('You have no remote yet.')).toBeVisible()
  await expect.element(opener).toHaveFocus()
})

test('given the form, when Escape is pressed, then it goes, and its button has the focus', async () => {
  await openPage('/settings/remotes')
  await opener.click()
  await expect.element(form.getByLabelText('Name')).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expectCount(form, 0)
  await expect.element(opener).toHaveFocus()
})
