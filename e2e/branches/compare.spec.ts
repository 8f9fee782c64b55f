import type { Page } from '@playwright/test'
import { openSample, signIn } from '../support/openings'
import { expect, otherPerson, test } from '../support/test'

// The way to a comparison, from there to a message, and back; its address answers only to the person of the chat.
// The comparison itself is in components/compare/compare.component.test.tsx.

test('given a message of either side, when it is opened or branched from, then the chat stands there, and undo comes back; to another person none of it is there', async ({
  chat,
  page,
  browser,
  baseURL,
}) => {
  const path = await openSample(chat)
  await chat.ofChat('Compare')
  await expect(page).toHaveURL(new RegExp(`${path}/compare\\?left=`))
  const left = page.getByRole('combobox', { name: 'Left branch', exact: true })
  await expect(left).toContainText('Gentle pace')
  await page.goto(`${path}/compare?left=main&right=Beach+day`)
  const message = page.locator('article[data-side="right"]').filter({ hasText: 'Forty minutes by train' })
  await message.hover()
  await message.getByRole('link', { name: 'Open', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`${path}\\?branch=Beach(?:%20|\\+)day&at=`))
  await expect(chat.message('Forty minutes by train')).toBeInViewport()

  await page.goBack()
  await expect(message).toBeVisible()
  await message.hover()
  await message.getByRole('button', { name: 'Branch from here' }).click()
  await expect(page).toHaveURL(new RegExp(`${path}\\?branch=Beach(?:%20|\\+)day-v2`))
  await expect(chat.lastReply()).toContainText('Forty minutes by train')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page).toHaveURL(/compare\?left=main&right=Beach\+day/)
  await left.click()
  await expect(page.getByRole('option', { name: 'Beach day', exact: true })).toBeVisible()
  await expect(page.getByRole('option', { name: 'Beach day-v2' })).toHaveCount(0)

  // and addresses that name nothing, or are asked for by another person, are not there
  const statusOf = async (address: string, of: Page = page) => (await of.request.get(address)).status()
  expect(await statusOf(`${path}/compare?left=main&right=Beach+day`)).toBe(200)
  for (const query of ['left=nowhere&right=main', 'left=main&right=nowhere', 'left=%00', 'right=%00']) {
    expect(await statusOf(`${path}/compare?${query}`), query).toBe(404)
  }
  expect(await statusOf('/c/nowhere/compare?left=main&right=Beach+day')).toBe(404)
  const other = await otherPerson(browser, baseURL)
  await signIn(other.page.request)
  expect(await statusOf(`${path}/compare?left=main&right=Beach+day`, other.page)).toBe(404)
  await other.page.goto(`${path}/compare?left=main&right=Beach+day`)
  await expect(other.page.getByRole('heading', { name: 'There is no such chat here' })).toBeVisible()
  await other.page.context().close()
})
