import { type Browser, test as base, type Page } from '@playwright/test'
import { ChatPage } from './chat-page'

interface Fixtures {
  chat: ChatPage
}

/** A test with one person at one chat page, who waits until a page answers; anything it logs as an error fails the test. */
export const test = base.extend<Fixtures>({
  page: async ({ page }, use) => {
    const goto = page.goto.bind(page)
    page.goto = async (url, options) => {
      const response = await goto(url, options)
      // a call with `waitUntil` looks at a page before it has loaded
      if (!options?.waitUntil) await answersClicks(page)
      return response
    }
    await use(page)
  },
  chat: async ({ page }, use) => {
    const errors = watchErrors(page)
    await use(new ChatPage(page))
    if (errors.length > 0) throw new Error(`The page logged errors:\n${errors.join('\n')}`)
  },
})

export { expect } from '@playwright/test'

/** Waits until React has taken over all that the server drew: earlier clicks on it are lost. */
async function answersClicks(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    [...document.querySelectorAll('button, input, textarea, select')].every((element) =>
      Object.keys(element).some((key) => key.startsWith('__reactProps$')),
    ),
  )
}

/** Errors of a page from now on: what it throws, and what its policy or its code logs as one. */
export function watchErrors(page: Page): string[] {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    // The browser itself logs a refused request: the tests that provoke one look at its answer.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      errors.push(message.text())
  })
  return errors
}

/** The chat page of another person, with cookies of their own. */
export async function otherPerson(browser: Browser, baseURL: string | undefined): Promise<ChatPage> {
  const context = await browser.newContext(baseURL ? { baseURL } : {})
  return new ChatPage(await context.newPage())
}

/** The port at which the server of this project looks for its provider `scripted`; nothing listens there unless a test does. */
export const providerPort = (): number => Number(process.env[`E2E_${test.info().project.name}_PROVIDER_PORT`])
