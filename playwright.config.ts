import { defineConfig } from '@playwright/test'
import { e2eServers } from '@/testing/machines/e2e-servers'
import { browserArguments, findBrowser } from '@/testing/machines/find-browser'

const servers = await e2eServers()

// The runner finds it; the workers, which read this file too, take it from their environment.
const browser = findBrowser()
if (browser) process.env.PLAYWRIGHT_CHROMIUM_PATH = browser

// About the page alone, or what the tests of the store hold on both databases: these need only one.
const onPglite =
  /(accounts|backup|fan-out|bisect|api-docs|agent-docs|keyboard|parts|compare|reading|search|refusals|files|import|chat-file|context|tools|command-line|oauth|agent-run)\.spec/
const onPostgres =
  /(explorer|hostile-text|live|drafts|joined|model-settings|history|merge|replay|chats|shares|touch)\.spec/

/** Screens of the other scheme, in the files that are seen on both databases; half of those that are seen on one. */
const seenElsewhere = (scheme: 'light' | 'dark') => [
  new RegExp(`^(?!.*(?:${onPglite.source}|${onPostgres.source})).*@${scheme}`),
  new RegExp(`(?:${onPglite.source}|${onPostgres.source}).*@crossed`),
]

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  // Bounds for what hangs, on a machine three times slower than most: nothing is timed here.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  // One on each server: its specs share a scripted provider and watch how long answers take.
  workers: servers.length,
  // What fails has failed: nothing is run a second time.
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list'], ['json', { outputFile: process.env.E2E_REPORT || 'test-results/e2e.json' }]],
  use: {
    viewport: { width: 1440, height: 900 },
    // Recording costs a second of every test, also of those that pass: only when asked for. A failure prints what it
    // expected and saw, and writes what was on the page into test-results.
    trace: process.env.E2E_TRACE ? 'retain-on-failure' : 'off',
    screenshot: process.env.E2E_TRACE ? 'only-on-failure' : 'off',
    launchOptions: {
      ...(browser && { executablePath: browser }),
      args: browserArguments,
    },
  },
  projects: servers.map(({ name, baseURL }) => ({
    name,
    use: { baseURL },
    workers: 1,
    // Screens look the same on both databases: the light ones are seen on one, the dark ones on the other. What only the
    // page does is seen on one of them, in two of the four ways. The long run sees all on both.
    ...(servers.length > 1 &&
      !process.env.RAMIFY_TEST_LONG && {
        grepInvert: seenElsewhere(name === 'pglite' ? 'dark' : 'light'),
        testIgnore: name === 'pglite' ? onPostgres : onPglite,
      }),
  })),
  webServer: servers.map(({ name, baseURL, command, env }) => ({
    name,
    command,
    env,
    url: `${baseURL}/api/health`,
    timeout: 120_000,
    reuseExistingServer: false,
    stdout: 'pipe',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 5_000 },
  })),
})
