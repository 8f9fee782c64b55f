import { isIP } from 'node:net'
import { z } from 'zod'
import { quotas } from './limits.ts'

/** A setting that the process cannot start with; the message is one line that names the variable. */
export class EnvError extends Error {
  override readonly name = 'EnvError'
}

const either = <const Choice extends string>(one: Choice, other: Choice) =>
  z.enum([one, other], `must be "${one}" or "${other}"`)
const onOff = either('on', 'off').default('on')

/** Digits alone: `1e3`, `0x50` and a blank are numbers to JavaScript, and mistakes here. */
const digits = (problem: string) => z.string().trim().regex(/^\d+$/, problem).transform(Number)
const wholeFrom = (min: number, max: number) => {
  const problem = `must be a whole number from ${min} to ${max}`
  return digits(problem).pipe(z.number().min(min, problem).max(max, problem))
}
const whole = (fallback: number, min: number, max: number) => wholeFrom(min, max).default(fallback)
const wholeOrOff = z.union([z.literal('off'), digits('')], 'must be "off" or a whole number')

const inPassword =
  'cannot be read as an address: check its host and port, and write the characters @ : / ? # % of a password as %40 %3A %2F %3F %23 %25'
/** Postgres takes several hosts, separated by commas; an address of the web has one. */
const oneHost = (url: string) => url.replace(/(:\/\/[^/?#,]*),[^/?#]*/, '$1')
const postgresUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, 'must begin with postgres:// or postgresql://')
  .refine((value) => URL.canParse(oneHost(value)), inPassword)
  .optional()

const publicAddress = 'must be an address like https://chat.example.org'
const publicUrl = z
  .string()
  .regex(/^https?:\/\/[^/]+/, publicAddress)
  .refine((value) => URL.canParse(value), publicAddress)
  .superRefine((value, problems) => {
    if (!URL.canParse(value)) return
    const { pathname, search, hash, username, password, origin } = new URL(value)
    const refuse = (message: string) => problems.addIssue({ code: 'custom', message })
    if (username !== '' || password !== '') refuse(`must not hold a name or password: set it to ${origin}`)
    else if (pathname !== '/') {
      refuse(
        `has the path ${pathname}, and Ramify works at the root of a host only: give it a host of its own, like https://ramify.example.org`,
      )
    } else if (search !== '' || hash !== '') {
      refuse(`must end after the host: set it to ${origin}, without ${search}${hash}`)
    }
  })
  .optional()

/** A limit: a whole number, or `off`. Absent, its default holds (`limitsOf`). */
const limit = wholeOrOff.optional()

const quotaSettings = Object.fromEntries(
  Object.values(quotas).map(([setting]) => [setting, limit]),
) as Record<(typeof quotas)[keyof typeof quotas][0], typeof limit>

const schema = z.object({
  HOST: z
    .string()
    .refine(
      (value) => isIP(value) !== 0 || /^[\w-]+(\.[\w-]+)*\.?$/.test(value),
      'must be a host name or an IP address, like 0.0.0.0; the port is set with PORT',
    )
    .default('localhost'),
  PORT: whole(3000, 0, 65_535),
  RAMIFY_TRUSTED_PROXIES: z.string().optional(),
  RAMIFY_SECURITY_CONTACT: z
    .string()
    .regex(/^(mailto:|https:\/\/|tel:)[^\s]+$/, 'must be an address like mailto:security@example.org')
    .optional(),
  RAMIFY_REPLIES_PER_PERSON: limit,
  RAMIFY_REPLIES_PER_SERVER: limit,
  RAMIFY_READ_LIMIT: limit,
  /** requests of agents, per person and minute */
  RAMIFY_CALL_LIMIT: limit,
  RAMIFY_SIGN_IN_LIMIT: limit,
  RAMIFY_QUOTA_KEYS: limit,
  RAMIFY_QUOTA_STREAMS: limit,
  RAMIFY_QUOTA_ADDRESS_STREAMS: limit,
  ...quotaSettings,
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .string()
    .refine(
      (value) => /^https?:\/\/[^/]/.test(value) && URL.canParse(value),
      'must be an address like http://localhost:4318',
    )
    .optional(),
  DATABASE_URL: postgresUrl,
  DATABASE_URL_UNPOOLED: postgresUrl,
  DATABASE_PREPARE: onOff,
  RAMIFY_DATA_DIR: z.string().default('.data'),
  RAMIFY_WORKER: onOff,
  RAMIFY_LOCAL_MODELS: either('on', 'off').optional(),
  RAMIFY_PRIVATE_ADDRESSES: either('on', 'off').optional(),
  /** `on`: the server's keys are asked for models that no list has; on a laptop they always are */
  RAMIFY_UNLISTED_MODELS: either('on', 'off').optional(),
  RAMIFY_TITLES: either('model', 'words').default('model'),
  RAMIFY_LEASE_MS: whole(30_000, 300, 3_600_000),
  RAMIFY_TOOL_MS: whole(60_000, 100, 600_000),
  RAMIFY_RATE_LIMIT: wholeOrOff
    .refine((value) => value !== 0, 'must be "off" or a whole number from 1 on')
    .default(120),
  /** in MB of 1024 × 1024 bytes; a request to a model has 50 MB at most */
  RAMIFY_FILE_LIMIT_MB: whole(20, 1, 50),
  /** true when everybody at this machine is its owner, where only this machine reaches the server */
  RAMIFY_PERSONAL: onOff,
  /** `on`: a server that shows itself to the public (lib/runtime/demo.ts) */
  RAMIFY_DEMO: either('on', 'off').default('off'),
  /** true when a visitor may write without an account */
  RAMIFY_GUESTS: onOff,
  /** address of this server's source */
  RAMIFY_SOURCE_URL: z
    .string()
    .regex(/^https?:\/\/[^\s]+$/, 'must be an address like https://example.org/ramify')
    .optional(),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/[^/]+/, 'must be an address like smtps://user:password@mail.example.org')
    .refine((value) => URL.canParse(value), inPassword)
    .optional(),
  /** the sender of the server's mail; without it `ramify@` and the host of BETTER_AUTH_URL */
  RAMIFY_MAIL_FROM: z.string().max(200).optional(),
  GITHUB_CLIENT_ID: z.string().optional(),
  GITHUB_CLIENT_SECRET: z.string().optional(),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  /** in MB; `importBytesOf` has the default */
  RAMIFY_IMPORT_LIMIT_MB: wholeFrom(1, 100_000).optional(),
  CRON_SECRET: z.string().min(16, 'must have 16 characters or more').optional(),
  BETTER_AUTH_SECRET: z.string().min(32, 'must have 32 characters or more').optional(),
  BETTER_AUTH_URL: publicUrl,
})

export type Env = z.infer<typeof schema>

/** The settings of CONTRACT.md "Environment", checked. Throws `EnvError` for a value that cannot work. */
export function readEnv(source: Readonly<Record<string, string | undefined>>): Env {
  // a `.env` line without a value counts as not set
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''))
  const parsed = schema.safeParse(given)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new EnvError(`${issue?.path.join('.') ?? 'environment'} ${issue?.message ?? 'is wrong'}`)
  }
  const env = parsed.data
  if (env.DATABASE_URL && !env.BETTER_AUTH_SECRET && source.NODE_ENV === 'production') {
    throw new EnvError(
      'BETTER_AUTH_SECRET is missing: with DATABASE_URL in production, set it to 32 random characters or more (`openssl rand -base64 32`)',
    )
  }
  if (env.SMTP_URL && !env.BETTER_AUTH_URL) {
    // the address of a request is its sender's choice: a letter would lead to any site
    throw new EnvError(
      'BETTER_AUTH_URL is missing: with SMTP_URL, set it to the public address of this server, to which the links of letters lead',
    )
  }
  if (env.DATABASE_URL_UNPOOLED && !env.DATABASE_URL) {
    throw new EnvError(
      'DATABASE_URL is missing: DATABASE_URL_UNPOOLED is a second way to the same database, so set both or neither',
    )
  }
  if (env.RAMIFY_MAIL_FROM && !env.SMTP_URL) {
    throw new EnvError(
      'SMTP_URL is missing: RAMIFY_MAIL_FROM names the sender of mail that nothing would send, so set both or neither',
    )
  }
  for (const name of ['GITHUB', 'GOOGLE'] as const) {
    const [id, secret] = [env[`${name}_CLIENT_ID`], env[`${name}_CLIENT_SECRET`]]
    if ((id === undefined) !== (secret === undefined)) {
      throw new EnvError(
        `${name}_CLIENT_${id === undefined ? 'ID' : 'SECRET'} is missing: signing in with ${name === 'GITHUB' ? 'GitHub' : 'Google'} needs both the id and the secret`,
      )
    }
  }
  return env
}
