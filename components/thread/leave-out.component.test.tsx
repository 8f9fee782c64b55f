import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectCount } from '@/testing/page/chat-page'
import { openChat, scripted } from '@/testing/page/given'
import { lookInAllWays } from '@/testing/page/look'
import { act } from '@/testing/page/server'

const note = page.getByText('Left out: the next replies do not read it.')

test('a message that is left out says so, is not sent, and is put back by key and by Undo', async () => {
  const says = [
    { id: 'q1', says: 'Is Porto far?' },
    { id: 'a1', says: 'Three hours by train.' },
  ]
  const chat = await openChat({ model: scripted, branches: [{ name: 'main', says }] })
  const article = chat.message('Three hours by train.')

  // when its menu leaves it out
  await chat.more(article, 'Leave out of the prompt')
  await expect.element(article).toMatchTextContent(/Left out:/)
  await lookInAllWays('left-out')

  // then the next reply is asked without it, and the chain keeps it
  await chat.send('And Faro?')
  await expect.element(chat.lastReply()).toMatchTextContent(/Noted: Is Porto far\? And Faro\?/)
  await chat.settled()
  const asked: { messages: unknown[] }[] = await act('asked')
  const prompt = JSON.stringify(asked.at(-1)?.messages)
  expect(prompt).toContain('Is Porto far?')
  expect(prompt).not.toContain('Three hours')
  await expect.element(article).toMatchTextContent(/Three hours/)

  // when the key is pressed on it, then it is back
  ;(article.element() as HTMLElement).focus()
  await userEvent.keyboard('w')
  await expectCount(note, 0)
  await userEvent.keyboard('w')
  await expectCount(note, 1)
  await article.getByRole('button', { name: 'Put back' }).click()
  await expectCount(note, 0)
  await userEvent.keyboard('{Control>}z{/Control}')
  await expectCount(note, 1)
})
