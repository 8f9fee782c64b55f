import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { AppServer } from '@/testing/machines/app-server'
import { freePort } from '@/testing/machines/free-port'
import { copyTemplate } from '@/testing/machines/templates'
import { expect, test } from '../support/test'

// The server of a laptop, as a browser meets it: one owner, and no sign-in. Its door is tested in testing/int/lib/server/machine-owner.

test('given a server of this machine alone, then every browser is the owner’s, until the owner signs up and has all of it', async ({
  browser,
}) => {
  test.slow()
  const folder = mkdtempSync(path.join(tmpdir(), 'ramify-own-'))
  copyTemplate('migrated', folder)
  const server = new AppServer(await freePort(), {
    ...process.env,
    NODE_ENV: 'production',
    DATABASE_URL: '',
    RAMIFY_DATA_DIR: folder,
    RAMIFY_PERSONAL: 'on',
    RAMIFY_LOCAL_MODELS: 'off',
    RAMIFY_TITLES: 'words',
    RAMIFY_DEFAULT_MODEL: 'demo:demo',
  })
  await server.start()
  try {
    const one = await browser.newContext()
    const page = await one.newPage()
    await page.goto(server.url)
    await page.getByRole('textbox', { name: 'Message' }).fill('From the first browser')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('article')).toHaveCount(2)
    await expect(page).toHaveURL(/\/c\//)

    // without a cookie, and in another browser
    expect(await one.cookies()).toEqual([])
    const two = await browser.newContext()
    const other = await two.newPage()
    await other.goto(page.url())
    await expect(other.getByRole('article').first()).toContainText('From the first browser')
    await expect(other.getByRole('button', { name: 'Account: This computer' })).toBeVisible()
    await other.goto(`${server.url}/settings/account`)
    await expect(other.getByText('On this machine everybody who opens this page is you')).toBeVisible()
    await expect(other.getByText(/guest/i)).toHaveCount(0)

    // the owner signs up, and is signed in
    await other.getByRole('button', { name: 'Sign up' }).click()
    const form = other.getByRole('dialog')
    await form.getByLabel('Name').fill('Ada')
    await form.getByLabel('E-mail address').fill('ada@example.org')
    await form.getByLabel('Password').fill('correct horse battery staple')
    await form.getByRole('button', { name: 'Sign up' }).click()
    await expect(other.getByRole('button', { name: 'Account: Ada' })).toBeVisible()
    await expect(other.getByRole('link', { name: 'From the first browser' })).toBeVisible()
    await expect(other.getByRole('heading', { name: 'Without signing in' })).toBeVisible()
    await page.goto(server.url)
    await expect(page.getByRole('button', { name: 'Account: Not signed in' })).toBeVisible()
    await expect(page.getByText('From the first browser')).toHaveCount(0)
    await one.close()
    await two.close()
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})
