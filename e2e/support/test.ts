import { type Browser, test as base, type Page } from '@playwright/test'
import { ChatPage } from './chat-page'

interface Fixtures {
  chat: ChatPage
}

/** A test with one person at one chat page; anything the page logs as an error fails it. */
export const test = base.extend<Fixtures>({
  chat: async ({ page }, use) => {
    const errors = watchErrors(page)
    await use(new ChatPage(page))
    expectNone(errors)
  },
})

export { expect } from '@playwright/test'

/** Errors of a page from now on: what it throws, and what its policy or its code logs as one. */
export function watchErrors(page: Page): string[] {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    // a refused request is logged by the browser itself; the tests that provoke one look at its answer
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      errors.push(message.text())
  })
  return errors
}

function expectNone(errors: string[]): void {
  if (errors.length > 0) throw new Error(`The page logged errors:\n${errors.join('\n')}`)
}

/** Another person, with cookies of their own. */
export async function somebodyElse(browser: Browser, baseURL: string | undefined): Promise<ChatPage> {
  const context = await browser.newContext(baseURL ? { baseURL } : {})
  return new ChatPage(await context.newPage())
}
