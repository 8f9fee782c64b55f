import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import {
  type ChatPage,
  css,
  expectCount,
  expectHidden,
  expectLargeTargets,
  focus,
  press,
} from '@/testing/page/chat-page'
import {
  givenReply,
  goOn,
  onPhone,
  openChat,
  openFork,
  openPage,
  scripted,
  turns,
} from '@/testing/page/given'

// Moves in a conversation: where each one leads, and where its Undo leads.

async function archive(chat: ChatPage, branch: string): Promise<void> {
  await chat.label(branch).click({ button: 'right' })
  await chat.menuItem('Archive', { exact: true }).click()
  await expect.element(page.getByText(/^Archived /)).toBeVisible()
}

async function find(words: string, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Search', exact: true }).first().click()
  const search = page.getByRole('dialog', { name: 'Search' })
  await search.getByRole('combobox').fill(words)
  await search.getByRole('option').filter({ hasText: text }).first().click()
}

test('an archived branch is read without being restored, until a message is sent on it', async () => {
  const chat = await openFork()
  await archive(chat, 'Main line')
  await expectCount(chat.nodes, 4)
  // when another version is opened, which only the archived branch holds
  await chat.said('what is 3+3').getByRole('button', { name: 'Previous version' }).click()
  await chat.reads('main')
  await expect.element(chat.said('what is 2+2')).toBeVisible()
  await expect.element(page.getByText('Main line is archived.')).toBeVisible()
  await expect.element(chat.branch()).toMatchTextContent(/^Main line$/)
  await expect.element(chat.node('You: what is 2+2')).toHaveAttribute('aria-selected', 'true')
  // then Undo leads back, and the branch is still archived
  await userEvent.keyboard('{Control>}z{/Control}')
  await chat.reads('main-v2')
  await expectCount(chat.nodes, 4)
  // nor does the list of branches restore it, or make the chat open on it
  await page.getByRole('button', { name: 'Branches', exact: true }).click()
  const archived = page.getByRole('list', { name: 'Archived branches' })
  await archived.getByRole('button', { name: 'Switch to Main line' }).click()
  await chat.reads('main')
  await openPage(location.pathname)
  await expect.element(chat.branch()).toHaveAttribute('title', 'what is 3+3')
  await expectCount(chat.nodes, 4)

  // when a search leads there and a message is sent
  await find('2+2', 'what is 2+2')
  await chat.reads('main')
  await expect.element(chat.node('You: what is 2+2')).toHaveAttribute('aria-selected', 'true')
  await expectCount(chat.messages, 4)
  await chat.ask('what is 5+5')
  // then it is one of the branches again
  await chat.label('what is 3+3').click()
  await chat.reads('main-v2')
  await expect.element(chat.label('Main line')).toBeVisible()
  await expectCount(chat.nodes, 8)
})

test('Undo of an archived branch leaves a reader of another branch there', async () => {
  // given a chat that opens on main-v2, and a reader of main
  const chat = await openFork({ branch: 'main' })
  await archive(chat, 'what is 3+3')
  await expectCount(chat.nodes, 4)
  await chat.undo()
  await expectCount(chat.nodes, 6)
  await chat.reads('main')
  await expect.element(chat.said('what is 2+2')).toBeVisible()
  // then the chat opens where it did before
  await openPage(location.pathname)
  await expect.element(chat.branch()).toHaveAttribute('title', 'what is 3+3')
})

test('a double click elsewhere is one move, and one Undo takes back all of it', async () => {
  const chat = await openFork()
  await chat.node('You: what is 2+2').getByRole('button').dblClick()
  await expect.element(css('[data-move-note]')).toMatchTextContent(/continues from here. Undo goes back to/)
  await expect.element(chat.branch()).not.toHaveAttribute('title', expect.stringMatching(/^main(-v2)?$/))
  await focus(chat.messages)
  await userEvent.keyboard('{Control>}z{/Control}')
  await chat.reads('main-v2')
  await expect.element(chat.said('what is 3+3')).toBeVisible()
  // nothing of it is left
  await userEvent.keyboard('{Control>}zz{/Control}')
  await chat.reads('main-v2')
})

