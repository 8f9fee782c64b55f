import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { chatId, openChat, openPage, reload, sendElsewhere, turns } from '@/testing/page/given'

// The model of a branch is the branch's, in every browser, and changes with a choice alone.

const picker = page.getByRole('combobox', { name: 'Model', exact: true })
const SCRIPTED = 'openai-compatible:scripted'
const trip = { model: SCRIPTED, branches: [{ name: 'main', says: turns('We have three days') }] }

const choose = async (name: RegExp) => {
  await picker.click()
  await page.getByRole('option', { name }).click()
}
const contextModel = async () => (await (await fetch(`/api/chats/${chatId()}/context`)).json()).model
/** Gives the browser the memory of another one. */
const inAnotherBrowser = () => {
  localStorage.clear()
  return reload()
}

test('given a branch that one browser has asked, when another one opens it, then it asks the same model', async () => {
  await openChat(trip)
  const chat = await inAnotherBrowser()
  await expect.element(picker).toMatchTextContent(/scripted/)
  await chat.ask('And one evening')
  await expect.element(chat.lastReply()).toMatchTextContent(/Noted: And one evening/)
  expect(await contextModel()).toBe(SCRIPTED)
})

test('given a choice, then the branch has it at once, in another browser too, and a new chat begins with it', async () => {
  await openChat(trip)
  await choose(/Demo/)
  await expect.poll(contextModel).toBe('demo:demo')
  await openPage('/')
  await expect.element(picker).toMatchTextContent(/Demo/)
})

test('given a choice elsewhere, then the page shows it without being loaded anew', async () => {
  await openChat(trip)
  await expect.element(picker).toMatchTextContent(/scripted/)
  await sendElsewhere('By demo', { model: 'demo:demo' })
  await expect.element(picker).toMatchTextContent(/Demo/)
})

test('given a model that is gone, then the box says so and the message is refused until another is chosen', async () => {
  const chat = await openChat({ ...trip, model: 'openai-compatible:gone' })
  await expect
    .element(page.getByText('The model “gone” is not available now. Choose another one.'))
    .toBeInTheDocument()
  await expect.element(picker).toHaveTextContent('gone')
  await chat.send('And one evening')
  await expect
    .element(page.getByRole('alert').filter({ hasText: 'That did not work' }))
    .toMatchTextContent(/which answers on this branch, is not available now/)
  await choose(/scripted/)
  await expect.poll(contextModel).toBe(SCRIPTED)
})
