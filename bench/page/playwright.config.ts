import { defineConfig } from '@playwright/test'
import base from '../../playwright.config'

// Measures the last build; not part of `npm test`. It starts a server of its own, into whose store the chats are seeded.
export default defineConfig({
  ...base,
  testDir: '.',
  testMatch: '**/*.perf.ts',
  timeout: 240_000,
  workers: 1,
  reporter: [['list']],
  projects: [{ name: 'perf' }],
  webServer: [],
})
