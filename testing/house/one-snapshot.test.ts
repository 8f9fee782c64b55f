import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { repoRoot } from '@/testing/runner/repo-root'

// `npm run db:generate` compares the schema with the newest snapshot alone, and adds one of thousands of lines each time.
test('drizzle/meta keeps one snapshot: delete the one before when a migration adds another', () => {
  const snapshots = readdirSync(path.join(repoRoot, 'drizzle/meta')).filter((name) =>
    name.includes('_snapshot'),
  )
  expect(snapshots).toHaveLength(1)
})
