import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Database, schema } from '@/lib/db'
import { newId } from '@/lib/events'
import { OpenStreams } from '@/lib/runtime/open-streams'
import { ApiKeys, type Credential, DrizzleContextStore, heldCredentials } from '@/lib/store'
import { type OpenedStore, onServedDatabase } from '@/testing/worlds/open-stores'
import { addPerson } from '@/testing/worlds/turn-world'

/** Within this time a stream ends, wherever what it was opened with has ended, in ms. */
const A_SECOND = 1000

onServedDatabase('open streams', ({ name, open }) => {
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
  const process = (everyMs?: number) =>
    new OpenStreams({
      limits: { perPerson: 100, perAddress: 100 },
      held: (credentials) => heldCredentials(here(), credentials),
      logError: (what, error) => {
        throw new Error(what, { cause: error })
      },
      ...(everyMs && { everyMs }),
    })
  /** Opens a stream; resolves with when it ended. */
  const stream = (streams: OpenStreams, personId: string, credential: Credential) =>
    new Promise<number>((resolve) => {
      const leave = streams.enter({ personId, address: '10.0.0.1', credential }, () => {
        leave()
        resolve(performance.now())
      })
    })

  it('when what they were opened with ends in another process, in any way, then streams here end within a second, and no others', async () => {
    const [ada, bea, gone] = await Promise.all([1, 2, 3].map(() => addPerson({ database: here() })))
    if (!ada || !bea || !gone) throw new Error('No person')
    const made = {
      ended: await session(ada),
      expired: await session(ada),
      revoked: await key(ada),
      session: await session(gone),
      key: await key(gone),
    }
    const streams = process()
    const others = { session: await session(bea), key: await key(bea) }
    let left = 0
    for (const credential of Object.values(others)) void stream(streams, bea, credential).then(() => left++)
    const ends = Object.values(made).flatMap((credential) => [
      stream(streams, ada, credential),
      stream(streams, ada, credential),
    ])
    const begun = performance.now()
    const sql = there()
    await Promise.all([
      sql.query('delete from session where id = $1', [made.ended.id]),
      sql.query('update session set expires_at = now() where id = $1', [made.expired.id]),
      sql.query('delete from api_keys where id = $1', [made.revoked.id]),
      sql.query('delete from "user" where id = $1', [gone]),
    ])
    for (const at of await Promise.all(ends)) expect(at - begun).toBeLessThan(A_SECOND)
    expect(left).toBe(0)

    // when a key reaches its end
    const until = performance.now() + 300
    const short = await key(bea, 300)
    expect((await stream(streams, bea, short)) - until).toBeLessThan(A_SECOND)
    expect(left).toBe(0)
    streams.close()
  })

  it('when this process has ended a session itself, then asking at once ends its streams at once', async () => {
    const ada = await addPerson({ database: here() })
    const credential = await session(ada)
    const streams = process(3_600_000)
    const end = stream(streams, ada, credential)
    await here().query('delete from session where id = $1', [credential.id])
    await streams.endRevoked()
    await end
    streams.close()
  })
})
