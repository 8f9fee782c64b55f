import type { Page } from '@playwright/test'
import type { ChatPage } from '../support/chat-page'
import { seedTurns } from '../support/openings'
import { expectAccessible, phone, picture, sidewaysScroll } from '../support/screens'
import { expect, test } from '../support/test'

/**
 * Opens a chat with two turns on main, a checkpoint at the first reply, and another second turn on main-v2, which is
 * renamed threes and is in view. Its history:
 *
 *  1 main begins · 2 I am devansh · 3 its reply · 4 what is 2+2 · 5 its reply · 6 checkpoint good · 7 main-v2 begins ·
 *  8 it comes into view · 9 what is 3+3 · 10 its reply · 11 it is renamed threes
 */
async function live(chat: ChatPage, page: Page): Promise<void> {
  const id = await seedTurns(chat, ['I am devansh', 'what is 2+2'])
  await chat.open(`/c/${id}`)
  // on a phone the graph is behind its tab
  if ((page.viewportSize()?.width ?? 0) < 768) return
  await chat.draw('Map')
  await chat.node(/^Assistant: .*devansh/i).focus()
  await page.keyboard.press('c')
  await name(page, 'Checkpoint name', 'good')
  await chat.act(/^Assistant: .*devansh/i, 'Branch from here')
  await expect(page).toHaveURL(/branch=main-v2/)
  await chat.ask('what is 3+3')
  await chat.graph.locator('[role=treeitem][aria-current="true"]').focus()
  await page.keyboard.press('F2')
  await name(page, 'Branch name', 'threes')
  await expect(chat.branch()).toContainText('threes')
}

async function name(page: Page, label: string, value: string): Promise<void> {
  await page.getByRole('textbox', { name: label }).fill(value)
  await page.keyboard.press('Enter')
}

const slider = (page: Page) => page.getByRole('slider', { name: 'History' })
const bar = (page: Page) => page.getByRole('group', { name: 'Time' })
const button = (page: Page, label: string) => bar(page).getByRole('button', { name: label, exact: true })
const clock = (chat: ChatPage) => chat.graph.getByRole('button', { name: 'Time', exact: true })
const asItWas = (chat: ChatPage) => chat.graph.getByText(/^As it was today/)

/** Moves to a position, from the beginning. */
async function goTo(page: Page, position: number): Promise<void> {
  await expect(slider(page)).toHaveAttribute('aria-valuetext', /^\d+ of \d+/)
  await slider(page).press('Home')
  for (let at = 1; at < position; at++) await slider(page).press('ArrowRight')
  await expect(slider(page)).toHaveAttribute('aria-valuenow', `${position}`)
}

test('the graph is seen as it was, and as it is again', async ({ chat, page }) => {
  await live(chat, page)
  await expect(slider(page)).toHaveCount(0)
  await clock(chat).click()
  // given the history, at now
  await expect(slider(page)).toBeFocused()
  await expect(slider(page)).toHaveAttribute(
    'aria-valuetext',
    /^11 of 11 · Renamed main-v2 to threes · today \d\d:\d\d · now$/,
  )
  await expect(asItWas(chat)).toHaveCount(0)

  // when the slider goes back before the rename, the bar says what happened, and the branch has its old name
  await button(page, 'Previous movement').click()
  await expect(slider(page)).toHaveAttribute(
    'aria-valuetext',
    /^10 of 11 · Assistant said “.*6.*” on main-v2/,
  )
  await expect(asItWas(chat)).toBeVisible()
  await expect(chat.graph.getByText('what is 3+3', { exact: true }).last()).toBeVisible()
  await expect(chat.graph.getByText('threes', { exact: true })).toHaveCount(0)
  await expect(chat.nodes).toHaveCount(6)

  // and before the branch and the checkpoint, they are not there
  await goTo(page, 6)
  await expect(bar(page)).toContainText('Saved checkpoint “good”')
  await expect(chat.nodes).toHaveCount(4)
  await expect(chat.graph.getByText('good', { exact: true })).toBeVisible()
  await button(page, 'Previous movement').click()
  await expect(chat.graph.getByText('good', { exact: true })).toHaveCount(0)
  await expect(bar(page)).toContainText('Assistant said')
  await button(page, 'Next movement').click()
  await expect(chat.graph.getByText('good', { exact: true })).toBeVisible()

  // and before everything, nothing
  await slider(page).press('Home')
  await expect(chat.nodes).toHaveCount(0)
  await expect(chat.graph.getByText('Nothing had been said yet.')).toBeVisible()

  // then the button returns to now
  await button(page, 'Return to now').click()
  await expect(bar(page)).toHaveCount(0)
  await expect(asItWas(chat)).toHaveCount(0)
  await expect(chat.nodes).toHaveCount(6)
  await expect(chat.label('threes')).toBeVisible()

  // and a reload shows now
  await clock(chat).click()
  await slider(page).press('ArrowLeft')
  await chat.reload()
  await expect(chat.nodes).toHaveCount(6)
  await expect(bar(page)).toHaveCount(0)
})

