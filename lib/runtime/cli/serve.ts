import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { isIPv6 } from 'node:net'
import path from 'node:path'
import { providerVariables } from '../../ai/catalogue/providers.ts'
import { type Env, readEnv } from '../env.ts'
import { createFront, type FrontHandler, type FrontOptions } from '../front/front.ts'
import { keepFiles } from '../front/kept-files.ts'
import { type Listening, listen } from '../front/listen.ts'
import { announceFront } from '../front/request-origin.ts'
import { openKeyWarning, readServeOptions, type ServeOptions } from '../front/serve-options.ts'
import { readTrustedProxies } from '../front/trusted-proxies.ts'

// `npm start`: the app behind its own HTTP server. `npm run dev` (`--dev`): the framework's development server, on
// localhost as well.

const began = performance.now()

/** The framework's reader of `.env` files. */
type EnvFiles = typeof import('@next/env')

/**
 * Resolves to the address of the server once it answers; to undefined for one of development.
 *
 * @param dir the folder of the package, which the framework is found from
 */
export async function run(dir: string, args = process.argv.slice(2)): Promise<string | undefined> {
  try {
    return await serve(dir, args)
  } catch (error) {
    console.error(`[ramify] cannot start: ${error instanceof Error ? error.message : String(error)}`)
    process.exit(1)
  }
}

async function serve(dir: string, args: string[]): Promise<string | undefined> {
  const require = createRequire(path.join(dir, 'package.json'))
  const dev = args.includes('--dev')
  // as the framework's own commands set them; it reads them while it loads
  Object.assign(process.env, {
    NODE_ENV: process.env.NODE_ENV || (dev ? 'development' : 'production'),
    NEXT_RUNTIME: 'nodejs',
    // the framework would tell its makers of each start
    NEXT_TELEMETRY_DISABLED: '1',
    NEXT_PRIVATE_START_TIME: String(Date.now()),
  })
  const files: EnvFiles = createRequire(require.resolve('next/package.json'))('@next/env')
  const source = readSettings(files, dir, dev)
  const env = readEnv(source)
  const options = readServeOptions(args, env)
  const proxies = readTrustedProxies(env.RAMIFY_TRUSTED_PROXIES)
  const warning = openKeyWarning(options.hostname, env, source, providerVariables)
  if (warning) console.warn(`[ramify] ${warning}`)
  // also when chosen by an option or by default: the server's offers depend on who reaches it
  process.env.HOST = options.hostname
  if (dev) {
    // its process has the variables that were there when the files were first read
    files.updateInitialEnv({ HOST: options.hostname })
    develop(require, options, args.some((arg) => /^(-p|--port)/.test(arg)) || source.PORT !== undefined)
    return undefined
  }
  giveBuiltConfig(dir, env)
  const { hostname } = options
  return start(require, dir, options, {
    proxies,
    publicUrl: env.BETTER_AUTH_URL,
    hostname,
    onUnnamedProxy: warnOnce,
  })
}

let warned = false

/** Clients behind an unnamed proxy share one address, and so its limits. */
function warnOnce(address: string): void {
  if (warned) return
  warned = true
  console.warn(
    `[ramify] RAMIFY_TRUSTED_PROXIES does not name the proxy at ${address}: all that it passes on counts as one address`,
  )
}

/** The environment and the `.env` files, as the framework reads them. */
function readSettings(files: EnvFiles, dir: string, dev: boolean): Record<string, string | undefined> {
  const { combinedEnv } = files.loadEnvConfig(dir, dev, { info: () => undefined, error: console.error })
  const settings = { ...combinedEnv }
  // the development server reads the files itself, and again when they change; it would not change set variables
  if (dev) files.resetEnv()
  return settings
}

/** Hands this process to the framework's own command, which restarts itself when settings change. */
function develop(require: NodeJS.Require, { hostname, port }: ServeOptions, portIsChosen: boolean): void {
  const command = require.resolve('next/dist/bin/next')
  // the system decides which of two addresses `localhost` is
  const host = hostname === 'localhost' ? '127.0.0.1' : hostname
  // without a chosen port, the framework takes the next free one
  const chosen = portIsChosen ? ['-p', String(port)] : []
  process.argv = [process.execPath, command, 'dev', '-H', host, ...chosen]
  require(command)
}

/**
 * Gives the framework its settings as they were built. It would compile `next.config.ts` again: a second of the start, and the
 * compiler stays in memory.
 */
function giveBuiltConfig(dir: string, { BETTER_AUTH_URL }: Env): void {
  const file = path.join(dir, '.next/required-server-files.json')
  if (!existsSync(file)) throw new Error('There is no build: run npm run build first.')
  const { config } = JSON.parse(readFileSync(file, 'utf8'))
  // the public address is that of this start, as in `next.config.ts`
  config.experimental.serverActions.allowedOrigins = BETTER_AUTH_URL ? [new URL(BETTER_AUTH_URL).host] : []
  process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(config)
}

async function start(
  require: NodeJS.Require,
  dir: string,
  { hostname, port }: ServeOptions,
  front: FrontOptions,
): Promise<string> {
  const ready = Promise.withResolvers<FrontHandler>()
  const server = createFront(
    (request, response) =>
      ready.promise
        .then((handler) => handler(request, response))
        .catch((error: unknown) => {
          console.error(error)
          if (!response.headersSent) response.statusCode = 500
          response.end()
        }),
    front,
  )
  announceFront()
  const listening = await listen(server, hostname, port)
  const address = `http://${isIPv6(hostname) ? `[${hostname}]` : hostname}:${listening.port}`
  Object.assign(process.env, { PORT: String(listening.port), __NEXT_PRIVATE_ORIGIN: ownAddress(address) })
  const next: typeof import('next').default = require('next')
  // a server that never listens takes the framework's listeners for upgrades: nothing here is upgraded
  const app = next({ dev: false, dir, hostname, port: listening.port, httpServer: createServer() })
  closeOnSignals(listening, () => app.close())
  await app.prepare()
  // long, and of no use to a child
  delete process.env.__NEXT_PRIVATE_STANDALONE_CONFIG
  ready.resolve(keepFiles(app.getRequestHandler()))
  console.log(`[ramify] ready on ${address} after ${Math.round(performance.now() - began)} ms`)
  return ownAddress(address)
}

/** The address at which this machine reaches a server that listens everywhere. */
const ownAddress = (address: string): string =>
  address.replace('//0.0.0.0:', '//localhost:').replace('//[::]:', '//[::1]:')

/** Stops as `next start` does: answers the requests that have begun, and ends the process with the signal's code. */
function closeOnSignals(listening: Listening, close: () => Promise<void>): void {
  let closing = false
  const end = async (code: number) => {
    // a terminal sends the signal to the whole group, and `npm` sends it again
    if (closing) return
    closing = true
    await listening.close()
    await close()
    process.exit(code)
  }
  process.on('SIGINT', () => void end(130))
  process.on('SIGTERM', () => void end(143))
}
