import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { AppServer } from '@/testing/machines/app-server'
import { freePort } from '@/testing/machines/free-port'
import { copyTemplate } from '@/testing/machines/templates'
import { lookInAllWays } from '../support/screens'
import { expect, otherPerson, test, watchErrors } from '../support/test'

// A chat that is begun on a laptop goes on on a server, and comes back.

test('given a laptop and a server, when a chat is pushed, goes on on both and is pulled, then its merge is reviewed, and both sides have all of it', async ({
  chat: there,
  page,
  browser,
  baseURL,
}) => {
  // two servers
  test.slow()
  const folder = mkdtempSync(path.join(tmpdir(), 'ramify-laptop-'))
  copyTemplate('migrated', folder)
  const port = await freePort()
  const laptop = new AppServer(port, {
    ...process.env,
    NODE_ENV: 'production',
    DATABASE_URL: '',
    RAMIFY_DATA_DIR: folder,
    RAMIFY_DEFAULT_MODEL: 'demo:demo',
  })
  try {
    await laptop.start()
    // given a key of the server
    await page.goto('/settings/keys')
    await page.getByRole('button', { name: 'Make a key' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('laptop')
    await page.getByRole('button', { name: 'Make the key' }).click()
    const key = await page.getByRole('region', { name: 'New key' }).getByRole('code').innerText()

    // when the laptop adds the server
    const here = await otherPerson(browser, `http://localhost:${port}`)
    here.page.setDefaultTimeout(20_000)
    const errors = watchErrors(here.page)
    await here.page.goto('/settings/remotes')
    await here.page.getByRole('button', { name: 'Add a remote' }).click()
    await here.page.getByRole('textbox', { name: 'Name' }).fill('work')
    await here.page.getByRole('textbox', { name: 'Address' }).fill(baseURL ?? '')
    await here.page.getByLabel('Key').fill(key)
    await here.page.getByRole('button', { name: 'Test and add' }).click()
    await expect(here.page.getByRole('listitem').filter({ hasText: 'work' })).toBeVisible()

    // and pushes a chat
    await here.open()
    await here.ask('My name is Ada.')
    await here.ofChat('Push…')
    const dialog = (verb: 'Push' | 'Pull'): ReturnType<Page['getByRole']> =>
      here.page.getByRole('dialog', { name: verb })
    await dialog('Push').getByRole('button', { name: 'Push to work' }).click()
    await expect(dialog('Push').getByRole('status')).toHaveText('Pushed Main line to work.')
    await here.page.keyboard.press('Escape')

    // then it is there, and goes on
    const address = new URL(here.page.url()).pathname
    await there.open(address)
    await expect(there.messages).toHaveCount(2)
    await there.ask('What is my name?')
    // and a pull brings that
    await here.ofChat('Pull')
    await expect(dialog('Pull').getByRole('status')).toHaveText('Received 2 messages from work.')
    await lookInAllWays(here.page, 'pulled')
    await here.page.keyboard.press('Escape')
    await expect(here.messages).toHaveCount(4)

    // when both sides go on
    await there.ask('Said on the server.')
    await here.ask('Said on the laptop.')
    await here.ofChat('Pull')
    // then what the server has is reviewed as a merge
    const merge = here.page.getByRole('dialog').last()
    await expect(merge).toContainText('work/main')
    await lookInAllWays(here.page, 'pull-diverged')
    await merge.getByRole('button', { name: /^Merge/ }).click()
    await expect(here.page.getByRole('dialog')).toHaveCount(0)
    await here.settled()
    // and after its push the server has the merge
    await here.ofChat('Push…')
    await dialog('Push').getByRole('button', { name: 'Push to work' }).click()
    await expect(dialog('Push').getByRole('status')).toHaveText('Pushed Main line to work.')
    await here.page.keyboard.press('Escape')
    await here.history()
    await expect(here.page.getByText('pulled Main line')).toBeVisible()
    await lookInAllWays(here.page, 'exchanged-history')
    await there.reload()
    await there.settled()
    expect(await there.texts('user')).toEqual(await here.texts('user'))
    expect(errors).toEqual([])
    await here.page.context().close()
  } finally {
    await laptop.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})
