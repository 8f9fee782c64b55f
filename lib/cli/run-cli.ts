import path from 'node:path'
import { NamedError } from '@/lib/events'
import { plain } from './draw/plain'
import { CommandError, UsageError } from './errors'
import { helpOf, helpOfAll } from './help'
import { type ParsedCall, type ParsedLine, parseCall } from './parse-call'
import { Heads } from './refs/heads'
import type { Session } from './session'
import { Terminal, type World } from './terminal'

/** Opens the place that a command line is about. */
export type OpenPlace = (
  world: World,
  asked: { server?: string | undefined; chat?: string | undefined; as?: string | undefined },
  heads: Heads,
) => Promise<Session>

/**
 * Runs one command line.
 *
 * @param open opens the folder or the server; called when a command needs it, and never for help
 * @returns the exit code: 0 done, 1 refused or failed, 2 for a command line that makes no sense; of `run` that of its command
 */
export async function runCli(
  argv: readonly string[],
  world: World,
  open: OpenPlace = openPlace,
): Promise<number> {
  let parsed: ParsedLine
  try {
    parsed = parseCall(argv)
  } catch (error) {
    return failed(error, world, argv.includes('--json'))
  }
  if ('help' in parsed) {
    world.stdout.write(`${parsed.help === 'all' ? helpOfAll() : helpOf(parsed.help)}\n`)
    return 0
  }
  if ('app' in parsed) {
    const { openApp } = await import('./app/open-app')
    await openApp(world, parsed.app)
    return 0
  }
  return call(parsed, world, open)
}

async function call({ command, values, args }: ParsedCall, world: World, open: OpenPlace): Promise<number> {
  const terminal = new Terminal(world, values.json === true)
  const text = (name: string) => (typeof values[name] === 'string' ? values[name] : undefined)
  const asked = { server: text('server'), chat: text('chat'), as: text('as') }
  let session: Session | undefined
  let code = 0
  try {
    await command.run({
      values,
      args,
      terminal,
      server: asked.server,
      exitWith(exitCode, signal) {
        code = exitCode
        if (signal) world.endBy?.(signal)
      },
      fileAt: (name) => path.resolve(world.cwd, name),
      open: async () => {
        session ??= await open(world, asked, new Heads(world.env))
        return session
      },
    })
  } catch (error) {
    code = failed(error, world, terminal.json)
  }
  try {
    await session?.port.close()
  } catch (error) {
    code = failed(error, world, terminal.json)
  }
  return code
}

/** Loaded when a place is opened: help and refusals of a command line do without the database's code. */
const openPlace: OpenPlace = async (...asked) => (await import('./open-place')).openPlace(...asked)

function failed(error: unknown, { stderr }: World, json: boolean): number {
  const code = error instanceof UsageError ? 2 : 1
  const words = wordsOf(error)
  const hint = code === 2 ? '\n`ramify --help` says more.' : ''
  stderr.write(json ? `${JSON.stringify({ error: words, exit_code: code })}\n` : `ramify: ${words}${hint}\n`)
  return code
}

/** The error's words for a person. The values of a failed statement are left out. */
function wordsOf(error: unknown): string {
  if (error instanceof CommandError || error instanceof NamedError) return error.message
  if (!(error instanceof Error)) return plain(String(error))
  if ('query' in error)
    return 'The database refused a statement. `npm run db:check` says whether it is sound.'
  return plain(error.message)
}
