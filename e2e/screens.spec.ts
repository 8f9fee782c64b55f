import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, test } from './support/test'

// Every screen, wide and narrow, light and dark: nothing serious for axe, nothing that scrolls sideways.

const sizes = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } }

for (const [size, viewport] of Object.entries(sizes)) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test.describe(`${size}, ${colorScheme}`, () => {
      test.use({ viewport, colorScheme })

      test('the empty page, a conversation, its graph, a chat that is not there', async ({ chat, page }) => {
        const look = async (name: string) => {
          await page.screenshot({ path: `test-results/screens/${name}-${size}-${colorScheme}.png` })
          await expectAccessible(page)
          expect(await sidewaysScroll(page), `${name} scrolls sideways`).toBe(0)
        }
        await chat.open()
        await look('empty')

        await page
          .getByRole('button', { name: /sample conversation/i })
          .first()
          .click()
        await expect(page).toHaveURL(/\/c\//)
        await expect(chat.messages.first()).toBeVisible()
        if (size === 'wide') await expect(chat.graph.getByRole('treeitem').first()).toBeVisible()
        await look('chat')

        if (size === 'narrow') {
          await page.getByRole('tab', { name: 'Graph' }).click()
          await expect(chat.graph.getByRole('treeitem').first()).toBeVisible()
        }
        await chat.graph.locator('[aria-current="true"]').getByRole('button').click()
        await expect(page.getByRole('toolbar', { name: 'Message actions' })).toBeVisible()
        await look('selected')

        await page.goto('/c/there-is-no-such-chat')
        await expect(page.getByRole('heading').first()).toBeVisible()
        await look('missing')
      })
    })
  }
}

async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(
    serious.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`),
  ).toEqual([])
}

const sidewaysScroll = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
