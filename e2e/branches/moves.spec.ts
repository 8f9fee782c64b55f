import type { Page } from '@playwright/test'
import type { ChatPage } from '../support/chat-page'
import { openForkedChat } from '../support/openings'
import { phone, sidewaysScroll } from '../support/screens'
import { expect, test } from '../support/test'

// Moves in a conversation: where each one leads, and where its Undo leads.

async function archive(chat: ChatPage, page: Page, branch: string): Promise<void> {
  await chat.label(branch).click({ button: 'right' })
  await chat.menuItem('Archive', { exact: true }).click()
  await expect(page.getByText(/^Archived /)).toBeVisible()
}

async function find(page: Page, words: string, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Search', exact: true }).first().click()
  const search = page.getByRole('dialog', { name: 'Search' })
  await search.getByRole('combobox').fill(words)
  await search.getByRole('option').filter({ hasText: text }).first().click()
}

test('an archived branch is read without being restored, until a message is sent on it', async ({
  chat,
  page,
}) => {
  await openForkedChat(chat)
  await archive(chat, page, 'main')
  await expect(chat.nodes).toHaveCount(4)
  // when another version is opened, which only the archived branch holds
  await chat.said('what is 3+3').getByRole('button', { name: 'Previous version' }).click()
  await chat.reads('main')
  await expect(chat.said('what is 2+2')).toBeVisible()
  await expect(page.getByText('main is archived.')).toBeVisible()
  await expect(chat.branch()).toHaveText('main')
  await expect(chat.node('You: what is 2+2')).toHaveAttribute('aria-selected', 'true')
  // then Undo leads back, and the branch is still archived
  await page.keyboard.press('Control+z')
  await chat.reads('main-v2')
  await expect(chat.nodes).toHaveCount(4)
  // nor does the list of branches restore it, or make the chat open on it
  await page.getByRole('button', { name: 'Branches', exact: true }).click()
  const archived = page.getByRole('list', { name: 'Archived branches' })
  await archived.getByRole('button', { name: 'Switch to main' }).click()
  await chat.reads('main')
  await page.goto(new URL(page.url()).pathname)
  await expect(chat.branch()).toHaveAttribute('title', 'main-v2')
  await expect(chat.nodes).toHaveCount(4)

  // when a search leads there and a message is sent
  await find(page, '2+2', 'what is 2+2')
  await chat.reads('main')
  await expect(chat.node('You: what is 2+2')).toHaveAttribute('aria-selected', 'true')
  await expect(chat.messages).toHaveCount(4)
  await chat.ask('what is 5+5')
  // then it is one of the branches again
  await chat.label('main-v2').click()
  await chat.reads('main-v2')
  await expect(chat.label('main')).toBeVisible()
  await expect(chat.nodes).toHaveCount(8)
})

test('Undo of an archived branch leaves a reader of another branch there', async ({ chat, page }) => {
  await openForkedChat(chat)
  const path = new URL(page.url()).pathname
  // given a chat that opens on main-v2, and a reader of main
  await chat.open(`${path}?branch=main`)
  await archive(chat, page, 'main-v2')
  await expect(chat.nodes).toHaveCount(4)
  await chat.undo()
  await expect(chat.nodes).toHaveCount(6)
  await chat.reads('main')
  await expect(chat.said('what is 2+2')).toBeVisible()
  // then the chat opens where it did before
  await expect(async () => {
    await page.goto(path)
    await expect(chat.branch()).toHaveAttribute('title', 'main-v2', { timeout: 1000 })
  }).toPass()
})

test('a double click elsewhere is one move, and its Undo leads to where it began', async ({ chat, page }) => {
  await openForkedChat(chat)
  await chat.node('You: what is 2+2').getByRole('button').dblclick()
  await expect(page.getByText('continues from here. Undo goes back to')).toBeVisible()
  await expect(chat.branch()).not.toHaveAttribute('title', /^main(-v2)?$/)
  await chat.undo()
  await chat.reads('main-v2')
  await expect(chat.said('what is 3+3')).toBeVisible()
})

