import type { Page } from '@playwright/test'
import { openForkedChat, seedTurns, signIn } from '../support/openings'
import { expectAccessible, phone } from '../support/screens'
import { expect, test } from '../support/test'

test.describe('by keyboard', () => {
  test('the tree is one stop, and arrows walk it', async ({ chat, page }) => {
    await openForkedChat(chat)
    // given the focus on the head being read
    await expect(chat.graph.locator('[role=treeitem][tabindex="0"]')).toHaveCount(1)
    await chat.here.focus()
    await expect(chat.here).toHaveAttribute('aria-level', '4')
    // when it goes up to the fork, its first reply, and the other version
    await page.keyboard.press('ArrowUp')
    await expect(chat.node('You: what is 3+3')).toBeFocused()
    await page.keyboard.press('[')
    await expect(chat.node('You: what is 2+2')).toBeFocused()
    await expect(chat.node('You: what is 2+2')).toHaveAttribute('aria-posinset', '1')
    await expect(chat.node('You: what is 2+2')).toHaveAttribute('aria-setsize', '2')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowUp')
    await expect(chat.node(/^Assistant: .*devansh/i)).toBeFocused()
    // then Enter opens a message of another branch, on that branch
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await chat.reads('main')
    await expect(chat.said('what is 2+2')).toBeVisible()
    await expect(chat.node('You: what is 2+2')).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Control+z')
    await expect(page).toHaveURL(/branch=main-v2/)
  })

  test('a checkpoint is named in place, gone back to, and taken back', async ({ chat, page }) => {
    await openForkedChat(chat)
    await chat.node('You: what is 2+2').focus()
    // when c is pressed and a name given
    await page.keyboard.press('c')
    const name = chat.graph.getByRole('textbox', { name: 'Checkpoint name' })
    await expect(name).toBeFocused()
    await name.fill('question')
    await name.press('Enter')
    // then the checkpoint stands there, and the focus is back in the tree
    await expect(chat.graph.getByRole('button', { name: 'Restore question', exact: true })).toBeVisible()
    await expect(chat.node('You: what is 2+2')).toBeFocused()
    // when r is pressed below it
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('r')
    await expect(page).toHaveURL(/branch=main-v2-v2/)
    await chat.undo()
    await expect(page).toHaveURL(/branch=main-v2/)
    // and Escape leaves a name ungiven
    await chat.node('You: what is 2+2').focus()
    await page.keyboard.press('c')
    await page.keyboard.press('Escape')
    await expect(name).toHaveCount(0)
    await expect(chat.graph.getByRole('button', { name: /^Restore/ })).toHaveCount(1)
  })

  test('a branch is renamed in place, and undone', async ({ chat, page }) => {
    await openForkedChat(chat)
    await chat.here.focus()
    await page.keyboard.press('F2')
    await chat.graph.getByRole('textbox', { name: 'Branch name' }).fill('threes')
    await page.keyboard.press('Enter')
    await expect(chat.label('threes')).toBeVisible()
    await expect(chat.branch()).toContainText('threes')
    await chat.undo()
    await expect(chat.label('main-v2')).toBeVisible()
  })
})

test('a branch is archived by its menu, found among the archived, and restored', async ({ chat, page }) => {
  await openForkedChat(chat)
  const label = chat.label('main')
  // when another branch is archived
  await label.click({ button: 'right' })
  await chat.menuItem('Archive').click()
  // then messages that only it leads to are not drawn
  await expect(label).toHaveCount(0)
  await expect(chat.nodes).toHaveCount(4)
  await chat.undo()
  await expect(chat.nodes).toHaveCount(6)

  // when the branch in view is archived, the branch it came from comes into view
  await chat.here.click({ button: 'right', position: { x: 6, y: 8 } })
  await chat.menuItem('Archive main-v2').click()
  await chat.reads('main')
  await expect(chat.nodes).toHaveCount(4)
  // and the list of branches restores it
  await page.getByRole('button', { name: 'Branches', exact: true }).click()
  const archived = page.getByRole('list', { name: 'Archived branches' })
  await archived.getByRole('button', { name: 'Unarchive main-v2' }).click()
  await expect(archived).toHaveCount(0)
  await expect(chat.nodes).toHaveCount(6)
  // the only branch left cannot be archived
  await page.keyboard.press('Escape')
  await label.click({ button: 'right' })
  await chat.menuItem('Archive').click()
  await expect(chat.nodes).toHaveCount(4)
  await chat.label('main-v2').click({ button: 'right' })
  await expect(chat.menuItem('Rename')).toBeVisible()
  await expect(chat.menuItem('Archive')).toHaveCount(0)
})

