import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectCount } from '@/testing/page/chat-page'
import { givenReply, onPhone, openChat } from '@/testing/page/given'
import { expectNoSidewaysScroll } from '@/testing/page/look'
import { act } from '@/testing/page/server'

// Several replies to one question: by other models, and from one to another.

const list = page.getByRole('dialog', { name: 'Show all versions' })
const rows = list.getByRole('listitem')

test('a good reply is written again by another model, on a new branch, and read beside the first by key', async () => {
  const chat = await openChat({ branches: [{ name: 'main', says: ['Who is it?', 'It is devansh.'] }] })
  await givenReply('Who is it?', { text: 'Hello from the scripted model' })
  await chat.again(chat.lastReply(), 'Ask another model')
  const menu = page.getByRole('menu', { name: 'Ask another model' })
  const scripted = menu.getByRole('menuitemradio', { name: 'scripted' })
  await expect.element(menu.getByRole('menuitemradio', { name: /Demo/ })).toBeChecked()
  await scripted.click()
  await expect.element(chat.lastReply()).toMatchTextContent(/Hello from the scripted model/)
  await chat.settled()
  await chat.reads('main-v2')
  const asked: { model: string; messages: { content: unknown }[] }[] = await act('asked')
  const mine = asked.filter(({ messages }) => JSON.stringify(messages).includes('Who is it?'))
  expect(mine.map(({ model }) => model)).toEqual(['scripted'])
  // the branch of the reply goes on with its model
  await expect
    .element(page.getByRole('combobox', { name: 'Model', exact: true }))
    .toMatchTextContent(/scripted/)
  // by key, beside the focused message
  await userEvent.keyboard('{Escape}m')
  await expect.element(scripted).toBeChecked()
  await userEvent.keyboard('{Escape}')
  await expectCount(menu, 0)
  await expect.element(chat.lastReply().getByRole('button', { name: 'Try again' })).toHaveFocus()
  // and from the palette
  await userEvent.keyboard('{Control>}k{/Control}another model{Enter}')
  await expect.element(menu).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expectCount(menu, 0)

  // when the number between the arrows is chosen, then every version is listed, and read by key
  await chat.lastReply().getByRole('button', { name: '2 / 2, Show all versions' }).click()
  await expectCount(rows, 2)
  await expect.element(rows.nth(0)).toMatchTextContent(/devansh.*Main line.*Demo.*(?:now|min)/)
  await expect
    .element(rows.nth(1))
    .toMatchTextContent(/Hello from the scripted.*scripted’s answer.*scripted.*(?:now|min)/)
  await expect.element(rows.nth(1).getByRole('button')).toHaveAttribute('aria-current', 'true')
  await expect.element(rows.nth(1).getByRole('button')).toHaveFocus()
  await userEvent.keyboard('{ArrowUp}{Enter}')
  await expectCount(list, 0)
  await chat.reads('main')
  await expect.element(chat.lastReply()).toMatchTextContent(/devansh/)
  await expect.element(chat.lastReply().getByText('1 / 2')).toBeVisible()
})

test('on a phone, the list of versions fits, and a tap on one reads it', async () => {
  await onPhone()
  const chat = await openChat({
    branches: [
      { name: 'main', says: [{ id: 'q1', says: 'Who is it?' }, 'It is devansh.'] },
      { name: 'main-v2', at: 'q1', says: [{ says: 'Somebody else.', model: 'openai-compatible:scripted' }] },
    ],
  })
  await chat.lastReply().getByRole('button', { name: '2 / 2, Show all versions' }).click()
  await expectCount(rows, 2)
  await expect.element(rows.nth(1)).toMatchTextContent(/Somebody else\..*scripted/)
  expectNoSidewaysScroll()
  await rows.nth(0).getByRole('button').click()
  await expectCount(list, 0)
  await chat.reads('main')
  await expect.element(chat.lastReply()).toMatchTextContent(/devansh/)
})
