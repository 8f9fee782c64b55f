import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectCount } from '@/testing/page/chat-page'
import { forkedChat, openChat, openPage } from '@/testing/page/given'
import { lookInAllWays } from '@/testing/page/look'

test('a new chat', async () => {
  await openPage('/')
  await lookInAllWays('empty')
})

test('a chat with branches, its graph beside it', async () => {
  await openChat(forkedChat)
  await lookInAllWays('chat')
})

test('the sample conversation opens from the empty page, with its branches to look around in', async () => {
  const chat = await openPage('/')
  await page.getByRole('button', { name: 'See an example', exact: true }).click()
  await page.getByRole('region', { name: 'Tour' }).getByRole('button', { name: 'Skip' }).click()
  await expect.poll(() => location.pathname).toMatch(/^\/c\//)
  await chat.draw('Map')
  await expectCount(chat.nodes, 33)
  for (const branch of ['Main line', 'Beach day', 'Vegetarian', 'Porto instead', 'The whole plan']) {
    await expectCount(chat.graph.getByRole('button', { name: `Switch to ${branch}`, exact: true }), 1)
  }
  // at the map's edge a label may be half in view; in the outline every branch is a row
  await chat.draw('Outline')
  await chat.graph.getByRole('button', { name: 'Switch to Porto instead', exact: true }).click()
  await expect.element(chat.said('would Porto be better')).toBeVisible()
  // and the message that is selected in the graph has its actions
  await chat.here.getByRole('button').click()
  await expect.element(chat.toolbar).toBeVisible()
  await lookInAllWays('sample', async (size) => {
    if (size === 'narrow') await page.getByRole('tab', { name: 'Graph' }).click()
  })
})

test('a chat that is not there', async () => {
  await openPage('/c/there-is-no-such-chat')
  await expect.element(page.getByRole('heading').first()).toBeVisible()
  await lookInAllWays('missing')
})
