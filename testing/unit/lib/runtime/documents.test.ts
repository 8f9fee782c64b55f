import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { auditEvents } from '@/lib/runtime/audit'
import { readEnv } from '@/lib/runtime/env'
import { limitsOf, quotas } from '@/lib/runtime/limits'
import { repoRoot } from '@/testing/runner/repo-root'

const pageOf = (name: string) => readFileSync(path.join(repoRoot, 'docs', name), 'utf8')

/** The settings of the table of limits, each with its default. */
const table = Object.fromEntries(
  [...pageOf('limits.md').matchAll(/^\| (`RAMIFY_[^|]+) \| ([^|]+) \|/gm)]
    .map(([, names = '', defaults = '']) => [names.split(' · '), defaults.split(' · ')] as const)
    .filter(([names, defaults]) => names.length === defaults.length)
    .flatMap(([names, defaults]) =>
      names.map((name, i) => [
        fullName(name.replaceAll('`', ''), names[0] ?? ''),
        numberOf(defaults[i] ?? ''),
      ]),
    ),
) as Record<string, number>

/** What begins with `_` goes on from the first of its row. */
function fullName(name: string, first: string): string {
  if (!name.startsWith('_')) return name
  const stem = /^`(RAMIFY_QUOTA(?:_ADDRESS|_SITE)?)_/.exec(first)?.[1] ?? ''
  return name.startsWith('_SITE_') ? `RAMIFY_QUOTA${name}` : `${stem}${name}`
}

function numberOf(said: string): number {
  const [, number = '', unit = ''] = /^([\d,]+) ?(million|GB)?/.exec(said.trim()) ?? []
  return Number(number.replaceAll(',', '')) * ({ million: 1e6, GB: 1e9 }[unit] ?? 1)
}

it('given a server on the public internet without settings of limits, then they are those of the documents', () => {
  const env = readEnv({ DATABASE_URL: 'postgres://localhost/ramify' })
  const limits = limitsOf(env)
  const set = Object.fromEntries(
    Object.entries(quotas).map(([name, [setting]]) => [setting, limits.quotas[name as keyof typeof quotas]]),
  )
  expect(table).toMatchObject({
    ...set,
    RAMIFY_RATE_LIMIT: env.RAMIFY_RATE_LIMIT,
    RAMIFY_READ_LIMIT: limits.readsPerMinute,
    RAMIFY_SIGN_IN_LIMIT: limits.signInsPerMinute,
    RAMIFY_REPLIES_PER_PERSON: limits.repliesPerPerson,
    RAMIFY_QUOTA_KEYS: limits.keys,
    RAMIFY_QUOTA_STREAMS: limits.streams,
    RAMIFY_QUOTA_ADDRESS_STREAMS: limits.addressStreams,
  })
})

it('given what the audit log has, then the documents name all of it', () => {
  const [, named = ''] = /one line of JSON each:.*? for (.*?)\. E-mail/s.exec(pageOf('security.md')) ?? []
  expect(
    named
      .replaceAll(/ \(.*?\)/g, '')
      .split(/,\s*|\s+and\s+/)
      .sort(),
  ).toEqual([...auditEvents].sort())
})