test('two messages of one branch are no comparison', async ({ chat, page }) => {
  await openForkedChat(chat)
  // given a message of the branch being read
  await chat.node('You: what is 3+3').getByRole('button').click()
  await expect(chat.toolbar.getByRole('button', { name: 'Checkpoint here' })).toBeVisible()
  await expect(chat.toolbar.getByRole('button', { name: 'Compare with current' })).toHaveCount(0)
  // when another of its messages is picked beside it
  await page.keyboard.press('Escape')
  for (const name of ['You: what is 3+3', 'You: I am devansh']) {
    await chat
      .node(name)
      .getByRole('button')
      .click({ modifiers: ['Shift'] })
  }
  const bar = page.getByRole('group', { name: 'Compare' })
  await expect(bar).toContainText('Both are on main-v2')
  await expect(bar.getByRole('link')).toHaveCount(0)
  // and a message of another branch is compared with the one being read
  await bar.getByRole('button', { name: 'Stop comparing' }).click()
  await chat.node('You: what is 2+2').focus()
  await page.keyboard.press('Space')
  await chat
    .node('You: what is 3+3')
    .getByRole('button')
    .click({ modifiers: ['Shift'] })
  await expect(bar.getByRole('link', { name: 'Compare' })).toHaveAttribute('href', /left=main&right=main-v2$/)
})

test('a reply that is being written on another branch opens there, and cannot be branched from yet', async ({
  chat,
  page,
}) => {
  await openForkedChat(chat)
  await chat.box.fill('count to 5000')
  await chat.box.press('Enter')
  const writing = page.locator('article[data-status="streaming"]')
  await expect(writing).toContainText('8')
  await chat.label('main').click()
  await chat.reads('main')
  await expect(writing).toHaveCount(0)
  // when its place in the graph is clicked
  await chat
    .node(/^Assistant: .*Writing$/)
    .getByRole('button')
    .click()
  await chat.reads('main-v2')
  await expect(writing).toBeInViewport()
  await expect(chat.toolbar.getByRole('button', { name: 'Open' })).toBeVisible()
  for (const name of ['Branch from here', 'Checkpoint here']) {
    await expect(chat.toolbar.getByRole('button', { name })).toHaveCount(0)
  }
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await chat.settled()
  await expect(chat.toolbar.getByRole('button', { name: 'Branch from here' })).toBeVisible()
})

test('hidden parts of the page keep their state', async ({ chat, page }) => {
  await openForkedChat(chat)
  const node = chat.node('You: what is 3+3')
  const bar = page.getByRole('group', { name: 'Compare' })
  const editor = page.getByRole('textbox', { name: 'Edit message' })
  // given an edit that was begun, and a message picked for comparing, which has the focus
  await chat.said('what is 3+3').hover()
  await chat.said('what is 3+3').getByRole('button', { name: 'Edit' }).click()
  await editor.fill('what is 30+30')
  await node.focus()
  await page.keyboard.press('Space')
  await expect(bar).toBeVisible()
  // when the graph fills the window
  await page.keyboard.press('g')
  await page.keyboard.press('g')
  await expect(chat.box).toBeHidden()
  await expect(bar).toBeVisible()
  await expect(node).toBeFocused()
  // and a message is opened from there
  await page.keyboard.press('Enter')
  await expect(chat.box).toBeVisible()
  await expect(node).toBeFocused()
  await expect(editor).toHaveValue('what is 30+30')
  // and the graph is hidden, and shown again
  await page.getByRole('button', { name: 'Hide graph' }).click()
  await expect(chat.graph).toBeHidden()
  await expect(editor).toBeVisible()
  await page.getByRole('button', { name: 'Show graph' }).click()
  await expect(bar).toBeVisible()
  // and the window becomes as narrow as a phone, and wide again
  await page.setViewportSize({ width: 500, height: 900 })
  await expect(page.getByRole('tab', { name: 'Thread' })).toBeVisible()
  await expect(editor).toHaveValue('what is 30+30')
  await page.getByRole('tab', { name: 'Graph' }).click()
  await expect(bar).toBeVisible()
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(bar).toBeVisible()
  await expect(editor).toHaveValue('what is 30+30')
})