test('nothing moves while the graph shows the past, archived branches included', async ({ chat, page }) => {
  await live(chat, page)
  await chat.label('main').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  await expect(chat.nodes).toHaveCount(4)
  await chat.ask('what is 5+5')
  await clock(chat).click()
  await expect(slider(page)).toHaveAttribute('aria-valuenow', '14')
  const places = () =>
    page
      .locator('.react-flow__node')
      .evaluateAll((all) =>
        Object.fromEntries(
          all.map((node) => [node.getAttribute('data-id'), (node as HTMLElement).style.transform]),
        ),
      )
  const now = await places()
  await goTo(page, 11)
  await expect(chat.nodes).toHaveCount(6)
  const all = { ...now, ...(await places()) }
  expect(all).toMatchObject(now)
  for (const [position, count] of [
    [12, 4],
    [9, 5],
    [8, 4],
    [4, 3],
    [2, 1],
  ] as const) {
    await goTo(page, position)
    await expect(chat.nodes).toHaveCount(count)
    expect(all).toMatchObject(await places())
  }
})

test('a branch is opened at a moment of the past, and undone', async ({ chat, page }) => {
  await live(chat, page)
  await clock(chat).click()
  // given main as it was after its first turn
  await goTo(page, 3)
  await expect(chat.nodes).toHaveCount(2)
  await button(page, 'Branch from here').click()
  // then the page is back in the present, on a new branch, named after the branch in the past
  await expect(page).toHaveURL(/branch=main-v2/)
  await expect(bar(page)).toHaveCount(0)
  await expect(chat.messages).toHaveCount(2)
  await expect(chat.box).toBeFocused()
  await expect(chat.label('main-v2')).toBeVisible()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(page).toHaveURL(/branch=threes/)
  await expect(chat.label('main-v2')).toHaveCount(0)
})

test('by keyboard alone: in, along, out, and the past stays unchanged', async ({ chat, page }) => {
  await live(chat, page)
  const root = chat.node('You: I am devansh')
  await root.focus()
  await page.keyboard.press('t')
  await expect(slider(page)).toBeFocused()
  await expect(slider(page)).toHaveAttribute('aria-valuenow', '11')
  await page.keyboard.press('PageDown')
  await expect(slider(page)).toHaveAttribute('aria-valuenow', '1')
  await page.keyboard.press('PageUp')
  await expect(slider(page)).toHaveAttribute('aria-valuenow', '11')
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await expect(chat.nodes).toHaveCount(1)
  // the past can be walked, and not changed
  await root.focus()
  await page.keyboard.press('c')
  await expect(page.getByRole('textbox', { name: 'Checkpoint name' })).toHaveCount(0)
  await expect(chat.graph.getByText(/This is the past/)).toBeAttached()
  await page.keyboard.press('F2')
  await expect(page.getByRole('textbox', { name: 'Branch name' })).toHaveCount(0)
  // then Escape leads back to now, with the focus where it was
  await slider(page).focus()
  await page.keyboard.press('Escape')
  await expect(bar(page)).toHaveCount(0)
  await expect(chat.nodes).toHaveCount(6)
  await expect(root).toBeFocused()
  await page.keyboard.press('t')
  await expect(slider(page)).toBeFocused()
  await page.keyboard.press('End')
  await expect(asItWas(chat)).toHaveCount(0)
  await page.keyboard.press('t')
  await expect(bar(page)).toHaveCount(0)
})

