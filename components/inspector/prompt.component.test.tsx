import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { type ChatPage, css, expectCount, focus } from '@/testing/page/chat-page'
import { forkedChat, intercept, openChat } from '@/testing/page/given'
import { lookInAllWays } from '@/testing/page/look'

// The dialog shows exactly the prompt of a stored reply and of the next one.

const dialog = page.getByRole('dialog', { name: 'Prompt' })
const messages = dialog.getByRole('list', { name: 'Messages' }).getByRole('figure')
const against = dialog.getByRole('combobox', { name: 'Compared with' })
const told = dialog.getByRole('status')
const next = dialog.getByRole('radio', { name: 'Next reply' })

/** Chooses what the prompt is compared with. */
async function choose(name: string): Promise<void> {
  await against.click()
  await page.getByRole('option', { name, exact: true }).click()
}

const inspect = (chat: ChatPage) => chat.more(chat.lastReply(), 'Inspect prompt')

test('the prompt of a reply and of the next one, by button and by key', async () => {
  const chat = await openChat(forkedChat, { branch: 'main' })
  // given the first reply, when its prompt is inspected, then it is what stood above it, and no more
  await chat.more(chat.message('Noted: I am devansh').first(), 'Inspect prompt')
  await expect
    .element(dialog.getByRole('figure', { name: 'System prompt' }))
    .toMatchTextContent('<role>You are a helpful assistant.</role>')
  await expectCount(messages, 1)
  await expect.element(messages).toMatchTextContent('I am devansh')
  await expect
    .element(dialog.getByRole('region', { name: 'Size and cost' }))
    .toMatchTextContent(/about \d+ tokens/)
  // when the next reply is asked for, then all that was said
  await next.click()
  await expectCount(messages, 4)
  await expect.element(messages.last()).toMatchTextContent('That is 4.')
  await userEvent.keyboard('{Escape}')
  await expectCount(dialog, 0)
  // by key, for the last message
  await focus(css('article').last())
  await userEvent.keyboard('p')
  await expectCount(messages, 3)
})

test('a prompt beside that of the reply before, and of a reply on another branch', async () => {
  const chat = await openChat(forkedChat)
  await inspect(chat)
  await expect.element(dialog.getByRole('list', { name: 'Messages' })).toMatchTextContent('what is 3+3')
  await lookInAllWays('prompt')
  // what was said since the reply before
  await choose('The reply before')
  await expect.element(told).toHaveTextContent('2 messages added.')
  await expect.element(dialog.getByText('1 message is the same')).toBeVisible()
  await expect.element(dialog.getByRole('figure', { name: 'You' })).toMatchTextContent('what is 3+3')
  await lookInAllWays('prompt-compared')
  // the other version of its question
  await against.click()
  await page.getByRole('group', { name: 'On other branches' }).getByRole('option').first().click()
  await expect.element(told).toHaveTextContent('1 message changed.')
  await expect.element(dialog.css('del')).toHaveTextContent('2+2')
  await expect.element(dialog.css('ins')).toHaveTextContent('3+3')
  // the next reply has this one besides, and is compared anew
  await next.click()
  await expectCount(told, 0)
  await choose('The reply before')
  await expect.element(told).toHaveTextContent('1 message added.')
  // and nothing again
  await choose('Nothing')
  await expectCount(told, 0)
  // the built-in model answers at no address
  await expect.element(dialog.getByRole('button', { name: 'Copy as JSON' })).toBeVisible()
  await expectCount(dialog.getByRole('button', { name: 'Copy as curl' }), 0)
})

test('a prompt that cannot be loaded says so, and is loaded when asked again', async () => {
  const chat = await openChat(forkedChat)
  const restore = intercept(/\/prompt\?/, () => {
    throw new TypeError('The connection was cut')
  })
  await inspect(chat)
  await expect.element(dialog.getByRole('alert')).toMatchTextContent('could not be reached')
  restore()
  await dialog.getByRole('button', { name: 'Load it again' }).click()
  await expect.element(dialog.getByRole('list', { name: 'Messages' })).toMatchTextContent('what is 3+3')
})
