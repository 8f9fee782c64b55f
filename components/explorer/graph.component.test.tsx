import { expect, test } from 'vitest'
import { cdp, page, userEvent } from 'vitest/browser'
import {
  boxOf,
  type ChatPage,
  css,
  drawnPlaces,
  expectCount,
  expectLargeTargets,
  focus,
} from '@/testing/page/chat-page'
import { forkedChat, onPhone, openChat, openFork, openPage, turns } from '@/testing/page/given'
import { expectAccessible } from '@/testing/page/look'

// Messages and branches in the graph, and what a person does to them there.

test('the tree is one stop, and arrows walk it', async () => {
  const chat = await openFork()
  // given the focus on the head being read
  await expectCount(chat.graph.css('[role=treeitem][tabindex="0"]'), 1)
  await focus(chat.here)
  await expect.element(chat.here).toHaveAttribute('aria-level', '4')
  // when it goes back to the fork, its first reply, and the other version
  await userEvent.keyboard('{ArrowLeft}')
  await expect.element(chat.node('You: what is 3+3')).toHaveFocus()
  await userEvent.keyboard('[[')
  const other = chat.node('You: what is 2+2')
  await expect.element(other).toHaveFocus()
  await expect.element(other).toHaveAttribute('aria-posinset', '1')
  await expect.element(other).toHaveAttribute('aria-setsize', '2')
  await userEvent.keyboard('{ArrowDown}{ArrowLeft}')
  await expect.element(chat.node(/^Assistant: .*devansh/i)).toHaveFocus()
  // then Enter opens a message of another branch, on that branch
  await userEvent.keyboard('{ArrowRight}{Enter}')
  await chat.reads('main')
  await expect.element(chat.said('what is 2+2')).toBeVisible()
  await expect.element(other).toHaveAttribute('aria-selected', 'true')
  await userEvent.keyboard('{Control>}z{/Control}')
  await chat.reads('main-v2')
  // and Space picks two heads to compare, and takes one back
  const link = page.getByRole('link', { name: 'Compare' })
  await focus(chat.node(/^Assistant: .*4/))
  await userEvent.keyboard(' ')
  await focus(chat.here)
  await userEvent.keyboard(' ')
  await expect.element(link).toHaveAttribute('href', expect.stringMatching(/\?left=main&right=main-v2$/))
  await userEvent.keyboard(' ')
  await expectCount(link, 0)
})

test('a checkpoint above is gone back to, and a name that is left is not given', async () => {
  const chat = await openChat({ ...forkedChat, checkpoints: { question: 'q2' } }, { branch: 'main-v2' })
  await chat.draw('Map')
  await focus(chat.node(/^Assistant: .*4/))
  await userEvent.keyboard('r')
  await chat.reads('main-v2-v2')
  await chat.undo()
  await chat.reads('main-v2')
  await focus(chat.node('You: what is 2+2'))
  await userEvent.keyboard('c')
  const name = chat.graph.getByRole('textbox', { name: 'Checkpoint name' })
  await expect.element(name).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expectCount(name, 0)
  await expectCount(chat.graph.getByRole('button', { name: /^Restore/ }), 1)
})

test('a branch that holds nothing is renamed where it stands, and undone', async () => {
  // given a thread forked before its first message
  const command = async (name: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const request = { method: 'POST', headers, body: JSON.stringify(body) }
    return (await fetch(`/api/commands/${name}`, request)).json()
  }
  const { thread_id, chat_id } = await command('create-thread', {})
  await command('send-message', { thread_id, content: 'I am devansh' })
  await command('fork-thread', { source_thread_id: thread_id, event_number: 1 })
  const chat = await openPage(`/c/${chat_id}`)
  const label = chat.graph.getByRole('button', { name: /^Switch to/ }).first()
  await expect.element(label).toBeVisible()
  const before = label.element().getAttribute('aria-label') ?? ''
  await label.click({ button: 'right' })
  await chat.menuItem('Rename').click()
  await chat.graph.getByRole('textbox', { name: 'Branch name' }).fill('from scratch')
  await userEvent.keyboard('{Enter}')
  await expect.element(chat.label('from scratch')).toBeVisible()
  await chat.undo()
  await expect.element(chat.graph.getByRole('button', { name: before })).toBeVisible()
  await expectCount(chat.label('from scratch'), 0)
})

