import { describe, expect, test } from 'vitest'
import { findViolations } from './import-directions'
import { sources } from './sources'

test('imports point down the layout', () => {
  expect(findViolations(sources('app', 'components', 'lib', 'e2e', 'testing'))).toEqual([])
})

describe('the detector', () => {
  const violations = (tree: Record<string, string>) => findViolations(new Map(Object.entries(tree)))
  /** A component that imports this. */
  const thread = (source: string, beside: Record<string, string> = {}) =>
    violations({ ...beside, 'components/thread/thread.tsx': source })

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

  test.each([
    `import { openDatabase } from '@/lib/db/open'`,
    `import type { Database } from '@/lib/db/open'`,
    `export * from '@/lib/db/open'`,
    `export type { Database } from '@/lib/db/open'`,
    `const { openDatabase } = await import('@/lib/db/open')`,
    `export type D = import('@/lib/db/open').Database`,
  ])('explains an arrow that points up, however the import is written: %s', (source) => {
    expect(thread(source)).toEqual([
      expect.stringMatching(
        /^components\/thread\/thread.tsx imports lib\/db\/open, but components\/thread\/ is messages.*not lib\/db\/ \(client and schema\)/,
      ),
    ])
  })

  test('does not read comments and strings', () => {
    const source = `// import x from '@/lib/db'\nexport const text = "import x from '@/lib/db'"`
    expect(violations({ 'lib/events/event.ts': source })).toEqual([])
  })

  test('keeps frameworks out of the pure folders', () => {
    for (const name of ['next/headers', 'react', 'drizzle-orm/pg-core', 'postgres'])
      for (const folder of ['context', 'events', 'graph']) {
        const [violation] = violations({ [`lib/${folder}/x.ts`]: `import type { X } from '${name}'` })
        expect(violation).toContain(`imports the package ${name}, but lib/${folder}/ must not: it is pure`)
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
    expect(thread(`import { fork } from '@/lib/server/actions/fork'`, server)).toEqual([])
    expect(thread(`import type { Chat } from '@/lib/server/chat'`)).toEqual([])
    const [violation] = thread(`import { type Chat } from '@/lib/server/chat'`)
    expect(violation).toContain('may take only types from lib/server/: use `import type`')
  })

  test('gives an action to a component from the route that owns it', () => {
    const tree = {
      'app/c/actions.ts': `'use server'\nexport async function rename() {}`,
      'app/c/helper.ts': 'export const help = 1',
    }
    expect(thread(`import { rename } from '@/app/c/actions'`, tree)).toEqual([])
    expect(thread(`import { help } from '@/app/c/helper'`, tree)).toHaveLength(1)
  })

  test('lets tests use testing/ and look down, and nothing else', () => {
    const load = `import { startPostgres } from '@/testing/machines/postgres-cluster'`
    expect(violations({ 'testing/int/lib/store/x.int.test.ts': load })).toEqual([])
    const suite = `import { test } from 'vitest'; ${load}`
    expect(violations({ 'testing/int/lib/store/contract.ts': suite })).toEqual([])
    expect(violations({ 'e2e/fixtures.ts': load })).toEqual([])
    expect(violations({ 'lib/store/x.ts': load })[0]).toContain('must not ship')
    const from = (name: string) => `import { x } from '@/lib/${name}'`
    expect(violations({ 'testing/unit/lib/worker/x.test.ts': from('events') })).toEqual([])
    expect(violations({ 'testing/unit/lib/graph/x.test.ts': from('store') })[0]).toContain('lies above')
  })

  test('asks for a new folder to be placed', () => {
    expect(violations({ 'lib/utils/x.ts': '' })[0]).toContain('lib/utils/ is not in the layout')
  })
})