test('two heads are picked and compared', async ({ chat, page }) => {
  await openForkedChat(chat)
  await chat
    .node(/^Assistant: .*4/)
    .getByRole('button')
    .click({ modifiers: ['Shift'] })
  await chat.here.focus()
  await page.keyboard.press('Space')
  const link = page.getByRole('group', { name: 'Compare' }).getByRole('link', { name: 'Compare' })
  await expect(link).toHaveAttribute('href', /\/compare\?left=main&right=main-v2$/)
  // picking is taken back by the same key
  await page.keyboard.press('Space')
  await expect(link).toHaveCount(0)
  await page.keyboard.press('Space')
  await link.click()
  await expect(page).toHaveURL(/\/compare\?left=main&right=main-v2$/)
})

test('a branch with nothing of its own waits behind the message it was opened at', async ({ chat, page }) => {
  await openForkedChat(chat)
  // given a branch opened at the first reply, and left
  await chat.act(/^Assistant: .*devansh/i, 'Branch from here')
  await expect(page).toHaveURL(/branch=main-v2-v2/)
  const label = chat.label('main-v2-v2')
  await expect(label).toHaveText('new branch')
  await chat.label('main').click()
  await chat.reads('main')
  // then its name stands there still, and leads there
  await expect(label).toHaveText('new branch')
  await expect(label).toHaveAttribute('aria-description', 'Nothing of its own yet')
  await label.click()
  await expect(page).toHaveURL(/branch=main-v2-v2/)
  await expect(label).toHaveText('new branch')
})

test('a branch that holds nothing is renamed where it stands', async ({ chat, page }) => {
  // given a thread forked before its first message
  await signIn(page.request)
  const command = async (name: string, data: object) =>
    (await page.request.post(`/api/commands/${name}`, { data })).json()
  const { thread_id, chat_id } = await command('create-thread', {})
  await command('send-message', { thread_id, content: 'I am devansh' })
  await command('fork-thread', { source_thread_id: thread_id, event_number: 1 })
  await chat.open(`/c/${chat_id}`)
  const label = chat.graph.getByRole('button', { name: /^Switch to/ }).first()
  await label.click({ button: 'right' })
  await chat.menuItem('Rename').click()
  await chat.graph.getByRole('textbox', { name: 'Branch name' }).fill('from scratch')
  await page.keyboard.press('Enter')
  await expect(chat.label('from scratch')).toBeVisible()
})

test('a message that is added moves none that is there', async ({ chat, page }) => {
  await openForkedChat(chat)
  const places = () =>
    page
      .locator('.react-flow__node')
      .evaluateAll((all) =>
        Object.fromEntries(
          all.map((node) => [node.getAttribute('data-id'), (node as HTMLElement).style.transform]),
        ),
      )
  const before = await places()
  await chat.label('main').click()
  await expect(chat.said('what is 2+2')).toBeVisible()
  await chat.ask('what is 5+5')
  await chat.act(/^You: what is 3\+3/, 'Branch from here')
  await expect(chat.nodes).toHaveCount(8)
  expect(await places()).toMatchObject(before)
})

