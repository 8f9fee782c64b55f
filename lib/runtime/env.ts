import { z } from 'zod'
import { quotas } from './limits.ts'

/** A setting that the process cannot start with; the message is one line that names the variable. */
export class EnvError extends Error {
  override readonly name = 'EnvError'
}

const onOff = z.enum(['on', 'off']).default('on')
const whole = (fallback: number, min: number, max: number) =>
  z.coerce.number('must be a number').int('must be a whole number').min(min).max(max).default(fallback)
const postgresUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, 'must begin with postgres:// or postgresql://')
  .optional()

/** A limit: a whole number, or `off`. Absent, its default holds (`limitsOf`). */
const limit = z
  .union([z.literal('off'), z.coerce.number().int().min(0)], 'must be "off" or a whole number')
  .optional()

const quotaSettings = Object.fromEntries(
  Object.values(quotas).map(([setting]) => [setting, limit]),
) as Record<(typeof quotas)[keyof typeof quotas][0], typeof limit>

const schema = z.object({
  HOST: z.string().default('localhost'),
  PORT: whole(3000, 0, 65_535),
  RAMIFY_TRUSTED_PROXIES: z.string().optional(),
  RAMIFY_SECURITY_CONTACT: z
    .string()
    .regex(/^(mailto:|https:\/\/|tel:)[^\s]+$/, 'must be an address like mailto:security@example.org')
    .optional(),
  RAMIFY_REPLIES_PER_PERSON: limit,
  RAMIFY_REPLIES_PER_SERVER: limit,
  RAMIFY_READ_LIMIT: limit,
  RAMIFY_SIGN_IN_LIMIT: limit,
  RAMIFY_QUOTA_KEYS: limit,
  RAMIFY_QUOTA_STREAMS: limit,
  RAMIFY_QUOTA_ADDRESS_STREAMS: limit,
  ...quotaSettings,
  OTEL_EXPORTER_OTLP_ENDPOINT: z.string().optional(),
  DATABASE_URL: postgresUrl,
  DATABASE_URL_UNPOOLED: postgresUrl,
  DATABASE_PREPARE: onOff,
  RAMIFY_DATA_DIR: z.string().default('.data'),
  RAMIFY_WORKER: onOff,
  RAMIFY_LOCAL_MODELS: z.enum(['on', 'off']).optional(),
  RAMIFY_PRIVATE_ADDRESSES: z.enum(['on', 'off']).optional(),
  RAMIFY_TITLES: z.enum(['model', 'words']).default('model'),
  RAMIFY_LEASE_MS: whole(30_000, 300, 3_600_000),
  RAMIFY_TOOL_MS: whole(60_000, 100, 600_000),
  RAMIFY_RATE_LIMIT: z
    .union([z.literal('off'), z.coerce.number().int().positive()], 'must be "off" or a whole number')
    .default(120),
  /** in MB of 1024 × 1024 bytes; a request to a model holds 50 of them at most */
  RAMIFY_FILE_LIMIT_MB: whole(20, 1, 50),
  /** whether a visitor may write without an account */
  RAMIFY_GUESTS: onOff,
  /** where the source of this server can be read */
  RAMIFY_SOURCE_URL: z
    .string()
    .regex(/^https?:\/\/[^\s]+$/, 'must be an address like https://example.org/ramify')
    .optional(),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/[^/]+/, 'must be an address like smtps://user:password@mail.example.org')
    .refine((value) => URL.canParse(value), 'must be an address like smtps://user:password@mail.example.org')
    .optional(),
  /** the sender of the server's mail; without it `ramify@` and the host of BETTER_AUTH_URL */
  RAMIFY_MAIL_FROM: z.string().max(200).optional(),
  GITHUB_CLIENT_ID: z.string().optional(),
  GITHUB_CLIENT_SECRET: z.string().optional(),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  /** in MB; `importBytesOf` has the default */
  RAMIFY_IMPORT_LIMIT_MB: z.coerce.number('must be a number').int().min(1).max(100_000).optional(),
  CRON_SECRET: z.string().min(16, 'must have 16 characters or more').optional(),
  BETTER_AUTH_SECRET: z.string().min(32, 'must have 32 characters or more').optional(),
  BETTER_AUTH_URL: z
    .string()
    .regex(/^https?:\/\/[^/]+/, 'must be an address like https://chat.example.org')
    .refine((value) => URL.canParse(value), 'must be an address like https://chat.example.org')
    .optional(),
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
