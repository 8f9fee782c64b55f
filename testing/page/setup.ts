import '@/app/globals.css'
import './fonts.css'
// Pages load this late, and nearly every test waits for it: the time that its code takes is no part of that wait.
import '@/components/explorer/conversation-graph'
import '@/components/thread/markdown/markdown'
import { afterEach, beforeEach, onTestFinished, vi } from 'vitest'
import { page, utils } from 'vitest/browser'
import { watchAddress } from '@/testing/machines/framework/navigation'
import { emulate, leavePage, signInAnew } from './given'

// For every file of component tests: they share one page, and what was loaded into it.

// An element that is waited for is asked for twenty times a second, each time with an error: without the whole page in it.
utils.configurePrettyDOM({ maxLength: 0 })

/** The person of the test is a guest of its own, in a browser that remembers nothing. */
beforeEach(async () => {
  localStorage.clear()
  sessionStorage.clear()
  await page.viewport(1440, 900)
  await emulate({})
  await signInAnew()
  onTestFinished(watchAddress())
  // what a page logs as an error fails its test
  const logged = vi.spyOn(console, 'error')
  onTestFinished(() => {
    // the browser says so when a size follows another a frame later: nothing is wrong
    const errors = logged.mock.calls
      .map((call) => call.map(String).join(' '))
      .filter((words) => !words.includes('ResizeObserver loop completed'))
    logged.mockRestore()
    if (errors.length > 0) throw new Error(`The page logged errors:\n${errors.join('\n')}`)
  })
})

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail')
    console.log(`What was seen:\n${document.querySelector('main')?.innerText}`)
  await leavePage()
  history.replaceState(null, '', '/')
})
