import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { type ChatPage, expectCount, focus } from '@/testing/page/chat-page'
import { intercept, openChat, openSample, turns } from '@/testing/page/given'
import { lookInAllWays } from '@/testing/page/look'

const walk = `${'a very long walk '.repeat(20)}to the harbour`

/** Two turns on main and another second turn on main-v2, which is read; "harbour" stands deep in a long message. */
async function openTrip(): Promise<ChatPage> {
  const fork = { id: 'q2', says: 'the old tram' }
  const chat = await openChat({
    branches: [
      { name: 'main', says: ['Lisbon in May', 'Lisbon it is', fork, 'Trams go uphill'] },
      { name: 'main-v2', instead: 'q2', says: [walk, `Noted: ${walk}`] },
    ],
  })
  await chat.draw('Map')
  await expectCount(chat.nodes, 6)
  return chat
}

const openFind = () => page.getByRole('button', { name: 'Find in graph' }).click()
const field = (chat: ChatPage) => chat.graph.getByRole('searchbox', { name: 'Find in graph' })
const said = (chat: ChatPage) => chat.graph.getByRole('search', { name: 'Graph' }).getByRole('status')
const picked = (chat: ChatPage) => chat.graph.css('[role=treeitem][aria-selected="true"]')

test('given the focus in the graph, when words are typed, then Enter steps through the hits, and back', async () => {
  const chat = await openTrip()
  await focus(chat.here)
  // when
  await userEvent.keyboard('/')
  await expect.element(field(chat)).toHaveFocus()
  await userEvent.keyboard('TRAM')
  // then both messages of the other branch are found, and the first is shown
  await expect.element(said(chat)).toHaveTextContent('1 of 2')
  await expect.element(picked(chat)).toHaveAccessibleName('You: the old tram')
  await userEvent.keyboard('{Enter}')
  await expect.element(picked(chat)).toHaveAccessibleName('Assistant: Trams go uphill')
  await userEvent.keyboard('{Enter}')
  await expect.element(said(chat)).toHaveTextContent('1 of 2')
  await userEvent.keyboard('{Shift>}{Enter}{/Shift}')
  await expect.element(said(chat)).toHaveTextContent('2 of 2')
  // and the thread has not moved
  await expect.element(chat.branch()).toHaveAttribute('title', expect.stringMatching(/^a very long walk/))
  // and the same key leads from the tree back to the field
  await focus(chat.here)
  await userEvent.keyboard('/')
  await expect.element(field(chat)).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expectCount(field(chat), 0)
  await expect.element(chat.node('Assistant: Trams go uphill')).toHaveFocus()
  await expectCount(picked(chat), 0)
  // elsewhere the same key searches everything, at once, also as a menu is just closing
  await page.getByRole('heading', { level: 1 }).click()
  await expect.element(page.getByRole('menu')).toBeVisible()
  await userEvent.keyboard('{Escape}/')
  await expect.element(page.getByRole('dialog')).toBeVisible()
})

test('given words deep in a message, or in a name, then they are found; without a hit, the field says so', async () => {
  const chat = await openTrip()
  const next = chat.graph.getByRole('button', { name: 'Next hit' })
  await openFind()
  await field(chat).fill('harbour')
  await expect.element(said(chat)).toHaveTextContent('1 of 2')
  await field(chat).fill('main-v2')
  await expect.element(said(chat)).toHaveTextContent('1 of 1')
  await next.click()
  await expect.element(picked(chat)).toHaveAttribute('aria-current', 'true')
  // Next leads back to the only hit, too
  await userEvent.wheel(chat.graph.css('.react-flow__pane'), { delta: { y: 3000 } })
  await expect.element(picked(chat)).not.toBeInViewport()
  await next.click()
  await expect.element(picked(chat)).toBeInViewport()
  await field(chat).fill('zeppelin')
  await expect.element(said(chat)).toHaveTextContent('Nothing found')
  await expect.element(next).toBeDisabled()
  // offline, the beginnings of messages are searched
  intercept(/\/api\/search/, () => {
    throw new TypeError('offline')
  })
  await field(chat).fill('lisbon')
  await expect.element(said(chat)).toHaveTextContent('1 of 2')
})

test('given a hit in a fold, when it is the first, then it is unfolded and in view', async () => {
  const says = turns(...Array.from({ length: 102 }, (_, i) => `what is ${i + 1}+1`))
  const chat = await openChat({ branches: [{ name: 'main', says }] })
  await expect.element(chat.graph.getByRole('treeitem', { name: /messages, folded$/ }).first()).toBeVisible()
  await openFind()
  // the reply repeats the words of its question
  await field(chat).fill('what is 50+1')
  await expect.element(said(chat)).toHaveTextContent('1 of 2')
  await expect.element(picked(chat)).toHaveAccessibleName('You: what is 50+1')
  await expect.element(picked(chat)).toBeInViewport()
})

test('given a hit in a closed branch, then the branch is opened, and the hit is shown', async () => {
  const chat = await openSample()
  await openFind()
  await field(chat).fill('swimwear')
  await userEvent.keyboard('{Enter}')
  const hit = chat.node(/^Assistant: Little: swimwear/)
  await expect.element(hit).toBeInViewport()
  await expect.element(hit).toHaveAttribute('aria-selected', 'true')
  await expect.element(chat.row('Beach day')).toHaveAttribute('aria-expanded', 'true')
})

test('the field, and the hits it lights', async () => {
  const chat = await openTrip()
  await lookInAllWays('find', async (size) => {
    if (size === 'narrow') await page.getByRole('tab', { name: 'Graph' }).click()
    else await openFind()
    await field(chat).fill('tram')
    await expect.element(said(chat)).toHaveTextContent('1 of 2')
  })
})
