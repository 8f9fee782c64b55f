import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { type ChatPage, css, expectCount, focus, press } from '@/testing/page/chat-page'
import { emulate, onPhone, openChat, openPage, openSample, reload, turns } from '@/testing/page/given'
import { lookInAllWays } from '@/testing/page/look'

// The first minute of a new person: the start page, the example that plays itself, and the first time they try again.

const tour = page.getByRole('region', { name: 'Tour' })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const nowYou = page.getByRole('note').filter({ hasText: 'Now you: edit this message.' })
const pair = page.getByRole('region', { name: 'Before and now' })

/** Opens the example from the start page. */
async function openExample(): Promise<ChatPage> {
  const chat = await openPage('/')
  await button('See an example').click()
  await expect.element(tour).toBeVisible()
  return chat
}

const rows = (chat: ChatPage) => chat.nodes.elements().length

test('given reduced motion, then the same is shown step by step, and it ends with a message to edit', async () => {
  const chat = await openExample()
  await expectCount(tour.getByRole('button', { name: 'Pause' }), 0)
  await lookInAllWays('tour')
  const seen: string[] = []
  while (tour.elements().length > 0) {
    const caption = tour.getByRole('status').element().textContent ?? ''
    seen.push(caption)
    await tour.getByRole('button', { name: 'Next' }).click()
    await expect.poll(() => tour.getByRole('status').elements()[0]?.textContent).not.toBe(caption)
  }
  expect(seen).toHaveLength(7)
  // a branch, an edit, a merge, several at once, and the way to switch: one caption at a time
  expect(seen.join('\n')).toMatch(/branch[\s\S]*edited[\s\S]*come together[\s\S]*side by side[\s\S]*switch/)
  await expect.element(chat.said('Do we need tickets in advance?')).toBeVisible()
  await lookInAllWays('tour-end')
  await nowYou.getByRole('button', { name: 'Edit' }).click()
  await expectCount(nowYou, 0)
  await expect.element(chat.said(/./).getByRole('textbox')).toHaveValue('Do we need tickets in advance?')
  await press('Escape')
  // and it plays once
  await reload()
  await expectCount(chat.nodes, 17)
  await expectCount(tour, 0)
})

test('given the example as it plays, when a letter is typed, then it is in the box, and the whole example is there', async () => {
  const chat = await openExample()
  await focus(chat.box)
  await userEvent.keyboard('H')
  await expectCount(tour, 0)
  await expect.element(chat.box).toHaveValue('H')
  await expectCount(chat.nodes, 17)
  await expectCount(nowYou, 0)
})

test('given the example as it plays, when the name of a branch is clicked, then that branch is read, and the whole example is there', async () => {
  const chat = await openExample()
  await tour.getByRole('button', { name: 'Next' }).click()
  await chat.label('Main line').click()
  await expectCount(tour, 0)
  await expect.element(chat.said('That is a lot of stairs')).toBeVisible()
})

test('given a key that leads to the controls, then the example goes on', async () => {
  await openExample()
  await press('Tab', 'Shift')
  await expect.element(tour).toBeVisible()
})

test('given the example, when nothing is done, then it grows and tells what it shows; it can be held and skipped', async () => {
  await emulate({ 'prefers-reduced-motion': 'no-preference' })
  const chat = await openExample()
  await expect.element(tour.getByRole('status')).toMatchTextContent(/^A chat begins as anywhere/)
  await expect.poll(() => rows(chat)).toBeGreaterThan(0)
  const few = rows(chat)
  expect(few).toBeLessThan(4)
  await expect.poll(() => rows(chat), { timeout: 10_000 }).toBeGreaterThan(few)
  await tour.getByRole('button', { name: 'Pause' }).click()
  await expect.element(tour.getByRole('button', { name: 'Play' })).toBeVisible()
  await tour.getByRole('button', { name: 'Skip' }).click()
  await expect.element(nowYou).toBeVisible()
  await expectCount(tour, 0)
  await expectCount(chat.nodes, 17)
})

test('given a phone, then the example shows the thread first, then the graph, and ends at the message', async () => {
  await onPhone()
  await openExample()
  const graph = page.getByRole('tab', { name: 'Graph' })
  await expect.element(graph).toHaveAttribute('aria-selected', 'false')
  await tour.getByRole('button', { name: 'Next' }).click()
  await expect.element(graph).toHaveAttribute('aria-selected', 'true')
  await tour.getByRole('button', { name: 'Skip' }).click()
  await expect.element(graph).toHaveAttribute('aria-selected', 'false')
  await expect.element(nowYou).toBeVisible()
})