test('a message of the past opens in the thread, and moves nothing', async ({ chat, page }) => {
  await live(chat, page)
  await clock(chat).click()
  await goTo(page, 5)
  const entries = await page.evaluate(() => history.length)
  const writes: string[] = []
  page.on('request', (request) => request.method() !== 'GET' && writes.push(request.url()))
  await chat.node('You: what is 2+2').getByRole('button').click()
  await expect(chat.toolbar.getByRole('button', { name: 'Branch from here' })).toBeVisible()
  await expect(chat.toolbar.getByRole('button', { name: 'Checkpoint here' })).toHaveCount(0)
  await expect(chat.said('what is 2+2')).toBeVisible()
  await expect(page).toHaveURL(/branch=main(&|$)/)
  await expect(asItWas(chat)).toBeVisible()
  // and on return to now the thread is the one before, and the browser's history has grown by nothing
  await button(page, 'Return to now').click()
  await expect(page).toHaveURL(/branch=threes(&|$)/)
  await expect(chat.said('what is 3+3')).toBeVisible()
  expect(await page.evaluate(() => history.length)).toBe(entries)
  expect(writes).toEqual([])
})

test('a new message makes the history longer, and leaves the slider at its moment', async ({
  chat,
  page,
}) => {
  await live(chat, page)
  await clock(chat).click()
  await goTo(page, 5)
  await chat.ask('what is 5+5')
  await expect(slider(page)).toHaveAttribute('aria-valuemax', '13')
  await expect(slider(page)).toHaveAttribute('aria-valuenow', '5')
  await expect(chat.nodes).toHaveCount(4)
  // and at now it stays at now
  await slider(page).press('End')
  await expect(chat.nodes).toHaveCount(8)
  await chat.ask('what is 6+6')
  await expect(slider(page)).toHaveAttribute('aria-valuenow', '15')
  await expect(chat.nodes).toHaveCount(10)
})

test('a history that cannot be read says so, and is read when asked again', async ({ chat, page }) => {
  await live(chat, page)
  await page.route('**/history?*', (route) => route.abort())
  await clock(chat).click()
  await expect(bar(page).getByRole('alert')).toContainText('could not be read')
  await page.unroute('**/history?*')
  await button(page, 'Try again').click()
  await expect(slider(page)).toHaveAttribute('aria-valuenow', '11')
})

test('another person’s history is answered as a missing one', async ({ chat, page, browser, baseURL }) => {
  await live(chat, page)
  const id = new URL(page.url()).pathname.split('/').at(-1)
  const own = await page.request.get(`/api/chats/${id}/history`)
  expect(own.headers()['cache-control']).toBe('no-store')
  expect(await own.json()).toMatchObject({ kinds: 'emmmmkosmmn' })
  const stranger = await browser.newContext(baseURL ? { baseURL } : {})
  await stranger.request.post('/api/auth/sign-in/anonymous', { data: {}, headers: { origin: baseURL ?? '' } })
  const answer = await stranger.request.get(`/api/chats/${id}/history`)
  expect(answer.status()).toBe(404)
  expect(await answer.text()).not.toContain('devansh')
  await stranger.close()
})

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, { tag: `@${colorScheme}` }, () => {
    test.use({ colorScheme })

    test('axe finds nothing serious in the past', async ({ chat, page }) => {
      await live(chat, page)
      await clock(chat).click()
      await goTo(page, 10)
      await expect(asItWas(chat)).toBeVisible()
      await picture(page, `time-wide-${colorScheme}`)
      await expectAccessible(page)
      await slider(page).press('Home')
      await expect(chat.nodes).toHaveCount(0)
      await expectAccessible(page)
    })

    test.describe('on a phone', () => {
      test.use(phone)

      test('every control is large enough for a thumb', async ({ chat, page }) => {
        await live(chat, page)
        await page.getByRole('tab', { name: 'Graph' }).tap()
        await clock(chat).tap()
        await button(page, 'Previous movement').tap()
        await expect(chat.nodes).toHaveCount(3)
        for (const target of [...(await bar(page).getByRole('button').all()), slider(page), clock(chat)]) {
          const box = await target.boundingBox()
          expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44)
        }
        await picture(page, `time-narrow-${colorScheme}`)
        await expectAccessible(page)
        expect(await sidewaysScroll(page)).toBe(0)
        // a look at the thread does not end it
        await page.getByRole('tab', { name: 'Thread' }).tap()
        await page.getByRole('tab', { name: 'Graph' }).tap()
        await expect(slider(page)).toHaveAttribute('aria-valuenow', '4')
        await button(page, 'Return to now').tap()
        await expect(chat.nodes).toHaveCount(4)
      })
    })
  })
}
