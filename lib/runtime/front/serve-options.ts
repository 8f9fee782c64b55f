import { parseArgs } from 'node:util'

/** Where a server listens. */
export interface ServeOptions {
  dev: boolean
  hostname: string
  port: number
}

/**
 * Reads the command line over the environment: `-H`/`--hostname`, `-p`/`--port`, as the framework's own command takes
 * them, and `--dev`.
 *
 * @throws Error with one line that names what is wrong
 */
export function readServeOptions(args: string[], env: { HOST: string; PORT: number }): ServeOptions {
  const { values } = parseArgs({
    args,
    options: {
      dev: { type: 'boolean', default: false },
      hostname: { type: 'string', short: 'H' },
      port: { type: 'string', short: 'p' },
    },
  })
  const port = values.port === undefined ? env.PORT : Number(values.port)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`--port cannot be "${values.port}"`)
  return { dev: values.dev, hostname: values.hostname ?? env.HOST, port }
}

/** Whether only this machine reaches what listens at `hostname`. */
export const isLoopback = (hostname: string): boolean =>
  /^(localhost|.*\.localhost|127(\.\d+){3}|\[?::1\]?)$/i.test(hostname)
