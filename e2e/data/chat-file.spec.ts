import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { seedTurns } from '../support/openings'
import { expectAccessible } from '../support/screens'
import { expect, test } from '../support/test'

/** Opens the dialog from the chat's menu. */
async function ask(page: Page) {
  await page.locator('[data-chat-title]').click()
  await page.getByRole('menuitem', { name: 'Export…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Export…' })
  await expect(dialog).toBeVisible()
  return dialog
}

test('a chat is exported as a page that shows its graph, and as a file that holds all of it', async ({
  chat,
  page,
  context,
}) => {
  const id = await seedTurns(chat, ['repeat: </title><script>1', 'what is 2+2'])
  await chat.open(`/c/${id}`)
  await chat.draw('Map')
  await chat.act('You: what is 2+2', 'Branch from here')
  await expect(page).toHaveURL(/branch=main-v2/)

  const dialog = await ask(page)
  await expect(dialog.getByRole('radio', { name: 'Web page' })).toBeChecked()
  await expectAccessible(page)
  const saved = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download' }).click()
  const download = await saved
  expect(download.suggestedFilename()).toMatch(/\.html$/)
  await expect(dialog).toBeHidden()

  // the page needs nothing else, and runs nothing
  const other = await context.newPage()
  const asked: string[] = []
  other.on('request', (request) => asked.push(request.url()))
  const faults: string[] = []
  other.on('console', (message) => faults.push(message.text()))
  await other.setContent(readFileSync(await download.path(), 'utf8'))
  await expect(other.getByRole('img', { name: 'The graph of this chat' })).toBeVisible()
  await expect(other.getByRole('article')).toHaveCount(4)
  await expect(other.getByText('2 + 2 = 4').last()).toBeVisible()
  expect([asked, faults]).toEqual([[], []])

  // with the keys: the whole chat as our format
  await page.bringToFront()
  const again = await ask(page)
  await again.getByRole('radio', { name: 'Web page' }).focus()
  // a key is held for a moment, as by a finger: the choice moves with the focus, which moves once the key is down
  await page.keyboard.press('ArrowDown', { delay: 50 })
  await expect(again.getByRole('radio', { name: 'Markdown' })).toBeChecked()
  await page.keyboard.press('ArrowDown', { delay: 50 })
  await expect(again.getByRole('radio', { name: 'Ramify JSON' })).toBeChecked()
  const kept = page.waitForEvent('download')
  await again.getByRole('button', { name: 'Download' }).press('Enter')
  const file = JSON.parse(readFileSync(await (await kept).path(), 'utf8'))
  expect(file).toMatchObject({ format: 'ramify.chat', version: 1, chat: { id } })
  expect(file.branches).toHaveLength(2)
})