test('when the branch in view is archived, the branch it came from comes into view; the last one stays', async () => {
  const chat = await openFork()
  await chat.here.click({ button: 'right', position: { x: 6, y: 8 } })
  await chat.menuItem('Archive what is 3+3').click()
  await chat.reads('main')
  await expectCount(chat.nodes, 4)
  // the only branch left cannot be archived
  await chat.label('Main line').click({ button: 'right' })
  await expect.element(chat.menuItem('Rename')).toBeVisible()
  await expectCount(chat.menuItem('Archive'), 0)
  await userEvent.keyboard('{Escape}')
  // and the list of branches restores the other
  await page.getByRole('button', { name: 'Branches', exact: true }).click()
  const archived = page.getByRole('list', { name: 'Archived branches' })
  await archived.getByRole('button', { name: 'Unarchive what is 3+3' }).click()
  await expectCount(archived, 0)
  await expectCount(chat.nodes, 6)
})

test('a branch with nothing of its own waits behind the message it was opened at', async () => {
  const chat = await openFork()
  // given a branch opened at the first reply, and left
  await chat.act(/^Assistant: .*devansh/i, 'Branch from here')
  await chat.reads('main-v2-v2')
  const label = chat.label('New branch')
  await expect.element(label).toHaveAttribute('aria-description', 'You are here')
  await chat.label('Main line').click()
  await chat.reads('main')
  // then its name stands there still, and leads there
  await expect.element(label).toMatchTextContent(/^New branch$/)
  await expect.element(label).toHaveAttribute('aria-description', 'Nothing of its own yet')
  await label.click()
  await chat.reads('main-v2-v2')
  await expect.element(label).toHaveAttribute('aria-description', 'You are here')
})

test('a message that is added moves none that is there', async () => {
  const chat = await openFork()
  const before = drawnPlaces()
  await chat.label('Main line').click()
  await expect.element(chat.said('what is 2+2')).toBeVisible()
  await chat.ask('what is 5+5')
  await chat.act(/^You: what is 3\+3/, 'Branch from here')
  await expectCount(chat.nodes, 8)
  expect(drawnPlaces()).toMatchObject(before)
})

test('long stretches of a long chat are folded when one wishes, and unfold in place', async () => {
  // given a line of more than two hundred messages
  const says = turns(...Array.from({ length: 102 }, (_, i) => `what is ${i + 1}+1`))
  const chat = await openChat({ branches: [{ name: 'main', says }] })
  await chat.draw('Map')
  // when they are folded, then its first message and its last two are seen, and a fold between them
  const fold = chat.graph.getByRole('treeitem', { name: '201 messages, folded' })
  const focused = chat.graph.css('[role=treeitem]:focus')
  await expect.element(chat.here).toBeVisible()
  await chat.ofGraph('Fold long stretches')
  await expect.element(fold).toHaveAttribute('aria-expanded', 'false')
  await expectCount(chat.nodes, 4)
  // when it is unfolded by keyboard
  await focus(chat.here)
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}')
  await expect.element(fold).toHaveFocus()
  // an action that a fold does not have is explained, and done nowhere else
  await userEvent.keyboard('b')
  await expect.element(chat.graph.getByText('Show these messages first')).toBeInTheDocument()
  expect(location.search).not.toContain('branch=')
  const before = boxOf(fold)
  await userEvent.keyboard('{Enter}')
  // then its first message stands where it stood, with the focus
  await expect.element(focused).toHaveAttribute('aria-level', '2')
  expect(Math.abs(boxOf(focused).x - before.x)).toBeLessThan(2)
  expect(Math.abs(boxOf(focused).y - before.y)).toBeLessThan(2)
  // and only messages near the view are on the page
  expect(chat.nodes.elements().length).toBeLessThan(60)
  // when it is folded again from the middle of it
  await userEvent.keyboard('{ArrowRight}f')
  await expect.element(fold).toHaveFocus()
  // when its menu shows them, then folding them later leaves the focus where it is
  await fold.click({ button: 'right' })
  await chat.menuItem('Show these messages').click()
  await expectCount(fold, 0)
  await chat.box.fill('what')
  await chat.ofGraph('Fold long stretches')
  await expect.element(fold).toBeVisible()
  await expect.element(fold).not.toHaveFocus()
  // when a key leads far away, then the message there has its date
  await fold.getByRole('button').click()
  await expect.element(focused).toHaveAttribute('aria-level', '2')
  await userEvent.keyboard('{End}')
  await expect.element(chat.here).toHaveFocus()
  await expect.element(chat.graph.getByText(/^[A-Z][a-z]{2} \d+, \d{4}, /)).toBeVisible()
  await chat.ofGraph('Fold long stretches')
  await expect.element(fold).toBeVisible()
  // when a message in a fold gets a checkpoint, then the head stays where it is on screen
  const at = boxOf(chat.here)
  await chat.more(chat.said('what is 97+1'), 'Checkpoint')
  await userEvent.keyboard('{Enter}')
  await expect.element(chat.node('You: what is 97+1')).toBeInTheDocument()
  expect(Math.abs(boxOf(chat.here).y - at.y)).toBeLessThan(2)
  // and a message that is opened from elsewhere comes out of its fold
  await openPage(`${location.pathname}?at=q90`)
  await expect.element(chat.said('what is 90+1')).toBeInViewport()
  await expect.element(chat.node('You: what is 90+1')).toBeInTheDocument()
})

