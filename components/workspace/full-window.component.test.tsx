import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { openFork } from '@/testing/page/given'

test('given a graph in the full window, then Escape leaves first the selection and then the window', async () => {
  const chat = await openFork()
  const leave = page.getByRole('button', { name: 'Leave full window' })
  await page.getByRole('button', { name: 'Full window', exact: true }).click()
  await expect.element(leave).toBeVisible()
  await chat.nodes.first().click()
  await expect.element(chat.nodes.first()).toHaveAttribute('aria-selected', 'true')
  await userEvent.keyboard('{Escape}')
  await expect.element(leave).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(leave).not.toBeInTheDocument()
  await expect.element(chat.box).toBeVisible()
})
