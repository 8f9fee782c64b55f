import { providerVariables } from '@/lib/ai/catalogue/providers'
import type { Database } from '@/lib/db'
import { forgetPerson } from '@/lib/store'

type Source = Readonly<Record<string, string | undefined>>

/** The time for which a demo keeps a guest's chats. */
const KEPT = '1 hour'
/** Guests that one call deletes at most. */
const AT_ONCE = 50

/** Limits of a demo, unless the operator sets others. */
const limits: Source = {
  RAMIFY_CALL_LIMIT: '60',
  RAMIFY_REPLIES_PER_PERSON: '4',
  RAMIFY_FILE_LIMIT_MB: '2',
  RAMIFY_IMPORT_LIMIT_MB: '5',
  RAMIFY_QUOTA_KEYS: '5',
  RAMIFY_QUOTA_STREAMS: '20',
  RAMIFY_QUOTA_CHATS: '50',
  RAMIFY_QUOTA_BRANCHES: '200',
  RAMIFY_QUOTA_BYTES: '20000000',
  RAMIFY_QUOTA_MESSAGES: '500',
  RAMIFY_QUOTA_CALLS: '500',
  RAMIFY_QUOTA_ADDRESS_GUESTS: '50',
}

/** Settings that make a demo: guests alone, and the demo model alone. */
const fixed: Source = {
  RAMIFY_PERSONAL: 'off',
  RAMIFY_GUESTS: 'on',
  RAMIFY_LOCAL_MODELS: 'off',
  RAMIFY_PRIVATE_ADDRESSES: 'off',
  RAMIFY_DEFAULT_MODEL: 'demo:demo',
  ...Object.fromEntries(
    [
      ...providerVariables,
      ...['OPENAI_COMPATIBLE_BASE_URL', 'OPENAI_COMPATIBLE_MODELS', 'RAMIFY_MODELS_FILE'],
      ...['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET', 'GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
    ].map((name) => [name, undefined]),
  ),
}

/** The settings of a server: with `RAMIFY_DEMO=on` those of a demo, else as they are given. */
export const settingsOf = (source: Source): Source =>
  source.RAMIFY_DEMO === 'on' ? { ...limits, ...source, ...fixed } : source

/** `fetch` for addresses that people give: a demo asks no other server. */
export const reachNothing: typeof globalThis.fetch = async () => {
  throw new TypeError('A demo asks no other server')
}

/** Deletes guests an hour after they came, with all that they wrote. Returns how many; accounts stay. */
export async function forgetDemoGuests(database: Database): Promise<number> {
  const due = await database.query<{ id: string }>(
    `select id from "user" where is_anonymous and gone_at is null
      and created_at < clock_timestamp() - interval '${KEPT}' order by created_at limit $1`,
    [AT_ONCE],
  )
  for (const { id } of due) await forgetPerson(database, id)
  return due.length
}
