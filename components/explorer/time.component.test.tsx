import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { type ChatPage, drawnPlaces, expectCount, expectLargeTargets, focus } from '@/testing/page/chat-page'
import { forkedChat, intercept, onPhone, openChat, reload } from '@/testing/page/given'
import { expectAccessible, lookInAllWays } from '@/testing/page/look'

/**
 * Opens a chat with two turns on main, a checkpoint at the first reply, and another second turn on main-v2, which is
 * renamed threes and is read; its graph as a map. Its history:
 *
 *  1 main begins · 2 I am devansh · 3 its reply · 4 what is 2+2 · 5 its reply · 6 main-v2 begins · 7 what is 3+3 ·
 *  8 its reply · 9 checkpoint good · 10 main-v2 comes into view · 11 it is renamed threes
 */
async function openHistory(): Promise<ChatPage> {
  const chat = await openChat({ ...forkedChat, checkpoints: { good: 'a1' } }, { branch: 'main-v2' })
  await chat.draw('Map')
  await focus(chat.here)
  await userEvent.keyboard('{F2}')
  await page.getByRole('textbox', { name: 'Branch name' }).fill('threes')
  await userEvent.keyboard('{Enter}')
  await expect.element(chat.label('threes')).toBeVisible()
  // the name is drawn before it is stored, and what is stored makes the history longer
  await expect.element(chat.graph).toHaveAttribute('aria-busy', 'false')
  return chat
}

const slider = page.getByRole('slider', { name: 'History' })
const bar = page.getByRole('group', { name: 'Time' })
const button = (label: string) => bar.getByRole('button', { name: label, exact: true })
const clock = (chat: ChatPage) => chat.graph.getByRole('button', { name: 'History', exact: true })
const asItWas = (chat: ChatPage) => chat.graph.getByText(/^As it was today/)
const inGraph = (chat: ChatPage, text: string) => chat.graph.getByText(text, { exact: true })
const expectMoment = (position: number) =>
  expect.element(slider).toHaveAttribute('aria-valuenow', `${position}`)

/** Moves to a position, from the beginning. */
async function goTo(position: number): Promise<void> {
  await expect.element(slider).toHaveAttribute('aria-valuetext', expect.stringMatching(/^\d+ of \d+/))
  await focus(slider)
  await userEvent.keyboard(`{Home}${'{ArrowRight}'.repeat(position - 1)}`)
  await expectMoment(position)
}

test('the graph is seen as it was, and as it is again', async () => {
  const chat = await openHistory()
  await expectCount(slider, 0)
  await clock(chat).click()
  // given the history, at now
  await expect.element(slider).toHaveFocus()
  await expect
    .element(slider)
    .toHaveAttribute(
      'aria-valuetext',
      expect.stringMatching(/^11 of 11 · Renamed a branch to threes · today \d\d:\d\d · now$/),
    )
  await expectCount(asItWas(chat), 0)

  // when the slider goes back before the rename, the bar says what happened, and the branch has its old name
  await button('Previous movement').click()
  await expect
    .element(slider)
    .toHaveAttribute('aria-valuetext', expect.stringMatching(/^10 of 11 · Went to threes/))
  await expect.element(asItWas(chat)).toBeVisible()
  await expect.element(inGraph(chat, 'what is 3+3').last()).toBeVisible()
  await expectCount(inGraph(chat, 'threes'), 0)
  await expectCount(chat.nodes, 6)

  // and before the checkpoint, it is not there
  await button('Previous movement').click()
  await expect.element(bar).toMatchTextContent('Saved checkpoint “good”')
  await expect.element(inGraph(chat, 'good')).toBeVisible()
  await button('Previous movement').click()
  await expectCount(inGraph(chat, 'good'), 0)
  await expect.element(bar).toMatchTextContent(/Assistant said “.*6.*” on threes/)
  await button('Next movement').click()
  await expect.element(inGraph(chat, 'good')).toBeVisible()
  // and before the branch, its messages are not there
  await goTo(6)
  await expectCount(chat.nodes, 4)

  // and before everything, nothing
  await userEvent.keyboard('{Home}')
  await expectCount(chat.nodes, 0)
  await expect.element(chat.graph.getByText('Nothing had been said yet.')).toBeVisible()

  // then the button returns to now
  await button('Return to now').click()
  await expectCount(asItWas(chat), 0)
  await expectCount(chat.nodes, 6)
  await expect.element(chat.label('threes')).toBeVisible()

  // and a reload shows now
  await expectMoment(11)
  await userEvent.keyboard('{ArrowLeft}')
  await expectMoment(10)
  await reload()
  await expectCount(chat.nodes, 6)
  await expectCount(bar, 0)
})

test('nothing moves while the graph shows the past, archived branches included', async () => {
  const chat = await openHistory()
  await chat.label('Main line').click({ button: 'right' })
  await chat.menuItem('Archive').click()
  await expectCount(chat.nodes, 4)
  await chat.ask('what is 5+5')
  await clock(chat).click()
  await expectMoment(14)
  const now = drawnPlaces()
  await goTo(11)
  // as many messages as now, of another branch
  await expect.poll(() => Object.keys(drawnPlaces())).toContain('a2')
  await expectCount(chat.nodes, 6)
  const all = { ...now, ...drawnPlaces() }
  expect(all).toMatchObject(now)
  for (const [position, count] of [
    [12, 4],
    [7, 5],
    [6, 4],
    [4, 3],
    [2, 1],
  ] as const) {
    await goTo(position)
    await expectCount(chat.nodes, count)
    expect(all).toMatchObject(drawnPlaces())
  }
})