test('given the sample opened by its address, then nothing plays', async () => {
  const chat = await openSample()
  await expectCount(chat.nodes, 17)
  await expectCount(tour, 0)
})

test('a new chat is one column until its first branch; then the graph is there, and stays', async () => {
  localStorage.setItem('ramify-model', 'demo:demo')
  const chat = await openPage('/')
  await expectCount(chat.graph, 0)
  await chat.ask('Find a name for a small grey cat.')
  await expectCount(chat.graph, 0)
  await focus(chat.lastReply())
  await press('r')
  await expect.element(chat.graph).toBeVisible()
  await chat.settled()
  // another try of the demo model is worth reading
  const [before, now] = chat.texts('assistant').map((text) => /\/ 2\s+([^\n]+)/.exec(text)?.[1])
  expect(before).toBeTruthy()
  expect(now).not.toBe(before)
  await reload()
  await expect.element(chat.graph).toBeVisible()
})

test('a new chat shows its graph when asked to; hidden by hand, it stays so where a chat has no branch', async () => {
  const separator = page.getByRole('separator', { name: 'Resize the graph' })
  const chat = await openPage('/')
  await chat.ask('Find a name for a small grey cat.')
  await chat.showGraph()
  await chat.ofChat('Hide graph')
  await expectCount(separator, 0)
  await reload()
  await expectCount(separator, 0)
  await chat.showGraph()
  await reload()
  await expect.element(chat.graph).toBeVisible()
})

/** Opens a chat with an answer, and asks for another. */
async function tryAgain(): Promise<ChatPage> {
  const chat = await openChat({ branches: [{ name: 'main', says: turns('Tell me about rivers') }] })
  await focus(chat.lastReply())
  await press('r')
  return chat
}

test('the first time a person tries again, both answers stand side by side until they go on', async () => {
  const chat = await tryAgain()
  await expect.element(pair).toBeVisible()
  await expectCount(pair.getByRole('article'), 2)
  await chat.settled()
  await expect.element(pair.getByRole('heading', { name: 'Before' })).toBeVisible()
  await lookInAllWays('first-retry')
  // keys go on as ever: the message above
  await focus(chat.lastReply())
  await press('ArrowUp')
  await expectCount(pair, 1)
  await focus(chat.box)
  await userEvent.keyboard('A')
  await expectCount(pair, 0)
  await expect.element(chat.box).toHaveValue('A')
  await expectCount(chat.messages, 2)
  await expect.element(chat.lastReply()).toMatchTextContent(/2 \/ 2/)
  // the second time is as ever
  await focus(chat.lastReply())
  await press('r')
  await expect.element(chat.lastReply()).toMatchTextContent(/3 \/ 3/)
  await chat.settled()
  await expectCount(pair, 0)
})

test.each([
  ['Before', /1 \/ 2/],
  ['Now', /2 \/ 2/],
] as const)(
  'given both answers, when "%s" is kept, then it is read, and the other one stays',
  async (side, place) => {
    const chat = await tryAgain()
    await chat.settled()
    await pair
      .getByRole('button', { name: 'Keep this one' })
      .nth(side === 'Before' ? 0 : 1)
      .click()
    await expectCount(pair, 0)
    await expectCount(chat.messages, 2)
    await expect.element(chat.lastReply()).toMatchTextContent(place)
    // a row for the other one, and one for that of another branch which is read
    await expectCount(chat.graph.css('[role=treeitem][data-branch]'), side === 'Before' ? 1 : 2)
  },
)

test('given motion, when the person goes on, then the answer of before flies to its row, and leaves nothing behind', async () => {
  await emulate({ 'prefers-reduced-motion': 'no-preference' })
  const chat = await tryAgain()
  await chat.settled()
  const flown: Node[] = []
  const watch = new MutationObserver((changes) => {
    flown.push(...changes.flatMap(({ addedNodes }) => [...addedNodes]))
  })
  watch.observe(document.body, { childList: true })
  await pair.getByRole('button', { name: 'Keep this one' }).nth(1).click()
  await expectCount(pair, 0)
  await expectCount(css('body > [inert]'), 0)
  watch.disconnect()
  expect(flown.map(({ textContent }) => textContent).join()).toContain('Noted: Tell me about rivers')
  await expectCount(chat.messages, 2)
})
