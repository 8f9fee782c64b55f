import { describe, expect, it } from 'vitest'
import { readEnv } from '@/lib/runtime/env'

it('given none, then 20 MB; given one, then that', () => {
  expect(readEnv({}).RAMIFY_FILE_LIMIT_MB).toBe(20)
  expect(readEnv({ RAMIFY_FILE_LIMIT_MB: '' }).RAMIFY_FILE_LIMIT_MB).toBe(20)
  expect(readEnv({ RAMIFY_FILE_LIMIT_MB: '5' }).RAMIFY_FILE_LIMIT_MB).toBe(5)
})

it.each(['0', '51', '1.5', 'many'])(
  'given "%s", then the start is refused in one line naming it',
  (value) => {
    expect(() => readEnv({ RAMIFY_FILE_LIMIT_MB: value })).toThrow(/^RAMIFY_FILE_LIMIT_MB .+$/)
  },
)

const https = 'https://chat.example.org'

describe('a setting that cannot work stops the start, in one line that names it and says what to do', () => {
  it.each([
    ['BETTER_AUTH_URL', `${https}/ramify`, 'has the path /ramify', 'a host of its own'],
    ['BETTER_AUTH_URL', `${https}//`, 'has the path', 'a host of its own'],
    ['BETTER_AUTH_URL', `${https}/?next=1`, 'must end after the host', `set it to ${https}`],
    ['BETTER_AUTH_URL', `${https}#top`, 'must end after the host', `set it to ${https}`],
    ['BETTER_AUTH_URL', 'https://me:secret@chat.example.org', 'name or password', `set it to ${https}`],
    ['BETTER_AUTH_URL', 'chat.example.org', 'must be an address', https],
    ['BETTER_AUTH_URL', 'ftp://chat.example.org', 'must be an address', https],
    ['BETTER_AUTH_URL', 'https://chat example', 'must be an address', https],
    ['BETTER_AUTH_URL', 'https://chat.example.org:99999', 'must be an address', https],
    ['HOST', 'http://localhost', 'host name or an IP address', 'PORT'],
    ['HOST', 'localhost:3000', 'host name or an IP address', 'PORT'],
    ['PORT', 'http', 'whole number', 'from 0 to 65535'],
    ['PORT', '70000', 'whole number', 'from 0 to 65535'],
    ['PORT', '-1', 'whole number', 'from 0 to 65535'],
    ['PORT', ' ', 'whole number', 'from 0 to 65535'],
    ['PORT', '1e3', 'whole number', 'from 0 to 65535'],
    ['RAMIFY_LEASE_MS', '30s', 'whole number', 'from 300'],
    ['RAMIFY_RATE_LIMIT', '0', '"off"', 'whole number'],
    ['RAMIFY_RATE_LIMIT', 'none', '"off"', 'whole number'],
    ['RAMIFY_QUOTA_KEYS', '1.5', '"off"', 'whole number'],
    ['RAMIFY_IMPORT_LIMIT_MB', '1GB', 'whole number', 'from 1'],
    ['RAMIFY_WORKER', 'no', '"on" or "off"', ''],
    ['RAMIFY_TITLES', 'none', '"model" or "words"', ''],
    ['DATABASE_URL', 'mysql://db/ramify', 'postgres://', ''],
    ['DATABASE_URL', 'postgres://me:pass/word@db:5432/ramify', 'cannot be read as an address', '%2F'],
    ['DATABASE_URL', 'postgres://db:port/ramify', 'cannot be read as an address', 'host and port'],
    ['SMTP_URL', 'https://mail.example.org', 'smtps://', ''],
    ['SMTP_URL', 'smtps://me:pass#word@mail.example.org:465', 'cannot be read as an address', '%23'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4318', 'must be an address', 'http://'],
  ])('%s=%s', (name, value, wrong, remedy) => {
    const start = () => readEnv({ BETTER_AUTH_URL: https, [name]: value })
    expect(start).toThrow(new RegExp(`^${name} [^\n]+$`))
    expect(start).toThrow(wrong)
    expect(start).toThrow(remedy)
  })

  it.each([
    ['DATABASE_URL_UNPOOLED', 'postgres://db/ramify', 'DATABASE_URL is missing'],
    ['RAMIFY_MAIL_FROM', 'Ramify <ramify@example.org>', 'SMTP_URL is missing'],
    ['SMTP_URL', 'smtps://mail.example.org', 'BETTER_AUTH_URL is missing'],
    ['GITHUB_CLIENT_ID', 'id', 'GITHUB_CLIENT_SECRET is missing'],
  ])('%s without what it needs', (name, value, problem) => {
    expect(() => readEnv({ [name]: value })).toThrow(problem)
  })
})

it.each([
  ['BETTER_AUTH_URL', 'http://localhost:3000'],
  ['BETTER_AUTH_URL', `${https}/`],
  ['BETTER_AUTH_URL', 'https://[::1]:8443'],
  ['HOST', '0.0.0.0'],
  ['HOST', '::1'],
  ['HOST', 'my_host-1.internal'],
  ['PORT', '0'],
  ['RAMIFY_RATE_LIMIT', 'off'],
  ['RAMIFY_QUOTA_KEYS', '0'],
  ['DATABASE_URL', 'postgres://me:p%40ss@one:5432,two:5432/ramify?sslmode=require'],
  ['DATABASE_URL', 'postgresql:///ramify?host=/var/run/postgresql'],
])('%s=%s is taken', (name, value) => {
  expect(() => readEnv({ [name]: value })).not.toThrow()
})