test('by keyboard alone: in, along, out, and the past stays unchanged', async () => {
  const chat = await openHistory()
  const root = chat.node('You: I am devansh')
  await focus(root)
  await userEvent.keyboard('t')
  await expect.element(slider).toHaveFocus()
  await expectMoment(11)
  await userEvent.keyboard('{PageDown}')
  await expectMoment(1)
  await userEvent.keyboard('{PageUp}')
  await expectMoment(11)
  await userEvent.keyboard('{Home}{ArrowRight}')
  await expectCount(chat.nodes, 1)
  // the past can be walked, and not changed
  await focus(root)
  await userEvent.keyboard('c')
  await expect.element(chat.graph.getByText(/This is the past/)).toBeInTheDocument()
  await expectCount(page.getByRole('textbox', { name: 'Checkpoint name' }), 0)
  await userEvent.keyboard('{F2}')
  await expectCount(page.getByRole('textbox', { name: 'Branch name' }), 0)
  // then Escape leads back to now, with the focus where it was
  await focus(slider)
  await userEvent.keyboard('{Escape}')
  await expectCount(bar, 0)
  await expectCount(chat.nodes, 6)
  await expect.element(root).toHaveFocus()
  await userEvent.keyboard('t')
  await expect.element(slider).toHaveFocus()
  await userEvent.keyboard('{End}')
  await expectCount(asItWas(chat), 0)
  await userEvent.keyboard('t')
  await expectCount(bar, 0)
})

test('a message of the past opens in the thread, and moves nothing until a branch is opened there', async () => {
  const chat = await openHistory()
  await clock(chat).click()
  await goTo(5)
  const pushed = vi.spyOn(history, 'pushState')
  const asked = vi.spyOn(window, 'fetch')
  await chat.node('You: what is 2+2').getByRole('button').click()
  await expect.element(chat.toolbar.getByRole('button', { name: 'Branch from here' })).toBeVisible()
  await expectCount(chat.toolbar.getByRole('button', { name: 'Checkpoint here' }), 0)
  await expect.element(chat.said('what is 2+2')).toBeVisible()
  await chat.reads('main')
  await expect.element(asItWas(chat)).toBeVisible()
  // and on return to now the thread is the one before, and the browser's history has grown by nothing
  await button('Return to now').click()
  await chat.reads('threes')
  await expect.element(chat.said('what is 3+3')).toBeVisible()
  expect(pushed).not.toHaveBeenCalled()
  expect(asked.mock.calls.filter(([, init]) => (init?.method ?? 'GET') !== 'GET')).toEqual([])
  asked.mockRestore()

  // given main as it was after its first turn, when a branch is opened there
  await goTo(3)
  await expectCount(chat.nodes, 2)
  await button('Branch from here').click()
  // then the page is back in the present, on a new branch, named after the branch in the past
  await chat.reads('main-v2')
  await expectCount(bar, 0)
  await expectCount(chat.messages, 2)
  await expect.element(chat.box).toHaveFocus()
  await expect.element(chat.label('New branch')).toBeVisible()
  await chat.undo()
  await chat.reads('threes')
  await expectCount(chat.label('New branch'), 0)
})

test('a history that cannot be read is read when asked again; a new message makes it longer, and the slider stays', async () => {
  const chat = await openHistory()
  const restore = intercept(/\/history\?/, () => {
    throw new TypeError('The connection was cut')
  })
  await clock(chat).click()
  await expect.element(bar.getByRole('alert')).toMatchTextContent('could not be read')
  restore()
  await button('Try again').click()
  await expectMoment(11)
  // when a message is sent
  await goTo(5)
  await chat.ask('what is 5+5')
  await expect.element(slider).toHaveAttribute('aria-valuemax', '13')
  await expectMoment(5)
  await expectCount(chat.nodes, 4)
  // and at now it stays at now
  await focus(slider)
  await userEvent.keyboard('{End}')
  await expectCount(chat.nodes, 8)
  await chat.ask('what is 6+6')
  await expectMoment(15)
  await expectCount(chat.nodes, 10)
})

test('the past, on every screen; on a phone every control is large enough for a thumb', async () => {
  const chat = await openHistory()
  const tab = (name: string) => page.getByRole('tab', { name })
  await clock(chat).click()
  await goTo(10)
  await lookInAllWays('time', async (size) => {
    if (size === 'narrow') await tab('Graph').click()
    await expect.element(asItWas(chat)).toBeVisible()
  })
  await focus(slider)
  await userEvent.keyboard('{Home}')
  await expectCount(chat.nodes, 0)
  await expectAccessible()
  // when it is touched
  await onPhone()
  await reload()
  await tab('Graph').click()
  await clock(chat).click()
  await button('Previous movement').click()
  await expectMoment(10)
  await expectLargeTargets(bar.getByRole('button'), slider, clock(chat))
  await expectAccessible()
  // a look at the thread does not end it
  await tab('Thread').click()
  await tab('Graph').click()
  await expectMoment(10)
  await button('Return to now').click()
})
