import { globSync } from 'node:fs'
import path from 'node:path'
import { defineConfig } from '@playwright/test'
import { e2eServers } from '@/testing/machines/e2e-servers'
import { browserArguments, findBrowser } from '@/testing/machines/find-browser'

const servers = await e2eServers()

// The runner finds it; the workers, which read this file too, take it from their environment.
const browser = findBrowser()
if (browser) process.env.PLAYWRIGHT_CHROMIUM_PATH = browser

// The files take turns on the two databases, but for those that are about all of it. The long run has all on both.
const onBoth = /(cluster|journey|whole)\.spec/
const specs = globSync('**/*.spec.ts', { cwd: path.join(import.meta.dirname, 'e2e') }).sort()
const specsOn = (server: number): string[] =>
  specs
    .filter((spec, at) => onBoth.test(spec) || at % servers.length === server || process.env.RAMIFY_TEST_LONG)
    .map((spec) => `**/${spec}`)

export default defineConfig({
  testDir: 'e2e',
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
  projects: servers.map(({ name, baseURL }, server) => ({
    name,
    use: { baseURL },
    workers: 1,
    testMatch: specsOn(server),
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