test('given a branch and a message on it, when Undo is asked for, then nothing is lost, and it offers the way back', async () => {
  const chat = await openFork()
  await chat.act(/^Assistant: .*devansh/i, 'Branch from here')
  await expectCount(chat.messages, 2)
  await chat.ask('what is 8+8')
  await press('Escape', 'Control+z')
  const note = css('[data-move-note]')
  await expect.element(note).toMatchTextContent(/Nothing was undone: .* moved on since/)
  await expect.element(chat.said('what is 8+8')).toBeVisible()
  await note.getByRole('button', { name: 'Go back to what is 3+3' }).click()
  await chat.reads('main-v2')
  await expect.element(chat.label('what is 8+8')).toBeVisible()
})

test('two messages of one branch are no comparison', async () => {
  const chat = await openFork()
  // given a message of the branch being read
  await chat.node('You: what is 3+3').getByRole('button').click()
  await expect.element(chat.toolbar.getByRole('button', { name: 'Checkpoint here' })).toBeVisible()
  await expectCount(chat.toolbar.getByRole('button', { name: 'Compare with current' }), 0)
  // when another of its messages is picked beside it
  await userEvent.keyboard('{Escape}')
  for (const name of ['You: what is 3+3', 'You: I am devansh']) {
    await chat
      .node(name)
      .getByRole('button')
      .click({ modifiers: ['Shift'] })
  }
  const bar = page.getByRole('group', { name: 'Compare' })
  await expect.element(bar).toMatchTextContent(/Both are on\s*what is 3\+3/)
  await expectCount(bar.getByRole('link'), 0)
  // and a message of another branch is compared with the one being read
  await bar.getByRole('button', { name: 'Stop comparing' }).click()
  await focus(chat.node('You: what is 2+2'))
  await userEvent.keyboard(' ')
  await chat
    .node('You: what is 3+3')
    .getByRole('button')
    .click({ modifiers: ['Shift'] })
  await expect
    .element(bar.getByRole('link', { name: 'Compare' }))
    .toHaveAttribute('href', expect.stringMatching(/left=main&right=main-v2$/))
})

test('a reply that is being written on another branch opens there, and cannot be branched from yet', async () => {
  const chat = await openFork({ model: scripted })
  await givenReply('tell me', { text: 'one two three four', holdAfter: 2 })
  await chat.send('tell me')
  const writing = css('article[data-status="streaming"]')
  await expect.element(writing).toMatchTextContent(/one two/)
  await chat.label('Main line').click()
  await chat.reads('main')
  await expectCount(writing, 0)
  // when its place in the graph is clicked
  await chat
    .node(/^Assistant: .*Writing$/)
    .getByRole('button')
    .click()
  await chat.reads('main-v2')
  await expect.element(writing).toBeInViewport()
  await expect.element(chat.toolbar.getByRole('button', { name: 'Open' })).toBeVisible()
  for (const name of ['Branch from here', 'Checkpoint here']) {
    await expectCount(chat.toolbar.getByRole('button', { name }), 0)
  }
  await goOn('tell me')
  await chat.settled()
  await expect.element(chat.toolbar.getByRole('button', { name: 'Branch from here' })).toBeVisible()
})