/** A chat of one turn on a phone, in its thread. */
async function openOnPhone(): Promise<ChatPage> {
  await onPhone()
  const chat = await openChat({ branches: [{ name: 'main', says: turns('I am devansh') }] })
  await expect.element(tab('Graph')).toBeVisible()
  return chat
}

const tab = (name: string) => page.getByRole('tab', { name })
const expectTab = (name: string) => expect.element(tab(name)).toHaveAttribute('aria-selected', 'true')

test('on a phone, a swipe leads to the graph and back, and a message has its actions at the thumb', async () => {
  const chat = await openOnPhone()
  // given a move, whose Undo is offered below the tabs
  await css('article').first().click()
  await css('article').first().getByRole('button', { name: 'Branch from here' }).click()
  await expect.element(page.getByRole('button', { name: 'Undo', exact: true })).toBeVisible()
  // when the thread is swept to the left
  await swipe({ x: 330, y: 400 }, { x: 60, y: 410 })
  await expectTab('Graph')
  await expectCount(chat.nodes, 2)
  await chat.undo()
  await chat.reads('main')
  // and a message tapped
  await chat.node('You: I am devansh').getByRole('button').click()
  await expect.element(chat.toolbar).toBeVisible()
  // then everything to be tapped is large enough for it
  const controls = page.getByRole('group', { name: 'Graph view' }).getByRole('button')
  await expectLargeTargets(chat.toolbar.getByRole('button'), controls, page.getByRole('tab'), chat.nodes)
  await expectAccessible()
  // and a sweep from the edge leads back
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await swipe({ x: 6, y: 300 }, { x: 260, y: 310 })
  await expectTab('Thread')
})

test('on a phone, a long touch opens the menu of a message, also in a browser without a contextmenu event for it', async () => {
  const chat = await openOnPhone()
  await tab('Graph').click()
  const button = chat.node('You: I am devansh').getByRole('button')
  await expect.element(button).toBeVisible()
  const { x, y } = boxOf(button)
  const touch = (type: string) => {
    const finger = { pointerType: 'touch', pointerId: 9, isPrimary: true, clientX: x + 20, clientY: y + 20 }
    button.element().dispatchEvent(new PointerEvent(type, { ...finger, bubbles: true, cancelable: true }))
  }
  touch('pointerdown')
  await expect.element(chat.menuItem('Branch from here')).toBeVisible()
  // and lifting the finger is no tap
  touch('pointerup')
  touch('click')
  await expect.element(chat.menuItem('Branch from here')).toBeVisible()
  await expect.element(chat.node('You: I am devansh')).toHaveAttribute('aria-selected', 'false')
})

/** A finger that sweeps from one place to another. */
async function swipe(from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
  const frame = window.frameElement?.getBoundingClientRect() ?? { x: 0, y: 0 }
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: { x: number; y: number }[]) => {
    const touchPoints = points.map(({ x, y }) => ({ x: frame.x + x, y: frame.y + y }))
    return cdp().send('Input.dispatchTouchEvent', { type, touchPoints })
  }
  const between = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 }
  // at once: a finger that waits for answers is too slow for a swipe
  await Promise.all([
    ...[send('touchStart', from), send('touchMove', between), send('touchMove', to)],
    send('touchEnd'),
  ])
}
