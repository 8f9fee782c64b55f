import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { css, expectCount } from '@/testing/page/chat-page'
import { givenReply, goOn, openChat, reload, scripted, turns } from '@/testing/page/given'
import { act } from '@/testing/page/server'

// What a person does to a turn: says it differently, asks for another reply, stops it.

test('editing the very first message starts anew, and the first version is still there', async () => {
  const chat = await openChat({
    model: scripted,
    branches: [{ name: 'main', says: turns('I am devansh', 'what is my name') }],
  })
  const first = chat.said('I am devansh')
  const id = first.element().getAttribute('data-message-id')
  await first.hover()
  await first.getByRole('button', { name: 'Edit', exact: true }).click()
  const editor = css(`article[data-message-id="${id}"]`).getByRole('textbox')
  // an edit that changes nothing says so, and sends nothing
  await expect.element(page.getByText('Nothing is changed yet')).toBeVisible()
  await userEvent.keyboard('{Enter}')
  await expect.element(editor).toHaveFocus()
  await editor.fill('Good morning to you')
  await userEvent.keyboard('{Enter}')
  // then the thread begins with the new one, and the model has never heard the name
  await expectCount(chat.messages, 2)
  await chat.settled()
  const asked: object[] = await act('asked')
  const morningAsked = asked
    .map((request) => JSON.stringify(request))
    .filter((said) => /Good morning to you/.test(said))
  expect(morningAsked).toHaveLength(1)
  expect(morningAsked[0]).not.toContain('devansh')
  // and the pager leads back
  const morning = chat.said('Good morning')
  await morning.hover()
  await expect.element(morning).toMatchTextContent(/2 \/ 2/)
  await morning.getByRole('button', { name: 'Previous version' }).click()
  await chat.reads('main')
  await expect.element(chat.said('I am devansh')).toBeVisible()
  await expectCount(chat.messages, 4)
  await chat.said('I am devansh').hover()
  await expect.element(chat.said('I am devansh')).toMatchTextContent(/1 \/ 2/)
})

test('trying again keeps both answers', async () => {
  const chat = await openChat({ branches: [{ name: 'main', says: turns('Tell me something about rivers') }] })
  await chat.lastReply().hover()
  await chat.again()
  // the question, a row for each answer, and the message of the one that is read
  await expectCount(chat.nodes, 4)
  await chat.settled()
  await chat.lastReply().hover()
  await expect.element(chat.lastReply()).toMatchTextContent(/2 \/ 2/)
})

test('a stopped reply keeps its text when the page opens again, and the conversation goes on from there', async () => {
  const words = 'count to five'
  await givenReply(words, { text: 'one two three four five', holdAfter: 3 })
  const chat = await openChat({ model: scripted, branches: [{ name: 'main', says: turns('Hello') }] })
  await chat.send(words)
  await expect.element(chat.lastReply()).toMatchTextContent(/three/)
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  const stopped = css('article[data-status="stopped"]')
  await expectCount(stopped, 1)
  await chat.settled()
  await goOn(words)
  await reload()
  await expect.element(stopped).toMatchTextContent(/one two three(?! four)/)
  await chat.ask('what do you see')
})