test('the graph is on the page before its code, where it will be', async ({
  chat,
  page,
  browser,
  baseURL,
}) => {
  await openForkedChat(chat)
  await chat.draw('Outline')
  const card = page
    .locator('.react-flow__node')
    .filter({ has: page.locator('[role=treeitem][aria-current="true"]') })
  // given a browser that runs no script
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: page.viewportSize(),
    storageState: await page.context().storageState(),
    ...(baseURL && { baseURL }),
  })
  const still = await context.newPage()
  await still.goto(page.url())
  const picture = still.getByRole('status', { name: 'Loading the graph' })
  await expect(picture).toBeVisible()
  await expect(picture.getByText('what is 3+3').first()).toBeVisible()
  // then the head is within a pixel of where the graph draws it when it opens
  await page.reload()
  const pictured = await picture.locator('[data-row]').filter({ hasText: 'what is 3+3' }).last().boundingBox()
  const away = async () => {
    const drawn = await card.boundingBox()
    const sides = (['x', 'y', 'width', 'height'] as const).map((side) =>
      Math.abs((pictured?.[side] ?? 0) - (drawn?.[side] ?? 99)),
    )
    return Math.max(...sides)
  }
  await expect.poll(away).toBeLessThan(1.5)
  await context.close()
})

test('long stretches of a long chat are folded, and unfold in place', async ({ chat, page }) => {
  // given a line of more than two hundred messages
  const id = await seedTurns(
    chat,
    Array.from({ length: 102 }, (_, i) => `what is ${i + 1}+1`),
  )
  await chat.open(`/c/${id}`)
  await chat.draw('Map')
  // then its first message and its last two are seen, and a fold between them
  const fold = chat.graph.getByRole('treeitem', { name: '201 messages, folded' })
  await expect(fold).toHaveAttribute('aria-expanded', 'false')
  await expect(chat.nodes).toHaveCount(4)
  // when it is unfolded by keyboard
  await chat.here.focus()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(fold).toBeFocused()
  // an action that a fold does not have is explained, and done nowhere else
  await page.keyboard.press('b')
  await expect(chat.graph.getByText('Show these messages first')).toBeAttached()
  await expect(page).not.toHaveURL(/branch=/)
  const before = await fold.boundingBox()
  await page.keyboard.press('Enter')
  // then its first message stands where it stood, with the focus
  const first = chat.graph.locator('[role=treeitem]:focus')
  await expect(first).toHaveAttribute('aria-level', '2')
  expect(Math.abs(((await first.boundingBox())?.y ?? 0) - (before?.y ?? 99))).toBeLessThan(2)
  // and only messages near the view are on the page
  expect(await chat.nodes.count()).toBeLessThan(60)
  // when it is folded again from the middle of it
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('f')
  await expect(fold).toBeFocused()
  // when its menu shows them, then folding them later leaves the focus where it is
  await fold.click({ button: 'right' })
  await chat.menuItem('Show these messages').click()
  await expect(fold).toHaveCount(0)
  await chat.box.fill('what')
  await chat.graph.getByRole('button', { name: 'Fold long stretches' }).click()
  await expect(fold).toBeVisible()
  await expect(fold).not.toBeFocused()
  // when a key leads far away, then the message there has its date
  await fold.getByRole('button').click()
  await expect(chat.graph.locator('[role=treeitem]:focus')).toHaveAttribute('aria-level', '2')
  await page.keyboard.press('End')
  await expect(chat.here).toBeFocused()
  await expect(chat.graph.getByText(/^[A-Z][a-z]{2} \d+, \d{4}, /)).toBeVisible()
  await chat.graph.getByRole('button', { name: 'Fold long stretches' }).click()
  await expect(fold).toBeVisible()
  // when a message in a fold gets a checkpoint, then the head stays where it is on screen
  const at = await chat.here.boundingBox()
  await chat.said('what is 97+1').getByRole('button', { name: 'Checkpoint here' }).click()
  await page.keyboard.press('Enter')
  await expect(chat.node('You: what is 97+1')).toBeAttached()
  expect(Math.abs(((await chat.here.boundingBox())?.y ?? 0) - (at?.y ?? 99))).toBeLessThan(2)
  // and a message that is opened from elsewhere comes out of its fold
  await chat.said('what is 97+1').click()
  await page.goto(`/c/${id}?at=q90`)
  await expect(chat.said('what is 90+1')).toBeInViewport()
})

