import { openForkedChat } from '../support/openings'
import { look, onEveryScreen } from '../support/screens'
import { expect, test } from '../support/test'

// What the model reads is shown exactly, for a reply that is there and for the one that comes next.

test('the prompt of a reply and of the next one, by button and by key', async ({ chat, page }) => {
  await chat.open()
  await chat.ask('My name is Ada')
  await chat.ask('what is 2+2')
  const dialog = page.getByRole('dialog', { name: 'Prompt' })
  const messages = dialog.getByRole('list', { name: 'Messages' }).getByRole('figure')
  // given the first reply, when its prompt is inspected, then it is what stood above it, and no more
  await page
    .locator('article[data-role="assistant"]')
    .first()
    .getByRole('button', { name: 'Inspect prompt' })
    .click()
  await expect(dialog.getByRole('figure', { name: 'System prompt' })).toContainText(
    '<role>You are a helpful assistant.</role>',
  )
  await expect(messages).toHaveCount(1)
  await expect(messages).toContainText('My name is Ada')
  await expect(dialog.getByRole('region', { name: 'Size and cost' })).toContainText(/about \d+ tokens/)
  // when the next reply is asked for, then all that was said
  await dialog.getByRole('radio', { name: 'Next reply' }).click()
  await expect(messages).toHaveCount(4)
  await expect(messages.last()).toContainText('4')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  // by key, for the last message
  await page.locator('article').last().focus()
  await page.keyboard.press('p')
  await expect(messages).toHaveCount(3)
})

test('a prompt beside that of the reply before, and of a reply on another branch', async ({ chat, page }) => {
  await openForkedChat(chat)
  await chat.lastReply().getByRole('button', { name: 'Inspect prompt' }).click()
  const dialog = page.getByRole('dialog', { name: 'Prompt' })
  const against = dialog.getByRole('combobox', { name: 'Compared with' })
  // what was said since the reply before
  await against.selectOption('The reply before')
  await expect(dialog.getByRole('status')).toHaveText('2 messages added.')
  await expect(dialog.getByText('1 message is the same')).toBeVisible()
  await expect(dialog.getByRole('figure', { name: 'You' })).toContainText('what is 3+3')
  // the other version of its question
  const other = against.locator('optgroup[label="On other branches"] option').first()
  await against.selectOption((await other.getAttribute('value')) ?? '')
  await expect(dialog.getByRole('status')).toHaveText('1 message changed.')
  await expect(dialog.locator('del')).toHaveText('2+2')
  await expect(dialog.locator('ins')).toHaveText('3+3')
  // the next reply has this one besides, and is compared anew
  await dialog.getByRole('radio', { name: 'Next reply' }).click()
  await expect(dialog.getByRole('status')).toHaveCount(0)
  await against.selectOption('The reply before')
  await expect(dialog.getByRole('status')).toHaveText('1 message added.')
  // and nothing again
  await against.selectOption('Nothing')
  await expect(dialog.getByRole('status')).toHaveCount(0)
  // the built-in model answers at no address
  await expect(dialog.getByRole('button', { name: 'Copy as JSON' })).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Copy as curl' })).toHaveCount(0)
})

test('a prompt that cannot be loaded says so, and is loaded when asked again', async ({ chat, page }) => {
  await chat.open()
  await chat.ask('what is 2+2')
  await page.route('**/prompt?*', (route) => route.abort())
  await chat.lastReply().getByRole('button', { name: 'Inspect prompt' }).click()
  const dialog = page.getByRole('dialog', { name: 'Prompt' })
  await expect(dialog.getByRole('alert')).toContainText('could not be reached')
  await page.unroute('**/prompt?*')
  await dialog.getByRole('button', { name: 'Load it again' }).click()
  await expect(dialog.getByRole('list', { name: 'Messages' })).toContainText('what is 2+2')
})

onEveryScreen((screen) => {
  test('the prompt of a reply', async ({ chat, page }) => {
    await chat.open()
    await chat.ask('what is 2+2')
    await chat.lastReply().getByRole('button', { name: 'Inspect prompt' }).click()
    await expect(page.getByRole('list', { name: 'Messages' })).toContainText('what is 2+2')
    await look(page, 'prompt', screen)
    await chat.page.keyboard.press('Escape')
    await chat.ask('what is 3+3')
    await chat.lastReply().getByRole('button', { name: 'Inspect prompt' }).click()
    await page.getByRole('combobox', { name: 'Compared with' }).selectOption('The reply before')
    await expect(page.getByRole('dialog').getByRole('status')).toHaveText('2 messages added.')
    await look(page, 'prompt-compared', screen)
  })
})
