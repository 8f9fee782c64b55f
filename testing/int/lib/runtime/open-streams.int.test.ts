import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Database, schema } from '@/lib/db'
import { newId } from '@/lib/events'
import { OpenStreams } from '@/lib/runtime/open-streams'
import { ApiKeys, type Credential, DrizzleContextStore, heldCredentials } from '@/lib/store'
import { type OpenedStore, onSharedDatabase } from '@/testing/worlds/open-stores'

/** Within this time a stream ends, wherever what it was opened with has ended, in ms. */
const A_SECOND = 1000

onSharedDatabase('open streams', ({ name, open }) => {
  let opened: OpenedStore
  let elsewhere: DrizzleContextStore | undefined
  beforeAll(async () => {
    opened = await open()
    // another process; the embedded database has none
    if (name === 'postgres' && opened.url) elsewhere = await DrizzleContextStore.open({ url: opened.url })
  })
  afterAll(async () => {
    await elsewhere?.close()
    await opened?.close()
  })

  const here = () => opened.store.database
  const there = (): Database => (elsewhere ?? opened.store).database

  const person = async () => {
    const id = newId()
    await here()
      .orm.insert(schema.user)
      .values({ id, name: id, email: `${id}@example.org` })
    return id
  }
  const session = async (userId: string): Promise<Credential> => {
    const id = newId()
    const expiresAt = new Date(Date.now() + 60_000)
    await here().orm.insert(schema.session).values({ id, token: id, userId, expiresAt })
    return { kind: 'session', id }
  }
  const key = async (userId: string, lastsMs?: number): Promise<Credential> => {
    const id = newId()
    const expiresAt = lastsMs === undefined ? null : Date.now() + lastsMs
    await new ApiKeys(here()).create(userId, { id, name: 'script', expiresAt })
    return { kind: 'key', id }
  }
  const process = () =>
    new OpenStreams({
      limits: { perPerson: 100, perAddress: 100 },
      held: (credentials) => heldCredentials(here(), credentials),
      logError: (what, error) => {
        throw new Error(what, { cause: error })
      },
    })
  /** Opens a stream; resolves with when it ended. */
  const stream = (streams: OpenStreams, personId: string, credential: Credential) =>
    new Promise<number>((resolve) => {
      const leave = streams.enter({ personId, address: '10.0.0.1', credential }, () => {
        leave()
        resolve(performance.now())
      })
    })

  it.each([
    ['a session is ended', session, (id: string) => ['delete from session where id = $1', id]],
    [
      'a session expires',
      session,
      (id: string) => ['update session set expires_at = now() where id = $1', id],
    ],
    ['a key is revoked', key, (id: string) => ['delete from api_keys where id = $1', id]],
  ] as const)(
    'when %s in another process, then its streams here end within a second',
    async (_what, make, ending) => {
      const ada = await person()
      const credential = await make(ada)
      const streams = process()
      const ends = [stream(streams, ada, credential), stream(streams, ada, credential)]
      const [sql, id] = ending(credential.id)
      const begun = performance.now()
      await there().query(sql ?? '', [id])
      for (const at of await Promise.all(ends)) expect(at - begun).toBeLessThan(A_SECOND)
      streams.close()
    },
  )

  it('when an account is deleted, then the streams of its sessions and keys end within a second, and no others', async () => {
    const [ada, bea] = [await person(), await person()]
    const streams = process()
    const ends = [stream(streams, ada, await session(ada)), stream(streams, ada, await key(ada))]
    let others = 0
    void stream(streams, bea, await session(bea)).then(() => others++)
    const begun = performance.now()
    await there().query('delete from "user" where id = $1', [ada])
    for (const at of await Promise.all(ends)) expect(at - begun).toBeLessThan(A_SECOND)
    expect(others).toBe(0)
    streams.close()
  })

  it('when a key reaches its end, then its streams end within a second', async () => {
    const ada = await person()
    const streams = process()
    const credential = await key(ada, 300)
    const until = performance.now() + 300
    expect((await stream(streams, ada, credential)) - until).toBeLessThan(A_SECOND)
    streams.close()
  })

  it('when this process has ended a session itself, then asking at once ends its streams at once', async () => {
    const ada = await person()
    const credential = await session(ada)
    const streams = new OpenStreams({
      limits: { perPerson: 100, perAddress: 100 },
      held: (credentials) => heldCredentials(here(), credentials),
      logError: () => undefined,
      everyMs: 3_600_000,
    })
    const end = stream(streams, ada, credential)
    await here().query('delete from session where id = $1', [credential.id])
    await streams.endRevoked()
    await end
    streams.close()
  })
})