test.describe('on a phone', () => {
  test.use(phone)

  test('a swipe leads to the graph and back, and a message has its actions at the thumb', async ({
    chat,
    page,
  }) => {
    await chat.open()
    await chat.ask('I am devansh')
    // when the thread is swept to the left
    await swipe(page, { x: 330, y: 400 }, { x: 60, y: 410 })
    await expect(page.getByRole('tab', { name: 'Graph' })).toHaveAttribute('aria-selected', 'true')
    await expect(chat.nodes).toHaveCount(2)
    // and a message tapped
    await chat.node('You: I am devansh').getByRole('button').tap()
    await expect(chat.toolbar).toBeVisible()
    // then everything to be tapped is large enough for it
    const buttons = [
      ...(await chat.toolbar.getByRole('button').all()),
      ...(await page.getByRole('group', { name: 'Graph view' }).getByRole('button').all()),
      ...(await page.getByRole('tab').all()),
      ...(await chat.nodes.all()),
    ]
    for (const button of buttons) {
      const box = await button.boundingBox()
      expect(box?.height).toBeGreaterThanOrEqual(44)
      expect(box?.width).toBeGreaterThanOrEqual(44)
    }
    await expectAccessible(page)
    // and a sweep from the edge leads back
    await page.getByRole('button', { name: 'Close', exact: true }).tap()
    await swipe(page, { x: 6, y: 300 }, { x: 260, y: 310 })
    await expect(page.getByRole('tab', { name: 'Thread' })).toHaveAttribute('aria-selected', 'true')
  })

  test('a long touch opens the menu of a message, also in a browser without a contextmenu event for it', async ({
    chat,
    page,
  }) => {
    await chat.open()
    await chat.ask('I am devansh')
    await page.getByRole('tab', { name: 'Graph' }).tap()
    const button = chat.node('You: I am devansh').getByRole('button')
    const { x, y } = (await button.boundingBox()) ?? { x: 0, y: 0 }
    const finger = { pointerType: 'touch', pointerId: 9, isPrimary: true, clientX: x + 20, clientY: y + 20 }
    await button.dispatchEvent('pointerdown', finger)
    await expect(chat.menuItem('Branch from here')).toBeVisible()
    // and lifting the finger is no tap
    await button.dispatchEvent('pointerup', finger)
    await button.dispatchEvent('click', finger)
    await expect(chat.menuItem('Branch from here')).toBeVisible()
    await expect(chat.node('You: I am devansh')).toHaveAttribute('aria-selected', 'false')
  })

  test('Undo is offered below the tabs, which stay in reach', async ({ chat, page }) => {
    await chat.open()
    await chat.ask('I am devansh')
    await page.getByRole('article').first().getByRole('button', { name: 'Branch from here' }).tap()
    const undoing = page.getByRole('button', { name: 'Undo', exact: true })
    await expect(undoing).toBeVisible()
    await page.getByRole('tab', { name: 'Graph' }).tap()
    await expect(page.getByRole('tab', { name: 'Graph' })).toHaveAttribute('aria-selected', 'true')
    await undoing.tap()
    await chat.reads('main')
  })
})

/** A finger that sweeps from one place to another. */
async function swipe(
  page: Page,
  from: { x: number; y: number },
  to: { x: number; y: number },
): Promise<void> {
  const touch = await page.context().newCDPSession(page)
  const send = (type: string, touchPoints: { x: number; y: number }[]) =>
    touch.send('Input.dispatchTouchEvent', { type: type as 'touchStart', touchPoints })
  await send('touchStart', [from])
  for (let step = 1; step <= 6; step++) {
    const at = (a: number, b: number) => a + ((b - a) * step) / 6
    await send('touchMove', [{ x: at(from.x, to.x), y: at(from.y, to.y) }])
  }
  await send('touchEnd', [])
  await touch.detach()
}
