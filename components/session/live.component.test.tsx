import { expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { type ChatPage, css, expectCount } from '@/testing/page/chat-page'
import { givenReply, goOn, openChat, scripted, sendElsewhere, turns } from '@/testing/page/given'

// Several replies of one chat at once, and those that another page has asked for. Two tabs are in e2e/thread/live.spec.ts.

async function openMap(): Promise<ChatPage> {
  const chat = await openChat({ model: scripted, branches: [{ name: 'main', says: turns('Hello') }] })
  await chat.draw('Map')
  return chat
}

const writingIn = (chat: ChatPage) => chat.graph.getByRole('treeitem', { name: /Writing$/ })

/** The reply to these words is held after its first two. */
const held = (to: string) => givenReply(to, { text: `I say: ${to}, and that is all`, holdAfter: 2 })

test('two replies are written at once on two branches, seen in the graph from either, and go on out of view', async () => {
  const chat = await openMap()
  const reply = chat.lastReply()
  await held('one')
  await held('two')
  // given a reply on one branch, when another is asked for on a second branch
  await chat.send('one')
  await expect.element(reply).toMatchTextContent('I say')
  await chat.act(/^Assistant: (?!.*Writing)/, 'Branch from here')
  await chat.reads('main-v2')
  await expectCount(chat.messages, 2)
  await chat.send('two')
  await expect.element(reply).toMatchTextContent('I say')
  // then both are in the graph, and each goes on in its thread while the other is read
  await expectCount(writingIn(chat), 2)
  await chat.label('Main line').click()
  await expect.element(chat.said('one')).toBeVisible()
  await expectCount(css('article[data-status="streaming"]'), 1)
  await goOn('two')
  await expectCount(writingIn(chat), 1)
  await chat.label('two').click()
  await expect.element(chat.said('two')).toBeVisible()
  await expect.element(reply).toMatchTextContent('I say: two, and that is all')
  await goOn('one')
  await expectCount(writingIn(chat), 0)
  await chat.label('Main line').click()
  await expect.element(reply).toMatchTextContent('I say: one, and that is all')
})

test('with replies being written on five branches of a page, one stops as soon as it is asked to', async () => {
  const chat = await openMap()
  const asked = ['one', 'two', 'three', 'four', 'five']
  // given five branches, each asked for a reply while those before it are written: a browser has six connections
  for (const [before, text] of asked.entries()) {
    await held(text)
    if (before > 0) {
      await chat.messages.nth(1).getByRole('button', { name: 'Branch from here', exact: true }).click()
      await expectCount(chat.messages, 2)
    }
    await chat.send(text)
    await expectCount(writingIn(chat), before + 1)
  }
  // when the last is stopped, then it is, and the others go on
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await chat.settled()
  await expectCount(writingIn(chat), 4)
  for (const text of asked) await goOn(text)
  await expectCount(writingIn(chat), 0)
})

test('a reply being written on a branch that another page has opened is seen in the graph', async () => {
  const chat = await openMap()
  await held('elsewhere')
  const sent = sendElsewhere('elsewhere', { messageId: 'q1', branch: 'main', model: scripted })
  await expectCount(writingIn(chat), 1)
  await expectCount(css('article[data-status="streaming"]'), 0)
  await goOn('elsewhere')
  await sent
  await expectCount(writingIn(chat), 0)
  await expectCount(chat.nodes, 4)
  await expect.element(chat.said('Hello')).toBeVisible()
})

test('given a model that says nothing, when half a minute is over, then its person is told that this may be in order', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const chat = await openChat({ model: scripted, branches: [{ name: 'main', says: turns('Hello') }] })
  await givenReply('Think', { text: ['', 'At last'], holdAfter: 1 })
  await chat.send('Think')
  await expect.element(chat.lastReply()).toMatchTextContent('Writing')
  const told = page.getByText('Nothing came yet.', { exact: false })
  await expectCount(told, 0)
  vi.advanceTimersByTime(31_000)
  await expect.element(told).toBeVisible()
  // when it speaks, then its words stand there
  await goOn('Think')
  await expect.element(chat.lastReply()).toMatchTextContent('At last')
  await expectCount(told, 0)
})
