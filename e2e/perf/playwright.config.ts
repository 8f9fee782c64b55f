import { defineConfig } from '@playwright/test'
import base from '../../playwright.config'

// Measures what `npm run build` left; not part of `npm test`. Its own server, since the chats are seeded into its store.
export default defineConfig({
  ...base,
  testDir: '.',
  testMatch: '**/*.perf.ts',
  timeout: 240_000,
  reporter: [['list']],
  projects: [{ name: 'perf' }],
  webServer: [],
})
