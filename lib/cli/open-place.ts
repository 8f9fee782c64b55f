import { chatPage } from '@/lib/protocol/chat-list'
import { isLoopback } from '@/lib/runtime/front/own-machine'
import { ApiClient, keyMissing } from './backs/api-client'
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
    const key = env.RAMIFY_API_KEY || undefined
    // the server of this machine may be its owner's, who needs no key
    if (!key && !isLoopback(new URL(origin).hostname)) throw new CommandError(keyMissing(origin))
    return new Session(new RemoteChats(new ApiClient(origin, key)), heads, { key: `server:${origin}`, chat })
  }
  // the database's code is for a folder alone
  const { FolderServedError, keyOfLocal, openLocal } = await import('./backs/open-local')
  const key = keyOfLocal(env)
  const place = env.DATABASE_URL ? 'the database' : `the folder ${env.RAMIFY_DATA_DIR || '.data'}`
  const head = heads.read(key)
  const opened = await openLocal(env, {
    place,
    person: as,
    formerPerson: head.person,
    tell: (line) => stderr.write(`${plain(line)}\n`),
  }).catch(async (error: unknown) => {
    const served =
      error instanceof FolderServedError && as === undefined ? await ownersServer(error) : undefined
    if (!served) throw error
    return served
  })
  // the same chats, and so the same current one
  if (opened instanceof ApiClient) return new Session(new RemoteChats(opened), heads, { key, chat })
  const { chats, person } = opened
  // another person's current chat is not this one's
  if (as !== undefined && head.person !== person) heads.write(key, { person })
  return new Session(chats, heads, { key, chat })
}

/** The server that has the folder, if it is its owner's and asks for no key. */
async function ownersServer({ address }: { address: string }): Promise<ApiClient | undefined> {
  const api = new ApiClient(address)
  try {
    await api.json('GET', '/api/chats', chatPage, { query: { limit: 1 } })
    return api
  } catch (error) {
    // it asks for a key, or does not answer: the words about the folder contain the advice
    if (error instanceof CommandError) return undefined
    throw error
  }
}

/** The address of a server without a slash at its end. @throws UsageError for any other text */
export function originOf(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError(`“${address}” is not the address of a server, like http://localhost:3000.`)
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}