test('hidden parts of the page keep their state', async () => {
  const chat = await openFork()
  const node = chat.node('You: what is 3+3')
  const bar = page.getByRole('group', { name: 'Compare' })
  const editor = page.getByRole('textbox', { name: 'Edit message' })
  // given an edit that was begun, and a message picked for comparing, which has the focus
  await chat.said('what is 3+3').hover()
  await chat.said('what is 3+3').getByRole('button', { name: 'Edit' }).click()
  await editor.fill('what is 30+30')
  await focus(node)
  await userEvent.keyboard(' ')
  await expect.element(bar).toBeVisible()
  // when the graph fills the window
  await userEvent.keyboard('gg')
  await expectHidden(chat.box)
  await expect.element(bar).toBeVisible()
  await expect.element(node).toHaveFocus()
  // and a message is opened from there
  await userEvent.keyboard('{Enter}')
  await expect.element(chat.box).toBeVisible()
  await expect.element(node).toHaveFocus()
  await expect.element(editor).toHaveValue('what is 30+30')
  // and the graph is hidden, and shown again
  await chat.ofChat('Hide graph')
  await expectHidden(chat.graph)
  await expect.element(editor).toBeVisible()
  await chat.ofChat('Show graph')
  await expect.element(bar).toBeVisible()
  // and the window becomes as narrow as a phone, and wide again
  await page.viewport(500, 900)
  await expect.element(page.getByRole('tab', { name: 'Thread' })).toBeVisible()
  await expect.element(editor).toHaveValue('what is 30+30')
  await page.getByRole('tab', { name: 'Graph' }).click()
  await expect.element(bar).toBeVisible()
  await page.viewport(1440, 900)
  await expect.element(bar).toBeVisible()
  await expect.element(editor).toHaveValue('what is 30+30')
})

test('from a graph that fills the window, branching leads to the message box', async () => {
  const chat = await openFork()
  await userEvent.keyboard('{Escape}')
  await focus(chat.node('You: what is 3+3'))
  await userEvent.keyboard('gg')
  await expectHidden(chat.box)
  await focus(chat.node(/^Assistant: .*devansh/i))
  await userEvent.keyboard('b')
  await expect.element(chat.box).toHaveFocus()
  await expectCount(chat.messages, 2)
})

test('with reduced motion, the end of the thread is there at once', async () => {
  await page.viewport(1440, 500)
  const words = Array.from({ length: 800 }, (_, at) => at).join(' ')
  const chat = await openChat({ branches: [{ name: 'main', says: ['count to 800', words] }] })
  const jump = await chat.scrollToStart()
  const seen: string[] = []
  const { scrollTo } = Element.prototype
  Element.prototype.scrollTo = function (...options: unknown[]) {
    seen.push(JSON.stringify(options))
    Reflect.apply(scrollTo, this, options)
  }
  await jump.click()
  await expectCount(jump, 0)
  Element.prototype.scrollTo = scrollTo
  expect(seen).not.toEqual([])
  expect(seen.join()).not.toContain('smooth')
})

test('on a phone, branching from the graph leads to the message box, and everything is large enough to be tapped', async () => {
  await onPhone()
  const chat = await openChat({ branches: [{ name: 'main', says: turns('I am devansh', 'what is 2+2') }] })
  await page.getByRole('tab', { name: 'Graph' }).click()
  await chat
    .node(/^Assistant: .*devansh/i)
    .getByRole('button')
    .click()
  await chat.toolbar.getByRole('button', { name: 'Branch from here' }).click()
  await expect.element(page.getByRole('tab', { name: 'Thread' })).toHaveAttribute('aria-selected', 'true')
  await expect.element(chat.box).toHaveFocus()
  await expectLargeTargets(page.getByRole('button', { name: 'Undo', exact: true }))
  await chat.ask('what is 3+3')
  await expectLargeTargets(
    page.getByRole('button', { name: /^(Share|More about this chat|Previous version)$/ }),
    chat.said('what is 3+3').getByRole('button'),
  )
  await chat.ofChat('Compare')
  await expectLargeTargets(
    page.getByRole('button', { name: 'Swap sides' }),
    page.getByRole('radio'),
    page.getByRole('link', { name: /^Open/ }),
    page.getByRole('article').getByRole('button', { name: 'Branch from here' }),
  )
  const { scrollWidth, clientWidth } = document.documentElement
  expect(scrollWidth - clientWidth).toBe(0)
})
