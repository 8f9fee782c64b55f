import { expect, type Page } from '@playwright/test'
import type { ChatPage } from './chat-page'

/** Two turns on main, and another second turn on main-v2, which is read. */
export async function fork(chat: ChatPage, page: Page): Promise<void> {
  await chat.open()
  await chat.ask('I am devansh')
  await chat.ask('what is 2+2')
  await chat.act(/^Assistant: .*devansh/i, 'Branch from here')
  await expect(page).toHaveURL(/branch=main-v2/)
  await chat.ask('what is 3+3')
  await expect(chat.graph.getByRole('treeitem')).toHaveCount(6)
}

/** Takes back the last move. */
export const undo = (page: Page) => page.getByRole('button', { name: 'Undo', exact: true }).click()
/** The head being read, in the graph. */
export const here = (chat: ChatPage) => chat.graph.locator('[role=treeitem][aria-current="true"]')
/** An item of the menu that is open. */
export const menuItem = (page: Page, name: string | RegExp) =>
  page.getByRole('menu').getByRole('menuitem', { name })
