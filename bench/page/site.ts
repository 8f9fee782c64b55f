import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DrizzleContextStore } from '@/lib/store'
import { AppServer } from '@/testing/machines/app-server'
import { freePort } from '@/testing/machines/free-port'

/** A production server with a database of its own, and a person signed in to it. */
export interface Site {
  baseURL: string
  /** what the browser of the person who owns the seeded chats sends */
  cookies: { name: string; value: string; url: string }[]
  close(): Promise<void>
}

/**
 * Serves the last build. The owner signs in first; then the server stops while the store is seeded, since an embedded
 * database is open in one process at a time.
 */
export async function openSite(
  seed: (store: DrizzleContextStore, ownerId: string) => Promise<void>,
): Promise<Site> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'ramify-perf-'))
  const server = new AppServer(await freePort(), {
    ...process.env,
    NODE_ENV: 'production',
    DATABASE_URL: '',
    RAMIFY_DATA_DIR: dataDir,
    RAMIFY_DEFAULT_MODEL: 'demo:demo',
    RAMIFY_DEMO_DELAY_MS: '20',
    RAMIFY_RATE_LIMIT: 'off',
    BETTER_AUTH_SECRET: 'a-secret-for-end-to-end-tests-and-nothing-else',
  })
  await server.start()
  const { ownerId, cookies } = await signIn(server.url)
  await server.stop()

  const store = await DrizzleContextStore.open({ dataDir })
  await seed(store, ownerId)
  await store.database.query('analyze')
  await store.close()

  await server.start()
  return {
    baseURL: server.url,
    cookies,
    async close() {
      await server.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function signIn(baseURL: string) {
  const response = await fetch(`${baseURL}/api/auth/sign-in/anonymous`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: baseURL },
    body: '{}',
  })
  const { user } = (await response.json()) as { user: { id: string } }
  const cookies = response.headers.getSetCookie().map((line) => {
    const [pair = ''] = line.split(';', 1)
    const at = pair.indexOf('=')
    return { name: pair.slice(0, at), value: pair.slice(at + 1), url: baseURL }
  })
  return { ownerId: user.id, cookies }
}
