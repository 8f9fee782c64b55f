import { parseArgs } from 'node:util'
import type { AppOptions } from './app/open-app'
import type { Command, Options } from './command'
import { commands } from './commands'
import { plain } from './draw/plain'
import { UsageError } from './errors'
import { everywhere, ofApp } from './help'

/** A command line that makes sense. */
export interface ParsedCall {
  command: Command
  values: Record<string, string | boolean | undefined>
  args: readonly string[]
}

/** A command line asks for help, the app, or a command. */
export type ParsedLine = { help: Command | 'all' } | { app: AppOptions } | ParsedCall

/** @throws UsageError that names the fault */
export function parseCall(argv: readonly string[]): ParsedLine {
  const at = placeOfName(argv)
  if (at === undefined) {
    const given = parse([...argv], { ...everywhere, ...ofApp }, 'ramify').values
    if (given.help) return { help: 'all' }
    const { port, 'no-open': noOpen, ...others } = given
    if (Object.keys(others).length > 0) throw new UsageError('Name a command.')
    return { app: { port: typeof port === 'string' ? port : undefined, 'no-open': noOpen === true } }
  }
  const name = argv[at] ?? ''
  if (name === 'help') return { help: argv[at + 1] === undefined ? 'all' : commandOf(argv[at + 1] ?? '') }
  const command = commandOf(name)
  const rest = argv.filter((_, place) => place !== at)
  const { values, positionals: args } = parse(rest, { ...everywhere, ...command.options }, `ramify ${name}`)
  if (values.help) return { help: command }
  if (args.length < command.args.least) throw new UsageError(`ramify ${name} needs more: ${formsOf(command)}`)
  if (args.length > command.args.most) {
    throw new UsageError(`“${plain(args[command.args.most] ?? '')}” is too much: ${formsOf(command)}`)
  }
  return { command, values, args }
}

/** The place of the first word that is neither an option nor the value of one. */
function placeOfName(argv: readonly string[]): number | undefined {
  const { tokens } = parseArgs({
    args: [...argv],
    options: configOf({ ...everywhere, ...ofApp }),
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  return tokens.find(({ kind }) => kind === 'positional')?.index
}

function parse(args: string[], options: Options, called: string) {
  try {
    const { values, positionals } = parseArgs({ args, options: configOf(options), allowPositionals: true })
    return { values: values as Record<string, string | boolean | undefined>, positionals }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (!code?.startsWith('ERR_PARSE_ARGS')) throw error
    const [, option] = /'(-[^']*?)(?: <value>)?'/.exec(message) ?? []
    if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' && option) {
      throw new UsageError(
        `${called} has no option ${plain(option)}. A text that begins with - stands after --.`,
      )
    }
    throw new UsageError(plain(message))
  }
}

const configOf = (options: Options) =>
  Object.fromEntries(
    Object.entries(options).map(([name, { type, short }]) => [name, { type, ...(short && { short }) }]),
  )

function commandOf(name: string): Command {
  const command = commands.find((known) => known.name === name)
  if (command) return command
  const near = commands.filter((known) => known.name.startsWith(name[0] ?? '')).map((known) => known.name)
  const perhaps = near.length > 0 ? ` Do you mean ${near.join(' or ')}?` : ''
  throw new UsageError(`There is no command “${plain(name)}”.${perhaps} \`ramify --help\` lists them.`)
}

const formsOf = ({ name, usage }: Command): string =>
  usage.map((form) => `ramify ${name} ${form}`.trim()).join(' or ')
