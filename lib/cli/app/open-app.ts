import { setFlagsFromString } from 'node:v8'
import { serverOf } from '@/lib/runtime/folder-control'
import { plain } from '../draw/plain'
import { answering, freePort } from '../run/own-server'
import type { World } from '../terminal'
import { openBrowser } from './open-browser'

/** Options of `ramify` without a command. */
export interface AppOptions {
  port: string | undefined
  'no-open': boolean | undefined
}

/**
 * Starts the app in this process, which serves it until it is stopped, and opens it in the browser for a
 * person at the terminal. When a server already has the data folder, it opens that server.
 */
export async function openApp({ env, stdout, onInterrupt }: World, options: AppOptions): Promise<void> {
  const say = (line: string) => stdout.write(`${plain(line)}\n`)
  const show = (url: string) => {
    if (options['no-open'] || !stdout.isTTY) return
    openBrowser(url, () => say(`No browser could be opened. The app is at ${url}`))
  }
  const dataDir = env.RAMIFY_DATA_DIR || '.data'
  say(env.DATABASE_URL ? 'Ramify keeps its data in the database.' : `Ramify keeps its data in ${dataDir}`)
  const running = env.DATABASE_URL ? undefined : await answering(serverOf(dataDir))
  if (running !== undefined) {
    say(`Ramify is running already, at ${running}`)
    return show(running)
  }
  // a command ends before V8 has compiled the embedded database's hottest code once more; a server does not
  for (const flag of ['--wasm-tier-up', '--wasm-dynamic-tiering']) setFlagsFromString(flag)
  // the server answers the first Ctrl-C itself
  onInterrupt(() => undefined, { patient: true })
  const port = options.port ?? (env.PORT || String(await freePort(3000)))
  const { run } = await import('@/lib/runtime/cli/serve')
  const address = await run(process.cwd(), ['--port', port])
  if (address !== undefined) show(address)
}
