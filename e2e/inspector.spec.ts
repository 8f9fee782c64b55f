import { look, onEveryScreen } from './support/screens'
import { expect, test } from './support/test'

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
  })
})
