import type { Call } from '../command'
import { UsageError } from '../errors'
import { originOf } from '../open-place'
import { clientCall } from './clients'
import { type OwnServer, ownServer } from './own-server'
import { runChild } from './run-child'
import { keyFor } from './run-keys'
import { showChat } from './show-chat'

type RunCall = Pick<Call, 'args' | 'terminal' | 'server' | 'exitWith'> & {
  values: { open?: boolean; mcp?: boolean; keep?: boolean }
}

/**
 * Runs a command that asks its model through Ramify, and ends as it does.
 *
 * @throws CommandError of `ownServer`, `keyFor` and `runChild`
 */
export async function runClient({ args, terminal, server, values, exitWith }: RunCall): Promise<void> {
  const [command, ...rest] = args
  if (!command) throw new UsageError('Name the command to run, after --.')
  const { world } = terminal
  const { env, callerEnv = env, cwd } = world
  const tell = (line: string) => terminal.note(line)
  const used = await serverFor(server || env.RAMIFY_SERVER, () =>
    ownServer(world, { keep: values.keep === true, tell }),
  )
  try {
    const { origin, place } = used
    const key = await keyFor(env, { origin, place, cwd })
    const told = { origin, key, env: callerEnv, mcp: values.mcp === true }
    const call = clientCall([command, ...rest], told)
    tell(`Ramify: ${call.client ?? command} asks through ${origin}`)
    const ended = new AbortController()
    const since = Date.now()
    const shown = values.open
      ? showChat({ origin, key }, { since, signal: ended.signal, tell }).catch((error: unknown) => {
          if (!ended.signal.aborted) tell(`Ramify: the chat was not opened. ${String(error)}`)
        })
      : undefined
    const { code, signal } = await runChild(call, {
      cwd,
      world,
      env: { ...callerEnv, ...call.env } as NodeJS.ProcessEnv,
    }).finally(() => ended.abort())
    await shown
    exitWith(code, signal)
  } finally {
    await used.leave()
  }
}

/** The server that is named, else the own one. */
async function serverFor(named: string | undefined, own: () => Promise<OwnServer>): Promise<OwnServer> {
  if (!named) return own()
  const origin = originOf(named)
  return { origin, place: origin, leave: async () => undefined }
}
