import { describe, expect, test } from 'vitest'
import { findViolations } from './import-directions'
import { sources } from './sources'

test('imports point down the layout', () => {
  expect(findViolations(sources('app', 'components', 'lib', 'e2e', 'testing'))).toEqual([])
})

describe('the detector', () => {
  const violations = (tree: Record<string, string>) => findViolations(new Map(Object.entries(tree)))

  test('accepts arrows that point down', () => {
    expect(
      violations({
        'app/page.tsx': `
          import Link from 'next/link'
          import { Thread } from '@/components/thread/thread'
          import { openChat } from '../lib/server/open-chat'
          import type { Delta } from '@/lib/graph'
          import './globals.css'`,
        'components/thread/thread.tsx': `import { useState } from 'react'; import { place } from '@/lib/graph/place'`,
        'lib/server/open-chat.ts': `import 'server-only'; import { headers } from 'next/headers'`,
        'lib/context/compile.ts': `import type { UIMessage } from 'ai'; import { id } from '@/lib/events'`,
      }),
    ).toEqual([])
  })

  test('explains an arrow that points up, however the import is written', () => {
    for (const source of [
      `import { openDatabase } from '@/lib/db/open'`,
      `import type { Database } from '@/lib/db/open'`,
      `export * from '@/lib/db/open'`,
      `export type { Database } from '@/lib/db/open'`,
      `const { openDatabase } = await import('@/lib/db/open')`,
      `export type D = import('@/lib/db/open').Database`,
    ]) {
      const [violation, ...rest] = violations({ 'components/thread/thread.tsx': source })
      expect(violation).toContain(
        'components/thread/thread.tsx imports lib/db/open, but components/thread/ is messages',
      )
      expect(violation).toContain('not lib/db/ (client and schema)')
      expect(rest).toEqual([])
    }
  })

  test('does not read comments and strings', () => {
    const source = `// import x from '@/lib/db'\nexport const text = "import x from '@/lib/db'"`
    expect(violations({ 'lib/events/event.ts': source })).toEqual([])
  })

  test('keeps frameworks out of the pure folders', () => {
    for (const name of ['next/headers', 'react', 'drizzle-orm/pg-core', 'postgres']) {
      for (const folder of ['context', 'events', 'graph']) {
        const [violation] = violations({ [`lib/${folder}/x.ts`]: `import type { X } from '${name}'` })
        expect(violation).toContain(`imports the package ${name}, but lib/${folder}/ must not: it is pure`)
      }
    }
    expect(violations({ 'lib/events/x.ts': `import type { UIMessage } from 'ai'` })).toHaveLength(1)
  })

  test('keeps next and server-only in lib/server and lib/auth', () => {
    expect(violations({ 'lib/store/x.ts': `import 'server-only'` })).toHaveLength(1)
    expect(violations({ 'lib/worker/x.ts': `import { after } from 'next/server'` })).toHaveLength(1)
    expect(violations({ 'lib/auth/x.ts': `import 'server-only'` })).toEqual([])
  })

  test('gives components server code as types and actions only', () => {
    const server = { 'lib/server/actions/fork.ts': `'use server'\nexport async function fork() {}` }
    const load = `import { fork } from '@/lib/server/actions/fork'`
    expect(violations({ ...server, 'components/thread/x.tsx': load })).toEqual([])
    expect(
      violations({ 'components/thread/x.tsx': `import type { Chat } from '@/lib/server/chat'` }),
    ).toEqual([])
    const [violation] = violations({
      'components/thread/x.tsx': `import { type Chat } from '@/lib/server/chat'`,
    })
    expect(violation).toContain('may take only types from lib/server/: use `import type`')
  })

  test('gives an action to a component from the route that owns it', () => {
    const tree = {
      'app/c/actions.ts': `'use server'\nexport async function rename() {}`,
      'app/c/helper.ts': 'export const help = 1',
    }
    expect(
      violations({ ...tree, 'components/thread/x.tsx': `import { rename } from '@/app/c/actions'` }),
    ).toEqual([])
    expect(
      violations({ ...tree, 'components/thread/x.tsx': `import { help } from '@/app/c/helper'` }),
    ).toHaveLength(1)
  })

  test('lets tests use testing/ and look down, and nothing else', () => {
    const load = `import { startPostgres } from '@/testing/machines/postgres-cluster'`
    expect(violations({ 'testing/int/lib/store/x.int.test.ts': load })).toEqual([])
    expect(
      violations({ 'testing/int/lib/store/contract.ts': `import { test } from 'vitest'; ${load}` }),
    ).toEqual([])
    expect(violations({ 'e2e/fixtures.ts': load })).toEqual([])
    expect(violations({ 'lib/store/x.ts': load })[0]).toContain('must not ship')
    expect(violations({ 'testing/unit/lib/worker/x.test.ts': `import { x } from '@/lib/events'` })).toEqual(
      [],
    )
    expect(
      violations({ 'testing/unit/lib/graph/x.test.ts': `import { x } from '@/lib/store'` })[0],
    ).toContain('lies above')
  })

  test('asks for a new folder to be placed', () => {
    expect(violations({ 'lib/utils/x.ts': '' })[0]).toContain('lib/utils/ is not in the layout')
  })
})
