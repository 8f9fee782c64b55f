import { NotFoundError } from '@/lib/context'
import type { Ports } from '@/lib/conversations'
import { newId } from '@/lib/events'
import type { AddedRemote, Exchanged, ExchangeVerb, Remote, RemoteState } from '@/lib/protocol'
import type { Remotes, StoredRemote } from '@/lib/store'
import { isLoopback } from '../front/own-machine'
import { exchangeWith, stateWith } from './exchange-with'
import { HttpRemote } from './http-remote'
import { RemoteApi } from './remote-api'
import { RemoteError } from './remote-error'

interface Options {
  /** reaches the addresses that people give */
  fetch: typeof globalThis.fetch
  /** tells keys that this server has made */
  isOwnKey(key: string): Promise<boolean>
}

/** A remote to be added, as a person gives it. */
export interface GivenRemote {
  name: string
  url: string
  key: string | undefined
}

/** A chat of a person, and the remote that it is exchanged with. */
interface ExchangeWish {
  ownerId: string
  /** the owner's id for the chat */
  chatId: string
  /** the remote's name */
  name: string
  /** the branch; all by default */
  branch?: string | undefined
  signal?: AbortSignal | undefined
}

/** Each person's other servers. Their errors are `RemoteError`s, in words for the person. */
export class PersonalRemotes {
  constructor(
    private readonly stored: Remotes,
    private readonly options: Options,
  ) {}

  /** A person's remotes, by name. */
  async of(ownerId: string): Promise<Remote[]> {
    return (await this.stored.of(ownerId)).map(encoded)
  }

  /**
   * Asks the other server whether it is a Ramify server that takes the key, and adds it.
   *
   * @param options.here the addresses of this server: none of them may be a remote
   * @returns undefined when the owner does not exist (any more)
   * @throws RemoteError, NameTakenError, TooManyRemotesError
   */
  async add(
    ownerId: string,
    given: GivenRemote,
    { here = [], signal }: { here?: readonly string[]; signal?: AbortSignal } = {},
  ): Promise<AddedRemote | undefined> {
    const { name, key } = given
    const url = baseOf(given.url)
    if (here.some((address) => isSamePlace(url, address)) || (key && (await this.options.isOwnKey(key))))
      throw new RemoteError(
        'remote_is_this',
        `${name} would be this server itself. A remote is another server: give its address, and a key that was made there.`,
      )
    const { writes } = await new RemoteApi({ name, url, key }, this.options.fetch).about(signal)
    const remote = await this.stored.add(ownerId, { id: newId(), name, url, key })
    return remote && { ...encoded(remote), writes }
  }

  remove(ownerId: string, name: string): Promise<void> {
    return this.stored.remove(ownerId, name)
  }

  /**
   * Has this server talk to a remote about a chat.
   *
   * @param ports those of the request
   * @throws NotFoundError for a remote or a chat that is not the person's, RemoteError, and the errors of the use cases
   */
  async exchange(
    ports: Ports,
    verb: ExchangeVerb,
    { name, signal, ...wish }: ExchangeWish,
  ): Promise<Exchanged> {
    const { remote, api } = await this.#open(wish.ownerId, name)
    return exchangeWith(ports, verb, { ...wish, remote, server: new HttpRemote(api, signal) })
  }

  /** The standing of a chat to a remote, as of the last exchange: no server is asked. */
  async state(
    ports: Ports,
    { name, ...chat }: Omit<ExchangeWish, 'branch' | 'signal'>,
  ): Promise<RemoteState> {
    return stateWith(ports, { ...chat, remote: await this.#named(chat.ownerId, name) })
  }

  /** The API of a remote. @throws NotFoundError for a name that the person has not given, RemoteError for a key that cannot be read */
  async #open(ownerId: string, name: string): Promise<{ remote: StoredRemote; api: RemoteApi }> {
    const remote = await this.#named(ownerId, name)
    if (!remote.isReadable)
      throw new RemoteError(
        'key_refused',
        `The key of ${remote.name} can no longer be read, because this server’s secret has changed. Remove the remote and add it again.`,
      )
    return { remote, api: new RemoteApi(remote, this.options.fetch) }
  }

  async #named(ownerId: string, name: string): Promise<StoredRemote> {
    const all = await this.stored.of(ownerId)
    const remote = all.find((one) => one.name.toLowerCase() === name.toLowerCase())
    if (!remote) throw new NotFoundError('remote', name)
    return remote
  }
}

/** A remote as its owner gets it. */
const encoded = ({ name, url, hasKey, isReadable, createdAt }: StoredRemote): Remote => ({
  name,
  url,
  has_key: hasKey,
  readable: isReadable,
  created_at: new Date(createdAt).toISOString(),
})

/** The address of a server without a slash at its end. */
const baseOf = (address: string): string => {
  const { origin, pathname } = new URL(address)
  return `${origin}${pathname.replace(/\/+$/, '')}`
}

/** Tells whether two addresses are one; this machine has several names. */
function isSamePlace(one: string, other: string): boolean {
  const [a, b] = [new URL(one), new URL(other)]
  if (a.origin === b.origin) return true
  return isLoopback(a.hostname) && isLoopback(b.hostname) && portOf(a) === portOf(b)
}

const portOf = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80')
