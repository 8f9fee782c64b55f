import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectCount } from '@/testing/page/chat-page'
import { openPage } from '@/testing/page/given'
import { lookInAllWays } from '@/testing/page/look'
import { settingsPages } from './settings-pages'

const password = 'correct horse battery staple'

/** Gives the person of the test an account, which is signed in elsewhere too. */
async function signUp(): Promise<void> {
  const told = { email: `ada-${crypto.randomUUID()}@example.org`, password, name: 'Ada Lovelace' }
  for (const [path, credentials] of [
    ['sign-up', 'include'],
    ['sign-in', 'include'],
    // a browser that keeps no cookie is another one
    ['sign-in', 'omit'],
  ] as const) {
    const headers = { 'content-type': 'application/json' }
    await fetch(`/api/auth/${path}/email`, {
      method: 'POST',
      headers,
      credentials,
      body: JSON.stringify(told),
    })
  }
}

test('given an account with another session, then that is signed out, and the account goes only with its password', async () => {
  await signUp()
  await openPage('/settings/account')
  await expect.element(page.getByText('Ada Lovelace').first()).toBeVisible()
  await expect.element(page.getByText(/This browser · signed in/)).toBeVisible()
  await lookInAllWays('settings-account')
  const end = page.getByRole('button', { name: 'Sign out everywhere else' })
  await end.click()
  await expect.element(page.getByText('One session has ended.')).toBeVisible()
  await expectCount(end, 0)
  await page.getByRole('button', { name: 'Delete the account…' }).click()
  await page.getByLabelText('Type “delete”').fill('delete')
  const field = page.getByLabelText('Your password')
  await field.fill('not the horse')
  await userEvent.keyboard('{Enter}')
  await expect.element(field).toHaveAccessibleDescription('This is not your password.')
})

test('given an account with an API key, when its password is changed, then the key ends, unless the box is unticked', async () => {
  await signUp()
  await openPage('/settings/keys')
  await page.getByRole('button', { name: 'Make a key' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('nightly report')
  await userEvent.keyboard('{Enter}')
  const code = page.getByRole('region', { name: 'New key' }).getByRole('code')
  await expect.element(code).toBeVisible()
  const headers = { authorization: `Bearer ${code.element().textContent}` }
  const ask = async () => (await fetch('/api/threads', { headers, credentials: 'omit' })).status

  await openPage('/settings/account')
  const box = page.getByRole('checkbox', {
    name: 'Sign out everywhere else, and end API keys and connected apps',
  })
  const change = async (current: string, next: string, unticks = false) => {
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page.getByLabelText('Your password').fill(current)
    await page.getByLabelText('New password').fill(next)
    await expect.element(box).toBeChecked()
    if (unticks) await box.click()
    else await lookInAllWays('settings-password')
    await userEvent.keyboard('{Enter}')
  }
  const better = 'a better horse without any battery'
  await change(password, better, true)
  await expect.element(page.getByText('Your password is changed.', { exact: true })).toBeVisible()
  expect(await ask()).toBe(200)
  await change(better, password)
  await expect
    .element(page.getByText('Other sessions, API keys and connected apps have ended.'))
    .toBeVisible()
  expect(await ask()).toBe(401)
})

test('given a link of a letter that works no longer, when a password is set with it, then it says so; the box stands ticked', async () => {
  await openPage('/reset-password#t0ken')
  const field = page.getByLabelText('New password', { exact: true })
  await field.fill('a better horse without any battery')
  await expect
    .element(page.getByRole('checkbox', { name: 'End API keys, connected apps and passkeys' }))
    .toBeChecked()
  await lookInAllWays('reset-password')
  await field.click()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText(/the account has changed since. Ask for a new one./)).toBeVisible()
})

test('an API key is made, told once, and revoked', async () => {
  await signUp()
  await openPage('/settings/keys')
  await page.getByRole('button', { name: 'Make a key' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('nightly report')
  await userEvent.keyboard('{Enter}')
  const key = page.getByRole('region', { name: 'New key' }).getByRole('code')
  await expect.element(key).toBeVisible()
  const headers = { authorization: `Bearer ${key.element().textContent}` }
  const ask = async (path: string) => (await fetch(path, { headers, credentials: 'omit' })).status
  // an account is not a script's to change
  expect([await ask('/api/threads'), await ask('/api/account')]).toEqual([200, 403])
  await page.getByRole('button', { name: 'Revoke nightly report' }).click()
  await expect.element(page.getByText('You have no API key.')).toBeVisible()
  expect(await ask('/api/threads')).toBe(401)
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

test.each(settingsPages)(
  '$label: everyone can read the page, also by ear and by keyboard',
  async ({ path, label }) => {
    await openPage(path)
    await expect.element(page.getByRole('heading', { level: 1, name: label })).toBeInTheDocument()
    // what is asked for has come
    await expect.element(page.getByRole('status', { name: /^Loading/ })).not.toBeInTheDocument()
    await lookInAllWays(`settings-every-${label}`, undefined, { strict: true })
  },
)
