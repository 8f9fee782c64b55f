import type { Page } from '@playwright/test'
import { hydrated } from '../support/chat-page'
import { expect, test } from '../support/test'

// Signing up, in and out from the sidebar, and the pages of the settings that are about the person.

const password = 'correct horse battery staple'
let people = 0
const newEmail = () => `ada-${Date.now()}-${++people}@example.org`

const dialog = (page: Page) => page.getByRole('dialog')
const accountButton = (page: Page, name: string) => page.getByRole('button', { name: `Account: ${name}` })

async function fromMenu(page: Page, item: string): Promise<void> {
  const button = page.getByRole('button', { name: /^Account: / })
  await hydrated(button)
  await button.click()
  await page.getByRole('menuitem', { name: item }).click()
}

test('a guest is told where the chats are, signs up past mistakes, keeps the chat, signs out and in again, and deletes the account', async ({
  chat,
  page,
}) => {
  await chat.open()
  await chat.ask('My name is Ada')
  const note = page.getByRole('region', { name: 'Where your chats are' })
  await note.getByRole('button', { name: 'Not now' }).click()
  await page.reload()
  await expect(page.getByRole('link', { name: /Ada/ })).toBeVisible()
  await expect(note).toBeHidden()

  await fromMenu(page, 'Sign up')
  const [email, name] = [newEmail(), 'Ada Lovelace']
  await dialog(page).getByLabel('Name').fill(name)
  await dialog(page).getByLabel('E-mail address').fill('nonsense')
  await dialog(page).getByLabel('Password').fill('password123')
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByLabel('E-mail address')).toHaveAccessibleDescription(
    'This is not an e-mail address.',
  )
  await dialog(page).getByLabel('E-mail address').fill(email)
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByLabel('Password')).toHaveAccessibleDescription(
    /among the first that are guessed/,
  )
  await expect(dialog(page).getByLabel('Password')).toBeFocused()
  await dialog(page).getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  await expect(accountButton(page, name)).toBeVisible()
  await expect(chat.messages.first()).toContainText('My name is Ada')

  // signed out, nothing of it is there; a wrong password is said at the field, the right one brings it back
  await fromMenu(page, 'Sign out')
  await expect(accountButton(page, 'Not signed in')).toBeVisible()
  await expect(page.getByRole('link', { name: /Ada/ })).toBeHidden()
  await fromMenu(page, 'Sign in')
  await dialog(page).getByLabel('E-mail address').fill(email)
  await dialog(page).getByLabel('Password').fill('not the horse at all')
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByRole('alert')).toHaveText('The address or the password is wrong.')
  await dialog(page).getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  await expect(accountButton(page, name)).toBeVisible()
  await expect(page.getByRole('link', { name: /Ada/ })).toBeVisible()

  // deleted, it is no account any more
  await page.goto('/settings/account')
  await page.getByRole('button', { name: 'Delete the account…' }).click()
  await page.getByLabel('Type “delete”').fill('delete')
  await page.getByLabel('Your password').fill(password)
  await page.keyboard.press('Enter')
  await expect(accountButton(page, 'Not signed in')).toBeVisible()
  const gone = await page.request.post('/api/auth/sign-in/email', { data: { email, password } })
  expect(gone.status()).toBe(401)
})

test('a passkey is added, renamed, signs in, and signs in no more once it is removed', async ({
  page,
  baseURL,
}) => {
  // passkeys belong to a name, not to an address of a network
  const here = (baseURL ?? '').replace('127.0.0.1', 'localhost')
  const device = await page.context().newCDPSession(page)
  await device.send('WebAuthn.enable')
  await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const data = { email: newEmail(), password }
  await page.request.post(`${here}/api/auth/sign-up/email`, { data: { ...data, name: 'Grace' } })
  await page.request.post(`${here}/api/auth/sign-in/email`, { data })

  await page.goto(`${here}/settings/account`)
  const add = page.getByRole('button', { name: 'Add a passkey' })
  await hydrated(add)
  await add.click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Laptop')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Laptop is added.')).toBeVisible()
  await page.getByRole('button', { name: 'Rename Laptop' }).click()
  const called = page.getByRole('textbox', { name: 'Name' })
  await expect(called).toHaveValue('Laptop')
  await called.fill('Old laptop')
  await page.keyboard.press('Enter')
  await expect(page.getByText('It is called Old laptop now.')).toBeVisible()

  const withPasskey = async () => {
    await fromMenu(page, 'Sign out')
    await expect(accountButton(page, 'Not signed in')).toBeVisible()
    await fromMenu(page, 'Sign in')
    await dialog(page).getByRole('button', { name: 'Sign in with a passkey' }).click()
  }
  await withPasskey()
  await expect(accountButton(page, 'Grace')).toBeVisible()
  await page.goto(`${here}/settings/account`)
  const remove = page.getByRole('button', { name: 'Remove Old laptop' })
  await hydrated(remove)
  await remove.click()
  await expect(page.getByText('You have no passkey.')).toBeVisible()
  await withPasskey()
  await expect(dialog(page).getByRole('alert')).toHaveText(
    'No account has this passkey. Sign in another way.',
  )
})

test('the settings open on the account; a look that was chosen is there before the scripts of a page have run', async ({
  page,
}) => {
  await page.goto('/settings')
  await expect(page).toHaveURL(/\/settings\/account$/)
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Appearance' }).click()
  await page.getByRole('radio', { name: 'Compact' }).click()
  await page.getByRole('radio', { name: 'Largest' }).click()
  await page.goto('/settings/about', { waitUntil: 'commit' })
  await expect(page.locator('html')).toHaveAttribute('data-density', 'compact')
  await expect(page.locator('html')).toHaveAttribute('data-text-size', 'largest')
})
