import { ApiClient } from './backs/api-client'
import { RemoteChats } from './backs/remote-chats'
import { plain } from './draw/plain'
import { CommandError, UsageError } from './errors'
import type { OpenPlace } from './run-cli'
import { Session } from './session'

/**
 * The server that `--server` or `RAMIFY_SERVER` names, else the data folder, or the Postgres, of the environment.
 *
 * @throws UsageError for an address that is none; CommandError for a server without a key, and of `openLocal`
 */
export const openPlace: OpenPlace = async ({ env, stderr }, { server, chat, as }, heads) => {
  const address = server ?? (env.RAMIFY_SERVER || undefined)
  if (address !== undefined) {
    if (as !== undefined)
      throw new UsageError('--as is for a folder: on a server, the key says whose chats are meant.')
    const origin = originOf(address)
    const key = env.RAMIFY_API_KEY
    if (!key) {
      throw new CommandError(`RAMIFY_API_KEY is missing: make a key at ${origin}/settings/keys, and set it.`)
    }
    return new Session(new RemoteChats(new ApiClient(origin, key)), heads, { key: `server:${origin}`, chat })
  }
  // the database's code is for a folder alone
  const { keyOfLocal, openLocal } = await import('./backs/open-local')
  const key = keyOfLocal(env)
  const place = env.DATABASE_URL ? 'the database' : `the folder ${env.RAMIFY_DATA_DIR || '.data'}`
  const head = heads.read(key)
  const { chats, person } = await openLocal(env, {
    ...{ place, person: as ?? head.person },
    tell: (line) => stderr.write(`${plain(line)}\n`),
  })
  // another person's current chat is not this one's
  if (as !== undefined && head.person !== person) heads.write(key, { person })
  return new Session(chats, heads, { key, chat })
}

function originOf(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError(`“${address}” is not the address of a server, like http://localhost:3000.`)
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}
