import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { repoRoot } from '@/testing/runner/repo-root'
import { freePort } from './free-port'

/** One production server to run every spec against. */
export type E2eServer = {
  name: 'pglite' | 'postgres'
  baseURL: string
  command: string
  env: Record<string, string>
}

/**
 * The servers of this run: on PGlite always, on Postgres when `E2E_DATABASE_URL` names an empty database.
 * Playwright reads its config in the runner and again in every worker, so ports and folders are chosen
 * once and travel by environment.
 */
export async function e2eServers(): Promise<E2eServer[]> {
  const url = process.env.E2E_DATABASE_URL
  const servers = [await e2eServer('pglite', '')]
  if (url) servers.push(await e2eServer('postgres', url))
  return servers
}

async function e2eServer(name: E2eServer['name'], databaseUrl: string): Promise<E2eServer> {
  const port = await once(`E2E_${name}_PORT`, async () => String(await freePort()))
  // a spec starts its scripted provider there
  const providerPort = await once(`E2E_${name}_PROVIDER_PORT`, async () => String(await freePort()))
  const folder = await once(`E2E_${name}_DIR`, () => ownFolder(name))
  const run = path.join(repoRoot, 'lib/runtime/cli/run.mjs')
  return {
    name,
    baseURL: `http://127.0.0.1:${port}`,
    command: `"${process.execPath}" "${run}" serve -H 127.0.0.1 -p ${port}`,
    env: {
      NODE_ENV: 'production',
      PORT: port,
      // Empty, not absent: an absent name would be read from a developer's .env.local.
      DATABASE_URL: databaseUrl,
      DATABASE_URL_UNPOOLED: '',
      RAMIFY_DATA_DIR: folder,
      // specs are many people on this machine
      RAMIFY_PERSONAL: 'off',
      RAMIFY_DEFAULT_MODEL: 'demo:demo',
      OPENAI_COMPATIBLE_BASE_URL: `http://127.0.0.1:${providerPort}/v1`,
      OPENAI_COMPATIBLE_MODELS: 'scripted',
      RAMIFY_TITLES: 'words',
      RAMIFY_LOCAL_MODELS: 'off',
      // specs save keys for a provider of theirs
      RAMIFY_PRIVATE_ADDRESSES: 'on',
      // Slow enough to watch a reply stream, and to stop one.
      RAMIFY_DEMO_DELAY_MS: '2',
      RAMIFY_RATE_LIMIT: 'off',
      BETTER_AUTH_SECRET: 'a-secret-for-end-to-end-tests-and-nothing-else',
    },
  }
}

/** A value made by the first process that asks; its children find it in their environment. */
async function once(variable: string, make: () => string | Promise<string>): Promise<string> {
  const value = process.env[variable] ?? (await make())
  process.env[variable] = value
  return value
}

/** A folder that is removed when this process ends: by then the servers have stopped. */
function ownFolder(name: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), `ramify-e2e-${name}-`))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
