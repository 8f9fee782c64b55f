import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { openPage } from '@/testing/page/given'
import { lookInAllWays } from '@/testing/page/look'

/** Gives the person of the test an account. */
async function signUp(): Promise<void> {
  const ask = (path: string, body: object) =>
    fetch(`/api/auth/${path}/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const told = { email: `ada-${crypto.randomUUID()}@example.org`, password: 'correct horse battery staple' }
  await ask('sign-up', { ...told, name: 'Ada Lovelace' })
  await ask('sign-in', told)
}

test('the page of an account', async () => {
  await signUp()
  await openPage('/settings/account')
  await expect.element(page.getByText('Ada Lovelace').first()).toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'Sessions' })).toBeVisible()
  await expect.element(page.getByText(/This browser · signed in/)).toBeVisible()
  await lookInAllWays('settings-account')
})

test('a choice of how pages look counts at once, and on every page', async () => {
  await openPage('/settings/appearance')
  await page.getByRole('radio', { name: 'Compact' }).click()
  await page.getByRole('radio', { name: 'Largest' }).click()
  const { dataset } = document.documentElement
  await expect.poll(() => [dataset.density, dataset.textSize]).toEqual(['compact', 'largest'])
  await lookInAllWays('settings-appearance')
  await openPage('/settings/about')
  await expect.element(page.getByRole('heading', { name: 'Licences' })).toBeVisible()
  await lookInAllWays('settings-about')
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Appearance' }).click()
  await expect.element(page.getByRole('radio', { name: 'Compact' })).toBeChecked()
  // what is usual is not kept
  await page.getByRole('radio', { name: 'Comfortable' }).click()
  await page.getByRole('radio', { name: 'Usual' }).click()
  await expect.poll(() => [dataset.density, dataset.textSize]).toEqual([undefined, undefined])
  expect(Object.keys(localStorage).filter((key) => /density|text-?size/i.test(key))).toEqual([])
})