test('from a graph that fills the window, branching leads to the message box', async ({ chat, page }) => {
  await openForkedChat(chat)
  await page.keyboard.press('Escape')
  await chat.node('You: what is 3+3').focus()
  await page.keyboard.press('g')
  await page.keyboard.press('g')
  await expect(chat.box).toBeHidden()
  await chat.node(/^Assistant: .*devansh/i).focus()
  await page.keyboard.press('b')
  await expect(chat.box).toBeFocused()
  await expect(chat.messages).toHaveCount(2)
})

test.describe('with reduced motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' }, viewport: { width: 1440, height: 500 } })

  test('the end of the thread is there at once', async ({ chat, page }) => {
    await chat.open()
    await chat.ask('count to 800')
    const ways = await page.evaluateHandle(() => {
      const seen: unknown[] = []
      const scrollTo = Element.prototype.scrollTo
      Element.prototype.scrollTo = function (...options: unknown[]) {
        seen.push(JSON.stringify(options))
        Reflect.apply(scrollTo, this, options)
      }
      return seen
    })
    await chat.said('count to 800').scrollIntoViewIfNeeded()
    await page.getByRole('button', { name: 'Jump to latest' }).click()
    await expect(page.getByRole('button', { name: 'Jump to latest' })).toHaveCount(0)
    const seen = await ways.jsonValue()
    expect(seen).not.toEqual([])
    expect(seen.join()).not.toContain('smooth')
  })
})

test.describe('on a phone', () => {
  test.use(phone)

  test('branching from the graph leads to the message box, and everything is large enough to be tapped', async ({
    chat,
    page,
  }) => {
    await chat.open()
    await chat.ask('I am devansh')
    await chat.ask('what is 2+2')
    await page.getByRole('tab', { name: 'Graph' }).tap()
    await chat
      .node(/^Assistant: .*devansh/i)
      .getByRole('button')
      .tap()
    await chat.toolbar.getByRole('button', { name: 'Branch from here' }).tap()
    await expect(page.getByRole('tab', { name: 'Thread' })).toHaveAttribute('aria-selected', 'true')
    await expect(chat.box).toBeFocused()
    await largeEnough([page.getByRole('button', { name: 'Undo', exact: true })])
    await chat.ask('what is 3+3')
    await largeEnough([
      page.getByRole('button', { name: /^(Checkpoint|Compare branches|Previous version)$/ }),
      chat.said('what is 3+3').getByRole('button'),
    ])
    await page.getByRole('button', { name: 'Compare branches' }).tap()
    await expect(page.getByRole('button', { name: 'Swap sides' })).toBeVisible()
    await largeEnough([
      page.getByRole('button', { name: 'Swap sides' }),
      page.getByRole('radio'),
      page.getByRole('link', { name: /^Open/ }),
      page.getByRole('article').getByRole('button', { name: 'Branch from here' }),
    ])
    expect(await sidewaysScroll(page)).toBe(0)
  })
})

/** The visible targets are as large as a finger. */
async function largeEnough(targets: ReturnType<Page['getByRole']>[]): Promise<void> {
  for (const target of targets) {
    await expect(target.filter({ visible: true }).first()).toBeVisible()
    for (const each of await target.filter({ visible: true }).all()) {
      const box = await each.boundingBox()
      const html = await each.evaluate((element) => element.outerHTML.slice(0, 120))
      // a target that still slides in may be measured a hair less
      expect(Math.round(Math.min(box?.width ?? 0, box?.height ?? 0)), html).toBeGreaterThanOrEqual(44)
    }
  }
}
