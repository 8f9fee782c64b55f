import type { Page } from '@playwright/test'
import { startMcpServer } from '@/testing/machines/mcp-server'
import { expectAccessible, look, onEveryScreen, type Screen } from '../support/screens'
import { expect, test } from '../support/test'

// Tools of the model: switched on for a branch, asked for, allowed, remembered; and a person's own servers of tools.

/** Switches tools on for the branch in view, as its panel does. */
async function switchOn(page: Page, screen: Screen): Promise<void> {
  await page.getByRole('button', { name: 'Context', exact: true }).click()
  const panel = page.getByRole('region', { name: 'Context', exact: true })
  const choose = (tool: string, approval: string) =>
    panel
      .getByRole('radiogroup', { name: `${tool}: may it run?` })
      .getByRole('radio', { name: approval })
      .click()
  await panel.getByRole('button', { name: 'Choose tools' }).click()
  await choose('Calculator', 'Ask')
  await choose('Remember', 'Always')
  await look(page, 'tool-choices', screen)
  await page.keyboard.press('ControlOrMeta+s')
  await expect(panel.getByText('In force from your next message.')).toBeVisible()
  await panel.getByRole('button', { name: 'Close context' }).click()
}

onEveryScreen((screen) => {
  test('a tool asks first, is allowed after a reload, and what is remembered is shown', async ({
    chat,
    page,
  }) => {
    // given a chat with a tool that asks, and one that does not
    await chat.open()
    await chat.ask('Hello')
    await switchOn(page, screen)
    // when the model calls it, then it waits
    await chat.box.fill('calculate 2*(3+4)')
    await chat.box.press('Enter')
    const ask = page.getByRole('group', { name: 'May calculator run?' })
    await expect(ask).toBeVisible()
    await expect(chat.messages).toHaveCount(4)
    // when the page is loaded again, then it still waits, and is allowed by key
    await chat.reload()
    await expect(ask).toContainText('2 * (3 + 4)')
    await look(page, 'tool-asks', screen)
    await page.getByRole('button', { name: 'Allow calculator' }).press('Enter')
    await expect(chat.lastReply()).toContainText('The result is 14.')
    await expect(ask).toHaveCount(0)
    await expect(chat.messages).toHaveCount(5)
    await expect(chat.messages.nth(3)).toContainText('Allowed')
    // and the model remembers
    await chat.ask('Remember that my cat is called Tom')
    await expect(chat.lastReply()).toContainText('Remembered: my cat — my cat is called Tom')
    await look(page, 'tools-used', screen)
  })

  test('a server of tools is added, refused in words, and removed', async ({ page }) => {
    const server = await startMcpServer({ tools: [{ name: 'echo', run: () => 'x' }], token: 'a-token' })
    try {
      await page.goto('/settings/models')
      await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Tools' }).click()
      await expect(page.getByRole('heading', { name: 'Your tool servers' })).toBeVisible()
      await page.getByRole('button', { name: 'Add a server' }).click()
      const form = page.getByRole('form', { name: 'New tool server' })
      await form.getByLabel('Name').fill('mine')
      await form.getByLabel('Address').fill(server.url)
      await form.getByLabel('Token').fill('wrong')
      await page.keyboard.press('Enter')
      await expect(form.getByRole('alert')).toContainText('mine refused the token')
      await look(page, 'tool-server-form', screen)
      await form.getByLabel('Token').fill('a-token')
      await page.keyboard.press('Enter')
      await expect(page.getByText('mine is added: one tool.')).toBeVisible()
      await look(page, 'tool-servers', screen)
      await page.getByRole('button', { name: 'Remove mine' }).click()
      await expect(page.getByText('You have no tool server.')).toBeVisible()
      await expectAccessible(page)
    } finally {
      await server.close()
    }
  })
})
