import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { Proposal, ProposalList } from '@/lib/protocol/remotes/proposals'
import { forkedChat, intercept, openChat } from '@/testing/page/given'
import { lookInAllWays } from '@/testing/page/look'

// Proposals to a chat, and from a copy. The answers of the API are given by each test.

const proposal = (more: Partial<Proposal> = {}): Proposal => ({
  id: 'p1',
  number: 1,
  role: 'owner',
  author: 'Ben',
  title: 'By train to Porto',
  words: 'I have looked up the trains.',
  state: 'open',
  taken_as: null,
  answer: null,
  message_count: 2,
  thread_id: 'b',
  head_message_id: 'm',
  base_message_id: null,
  created_at: '2026-03-14T09:26:53.589Z',
  updated_at: '2026-03-14T09:26:53.589Z',
  comments: [],
  ...more,
})
const openProposals = async (given: ProposalList) => {
  await openChat(forkedChat)
  let list = given
  intercept(/chats\/[^/]+\/proposals/, () => Response.json(list))
  await page.getByRole('button', { name: 'More about this chat' }).click()
  await page.getByRole('menuitem', { name: 'Proposals…' }).click()
  return {
    dialog: page.getByRole('dialog', { name: 'Proposals' }),
    become: (next: ProposalList) => {
      list = next
    },
  }
}

test('given a proposal to a chat, when its owner declines it with words, then the words are sent, and it has ended', async () => {
  const { dialog, become } = await openProposals({ is_copy: false, proposals: [proposal()] })
  await dialog.getByRole('button', { name: /By train to Porto/ }).click()
  await expect.element(dialog.getByText('I have looked up the trains.')).toBeVisible()
  await lookInAllWays('proposal')
  const asked: unknown[] = []
  intercept(/proposals\/p1\/decline/, ({ init }) => {
    asked.push(JSON.parse(String(init?.body)))
    become({ is_copy: false, proposals: [proposal({ state: 'declined', answer: 'We go by car.' })] })
    return new Response(null, { status: 204 })
  })
  await dialog.getByRole('button', { name: 'Decline…' }).click()
  await dialog.getByRole('textbox').fill('We go by car.')
  await dialog.getByRole('button', { name: 'Decline', exact: true }).click()
  await expect.element(dialog.getByText('Declined')).toBeVisible()
  expect(asked).toEqual([{ words: 'We go by car.' }])
})

test('given a copy, when a branch of it is proposed, then title, words and branch are sent', async () => {
  const { dialog } = await openProposals({ is_copy: true, proposals: [] })
  const asked: unknown[] = []
  intercept(/api\/proposals$/, ({ init }) => {
    asked.push(JSON.parse(String(init?.body)))
    return Response.json({ id: 'p1', number: 1 }, { status: 201 })
  })
  await dialog.getByRole('button', { name: 'Propose to the original…' }).click()
  await dialog.getByRole('textbox', { name: 'Title' }).fill('By train')
  await dialog.getByRole('button', { name: 'Propose to the original', exact: true }).click()
  await expect.element(dialog.getByText('You have proposed nothing yet.')).toBeVisible()
  expect(asked).toEqual([{ source_thread_id: expect.any(String), title: 'By train', words: '' }])
})
