import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { forkedChat, givenChat, openChat, openPage, signInAnew } from '@/testing/page/given'
import { lookInAllWays } from '@/testing/page/look'

// The people of a chat, for its owner and for a person who was let in.

const post = async (url: string, body: object = {}) =>
  (
    await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  ).json()

/** Given another person's chat that the person in the browser is a member of; returns its id for them. */
const givenLentChat = async (role: 'reads' | 'proposes'): Promise<string> => {
  const chatId = await givenChat(forkedChat)
  const { token } = await post(`/api/chats/${chatId}/members`, { role })
  await signInAnew()
  return (await post(`/api/invitations/${token}/take`)).chat_id
}

const openPeople = async () => {
  await page.getByRole('button', { name: 'More about this chat' }).click()
  await page.getByRole('menuitem', { name: 'People…' }).click()
  return page.getByRole('dialog', { name: 'People' })
}

test('given a chat, when its owner makes an invitation and takes it back, then the link is shown once, and no invitation is left', async () => {
  await openChat(forkedChat)
  const dialog = await openPeople()
  await dialog.getByRole('radio', { name: 'Proposes' }).click()
  await dialog.getByRole('textbox', { name: /E-mail/ }).fill('ben@example.org')
  await lookInAllWays('people-invite')
  await dialog.getByRole('button', { name: 'Make the link' }).click()
  await expect
    .element(dialog.getByRole('textbox', { name: 'Link' }))
    .toHaveValue(expect.stringMatching(/\/join\//))
  await expect.element(dialog.getByText('ben@example.org')).toBeVisible()
  await lookInAllWays('people-made')
  await dialog.getByRole('button', { name: 'Take back the link for ben@example.org' }).click()
  const question = dialog.getByRole('group', { name: 'Take back the link for ben@example.org' })
  await lookInAllWays('people-take-back')
  await question.getByRole('button', { name: 'Take back' }).click()
  await expect.element(dialog.getByText('ben@example.org')).not.toBeInTheDocument()
})

test('given a chat of someone else, when a person who is let in opens it, then they read it, change nothing, and can leave', async () => {
  const id = await givenLentChat('proposes')
  const chat = await openPage(`/c/${id}`)
  const reading = page.getByRole('region', { name: 'Reading' })
  await expect.element(reading).toBeVisible()
  await expect.element(reading.getByText(/propose a branch to its owner/)).toBeVisible()
  await expect.element(page.getByRole('textbox', { name: 'Message' })).not.toBeInTheDocument()
  const articles = page.getByRole('article')
  await expect.element(articles.first()).toBeVisible()
  for (const name of ['Edit', 'Try again', 'Branch'])
    expect(articles.getByRole('button', { name, exact: true }).elements(), name).toEqual([])
  expect(articles.getByRole('button', { name: 'Copy', exact: true }).elements().length).toBeGreaterThan(0)
  for (const name of ['Share', 'More actions', 'History'])
    expect(page.getByRole('button', { name, exact: true }).elements(), name).toEqual([])
  // what the owner said is the owner's
  expect(page.getByRole('article', { name: 'A guest' }).elements()).toHaveLength(2)
  await lookInAllWays('people-reading')
  // another branch is looked at, and the chat of its owner stays where it is
  const asked: string[] = []
  const { fetch: send } = window
  window.fetch = (input, init) => {
    if (init?.method && init.method !== 'GET') asked.push(String(input))
    return send(input, init)
  }
  try {
    const branches = page.getByRole('combobox', { name: 'Branch' })
    await branches.click()
    await page.getByRole('option', { selected: false }).first().click()
    await expect.element(branches).toHaveAttribute('aria-expanded', 'false')
  } finally {
    window.fetch = send
  }
  expect(asked).toEqual([])
  expect(chat).toBeDefined()
  const dialog = await openPeople()
  await expect.element(dialog.getByText('(you)')).toBeVisible()
  await lookInAllWays('people-of-a-member')
  await dialog.getByRole('button', { name: 'Leave this chat' }).click()
  await dialog.getByRole('group', { name: 'Leave this chat' }).getByRole('button', { name: 'Leave' }).click()
  await expect.poll(async () => (await fetch(`/api/chats/${id}/graph`)).status).toBe(404)
})
