import type { Command, Option, Options } from './command'
import { commands } from './commands'

/** Options that every command takes. */
export const everywhere = {
  server: {
    type: 'string',
    value: 'URL',
    help: 'ask this server; RAMIFY_SERVER names one too. Its key is in RAMIFY_API_KEY; on your own machine none is needed',
  },
  chat: { type: 'string', short: 'C', value: 'CHAT', help: 'this chat instead of the current one' },
  as: {
    type: 'string',
    value: 'PERSON',
    help: 'in a folder of several people: whose chats, by e-mail address or id',
  },
  json: { type: 'boolean', help: 'the result as JSON' },
  help: { type: 'boolean', short: 'h', help: 'this text' },
} as const satisfies Options

/** Options of `ramify` without a command. */
export const ofApp = {
  port: { type: 'string', value: 'PORT', help: 'listen there; by default 3000, or a free one' },
  'no-open': { type: 'boolean', help: 'open no browser' },
} as const satisfies Options

/** The text of `ramify --help`. */
export function helpOfAll(): string {
  const width = Math.max(...commands.map(({ name }) => name.length))
  return [
    'Usage: ramify [--port PORT] [--no-open]',
    '       ramify [OPTIONS] COMMAND [ARGUMENTS]',
    '',
    'Git for LLM conversations. Without a command it starts the app and opens it in the browser; a command works on the data folder of',
    'this machine (RAMIFY_DATA_DIR), or on a server.',
    '',
    'Options of the app:',
    ...optionLines(ofApp),
    '',
    'Commands:',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    'Options of every command:',
    ...optionLines(everywhere),
    '',
    'Places in a chat: HEAD, a branch, a checkpoint, the beginning or end of an id; HEAD~2 is two messages above.',
    'Exit codes: 0 done, 1 refused or failed, 2 the command line makes no sense; of run, that of its command.',
    'ramify COMMAND --help says more.',
  ].join('\n')
}

/** The text of `ramify COMMAND --help`. */
export function helpOf({ name, summary, usage, details, options, examples = [] }: Command): string {
  const own = optionLines(options)
  return [
    ...usage.map((form, at) => `${at === 0 ? 'Usage: ' : '       '}ramify ${name} ${form}`.trimEnd()),
    '',
    `${summary[0]?.toUpperCase()}${summary.slice(1)}.`,
    ...(details ? ['', details] : []),
    ...(own.length > 0 ? ['', 'Options:', ...own] : []),
    '',
    'Options of every command:',
    ...optionLines(everywhere),
    ...(examples.length > 0 ? ['', 'Examples:', ...examples.map((example) => `  ${example}`)] : []),
  ].join('\n')
}

function optionLines(options: Options): string[] {
  const left = Object.entries(options).map(([name, option]) => [formOf(name, option), option.help] as const)
  const width = Math.max(0, ...left.map(([form]) => form.length))
  return left.map(([form, help]) => `  ${form.padEnd(width)}  ${help}`)
}

const formOf = (name: string, { short, value }: Option): string =>
  `${short ? `-${short}, ` : '    '}--${name}${value ? ` ${value}` : ''}`

/** The table of docs/cli.md. */
export const commandTable = (): string =>
  [
    '| command | does |',
    '|---|---|',
    ...commands.map(({ name, usage, summary }) => {
      const forms = usage.map((form) => `\`${`${name} ${form}`.trim().replaceAll('|', '\\|')}\``)
      return `| ${forms.join('<br>')} | ${summary} |`
    }),
  ].join('\n')
