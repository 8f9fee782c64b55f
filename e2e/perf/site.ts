import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DrizzleContextStore } from '@/lib/store'
import { freePort } from '@/testing/machines/free-port'
import { repoRoot } from '@/testing/runner/repo-root'

/** A production server with a database of its own, and a person signed in to it. */
export interface Site {
  baseURL: string
  /** what the browser of the person who owns the seeded chats sends */
  cookies: { name: string; value: string; url: string }[]
  close(): Promise<void>
}

/**
 * Builds nothing: serves what `next build` left. The owner signs in first, then the server makes room for the store to
 * be seeded, since an embedded database is open in one process at a time.
 */
export async function openSite(
  seed: (store: DrizzleContextStore, ownerId: string) => Promise<void>,
): Promise<Site> {
  const port = await freePort()
  const dataDir = mkdtempSync(path.join(tmpdir(), 'ramify-perf-'))
  const baseURL = `http://127.0.0.1:${port}`

  let server = await startServer(port, dataDir, baseURL)
  const { ownerId, cookies } = await signIn(baseURL)
  await stopServer(server)

  const store = await DrizzleContextStore.open({ dataDir })
  await seed(store, ownerId)
  await store.database.query('analyze')
  await store.close()

  server = await startServer(port, dataDir, baseURL)
  return {
    baseURL,
    cookies,
    async close() {
      await stopServer(server)
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function startServer(port: number, dataDir: string, baseURL: string): Promise<ChildProcess> {
  const serve = path.join(repoRoot, 'lib/runtime/cli/serve.ts')
  const server = spawn(process.execPath, [serve, '-H', '127.0.0.1', '-p', String(port)], {
    cwd: repoRoot,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      DATABASE_URL: '',
      RAMIFY_DATA_DIR: dataDir,
      RAMIFY_DEFAULT_MODEL: 'demo:demo',
      RAMIFY_DEMO_DELAY_MS: '20',
      RAMIFY_RATE_LIMIT: 'off',
      BETTER_AUTH_SECRET: 'a-secret-for-end-to-end-tests-and-nothing-else',
    },
  })
  const deadline = Date.now() + 60_000
  while (!(await isUp(baseURL))) {
    if (server.exitCode !== null) throw new Error(`The server ended with ${server.exitCode}`)
    if (Date.now() > deadline) throw new Error('The server did not come up within a minute')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return server
}

const isUp = (baseURL: string): Promise<boolean> =>
  fetch(`${baseURL}/api/health`).then(
    (response) => response.ok,
    () => false,
  )

async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return
  const ended = once(server, 'exit')
  server.kill('SIGTERM')
  await ended
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
