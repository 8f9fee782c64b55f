import { look, onEveryScreen } from './support/screens'
import { expect, test } from './support/test'

// Every screen, wide and narrow, light and dark: nothing serious for axe, nothing that scrolls sideways.

onEveryScreen((screen) => {
  test('the empty page, a conversation, its graph, a chat that is not there', async ({ chat, page }) => {
    await chat.open()
    await look(page, 'empty', screen)

    await page
      .getByRole('button', { name: /sample conversation/i })
      .first()
      .click()
    await expect(page).toHaveURL(/\/c\//)
    await expect(chat.messages.first()).toBeVisible()
    if (screen.size === 'wide') await expect(chat.graph.getByRole('treeitem').first()).toBeVisible()
    await look(page, 'chat', screen)

    if (screen.size === 'narrow') {
      await page.getByRole('tab', { name: 'Graph' }).click()
      await expect(chat.graph.getByRole('treeitem').first()).toBeVisible()
    }
    await chat.graph.locator('[aria-current="true"]').getByRole('button').click()
    await expect(page.getByRole('toolbar', { name: 'Message actions' })).toBeVisible()
    await look(page, 'selected', screen)

    await page.goto('/c/there-is-no-such-chat')
    await expect(page.getByRole('heading').first()).toBeVisible()
    await look(page, 'missing', screen)
  })
})
