import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { repoRoot } from '@/testing/runner/repo-root'
import { AppServer } from './app-server'
import { createDatabase } from './create-database'
import { freePort } from './free-port'
import { startPgBouncer } from './pgbouncer'
import { startPostgres } from './postgres-cluster'

export interface ClusterOptions {
  /** how many servers, default 3 */
  instances?: number
  /** connections of the pooler to the database, default 10, however many servers share them */
  poolSize?: number
  /** added to every server's environment, over what the cluster sets itself */
  env?: Record<string, string>
}

export interface Cluster {
  /** where the servers answer, in order; the same after a restart */
  urls: string[]
  /** the database they share, around the pooler */
  databaseUrl: string
  /** Sends a signal (default `SIGKILL`) to a server. Resolves when it has ended; at once for `SIGSTOP` and `SIGCONT`. */
  kill(index: number, signal?: NodeJS.Signals): Promise<void>
  /** Starts a server again, on its port and with its folder; one that still runs is killed first. */
  restart(index: number): Promise<void>
  /** Ends everything and removes what it kept. May be repeated. */
  stop(): Promise<void>
}

/** Several servers of this checkout’s build over one throwaway Postgres, through one PgBouncer. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  if (!existsSync(path.join(repoRoot, '.next/BUILD_ID')))
    throw new Error(`There is no production build in ${repoRoot}: run \`npm run build\` first.`)
  const cleanups: (() => Promise<void> | void)[] = []
  const stop = async () => {
    for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp()
  }
  try {
    return { ...(await start(options, cleanups)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function start(
  { instances: count = 3, poolSize = 10, env = {} }: ClusterOptions,
  cleanups: (() => Promise<void> | void)[],
): Promise<Omit<Cluster, 'stop'>> {
  const server = await startPostgres()
  if ('skipped' in server) throw new Error(`A cluster needs Postgres: ${server.skipped}`)
  cleanups.push(server.stop)
  const database = await createDatabase(server.url)
  cleanups.push(database.drop)
  const pooler = await startPgBouncer(database.url, { poolSize })
  if ('skipped' in pooler) throw new Error(`A cluster needs a pooler: ${pooler.skipped}`)
  cleanups.push(pooler.stop)

  const folder = mkdtempSync(path.join(tmpdir(), 'ramify-cluster-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  cleanups.push(remove)
  // for a process that ends without stopping it
  process.once('exit', remove)
  const shared = {
    ...process.env,
    NODE_ENV: 'production' as const,
    DATABASE_URL: pooler.url,
    DATABASE_URL_UNPOOLED: database.url,
    DATABASE_PREPARE: 'off',
    BETTER_AUTH_SECRET: randomBytes(32).toString('base64url'),
    // empty, not absent: an absent name would be read from a developer's .env.local
    BETTER_AUTH_URL: '',
    RAMIFY_RATE_LIMIT: 'off',
    RAMIFY_DEFAULT_MODEL: 'demo:demo',
    ...env,
  }
  const instances: AppServer[] = []
  for (let index = 0; index < count; index++) {
    const own = { RAMIFY_DATA_DIR: path.join(folder, `data-${index}`) }
    instances.push(new AppServer(await freePort(), { ...shared, ...own }))
  }
  cleanups.push(async () => {
    await Promise.all(instances.map((instance) => instance.stop()))
  })
  await Promise.all(instances.map((instance) => instance.start()))

  const at = (index: number): AppServer => {
    const instance = instances[index]
    if (!instance) throw new RangeError(`There is no server ${index}: the cluster has ${count}`)
    return instance
  }
  return {
    urls: instances.map(({ url }) => url),
    databaseUrl: database.url,
    kill: async (index, signal = 'SIGKILL') => at(index).kill(signal),
    restart: async (index) => at(index).start(),
  }
}
