import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { goOn as request } from '@/lib/ai/prompt/go-on'
import { expectCount } from '@/testing/page/chat-page'
import { givenReply, onPhone, openChat, scripted, turns } from '@/testing/page/given'
import { expectNoSidewaysScroll, lookInAllWays } from '@/testing/page/look'

// A reply that was cut goes on in a version beside it.

const goOn = page.getByRole('button', { name: 'Continue', exact: true })

test('a reply that is stopped and continued reads as one, tells where it goes on, and leads to the cut one', async () => {
  const chat = await openChat({ model: scripted, branches: [{ name: 'main', says: turns('Hello') }] })
  await givenReply('Where shall we go?', { text: ['Three days', ' in Lis'], hangAfter: 2 })
  await chat.send('Where shall we go?')
  await expect.element(chat.lastReply()).toMatchTextContent(/Three days in Lis/)
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect.element(chat.lastReply()).toMatchTextContent(/You stopped this reply here\./)

  // when it is continued by key
  await givenReply(request, { text: ['bon', ' and Sintra.'] })
  await expect.element(goOn).toBeEnabled()
  ;(goOn.element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')

  // then its words are one text, on a branch of their own
  await expect.element(chat.lastReply()).toMatchTextContent(/Three days in Lisbon and Sintra\./)
  await chat.settled()
  await chat.reads('main-v2')
  await expectCount(goOn, 0)
  await expect.element(chat.lastReply()).toMatchTextContent(/Continued after.*“Three days in Lis”/)
  await lookInAllWays('continued-reply')

  // when the place is chosen, then the cut reply is read, and can be continued again
  await chat.lastReply().getByRole('button', { name: '“Three days in Lis”' }).click()
  await chat.reads('main')
  await expect.element(chat.lastReply().getByText('1 / 2')).toBeVisible()
  await expect.element(goOn).toBeVisible()
})

test.each([
  ['met its limit of length', { finishReason: 'length' }, /met its limit of length here/],
  ['broke off', { cutAfter: 2 }, /connection|network|reached|lost/i],
] as const)('a reply that %s says so, and is continued', async (how, ending, told) => {
  const chat = await openChat({ model: scripted, branches: [{ name: 'main', says: turns('Hello') }] })
  const question = `What when it ${how}?`
  await givenReply(question, { text: ['One', ' two'], ...ending })
  await chat.send(question)
  await expect.element(chat.lastReply()).toMatchTextContent(told)
  await givenReply(request, { text: [' three'] })
  await goOn.click()
  await expect.element(chat.lastReply()).toMatchTextContent(/One two three/)
  await chat.settled()
  await expectCount(goOn, 0)
})

test('on a phone, what a cut reply offers fits, and a whole one is not continued', async () => {
  await onPhone()
  const seam = { part: 0, at: 17 }
  const once: object = { seams: [seam] }
  const twice: object = { seams: [seam, seam] }
  const chat = await openChat({
    branches: [
      {
        name: 'main',
        says: [
          { id: 'q1', says: 'Where to?' },
          // it was stopped again at once
          { says: 'Three days in Lis', status: 'stopped', metadata: once },
        ],
      },
      {
        name: 'main-v2',
        at: 'q1',
        says: [{ says: 'Three days in Lisbon', metadata: twice }],
      },
    ],
  })
  await expectCount(goOn, 0)
  await expectCount(page.getByText(/Continued after/), 1)
  await chat.lastReply().getByRole('button', { name: 'Previous version' }).click()
  await expect.element(goOn).toBeVisible()
  await expectCount(page.getByText(/Continued after/), 0)
  expectNoSidewaysScroll()
})
