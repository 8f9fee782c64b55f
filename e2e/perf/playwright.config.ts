import { defineConfig } from '@playwright/test'
import base from '../../playwright.config'

// Measures what `npm run build` left; not part of `npm test`. With a server of its own, into whose store the chats are seeded.
export default defineConfig({
  ...base,
  testDir: '.',
  testMatch: '**/*.perf.ts',
  timeout: 240_000,
  workers: 1,
  retries: 0,
  reporter: [['list']],
  projects: [{ name: 'perf' }],
  webServer: [],
})
