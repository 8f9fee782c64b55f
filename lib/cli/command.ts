import type { Session } from './session'
import type { Terminal } from './terminal'

/** An option of a command, as `parseArgs` of Node takes it, and its line in the help. */
export interface Option {
  type: 'string' | 'boolean'
  short?: string
  /** placeholder of its value in the help */
  value?: string
  help: string
}

export type Options = Readonly<Record<string, Option>>

type ValueOf<Type> = Type extends 'boolean' ? boolean : string

type Values<Given extends Options> = {
  [Name in keyof Given]?: ValueOf<Given[Name]['type']>
}

/** One call of a command: its arguments, and its surroundings. */
export interface Call<Given extends Options = Options> {
  values: Values<Given>
  args: readonly string[]
  terminal: Terminal
  /** the server that `--server` names */
  server: string | undefined
  /** opens the place that is asked: a folder or a server; closed when the command ends */
  open(): Promise<Session>
  /** ends the process with another exit code than 0, or by a signal */
  exitWith(code: number, signal: NodeJS.Signals | null): void
  /** the path of a file that was named, from the folder the command was called in */
  fileAt(name: string): string
}

/** The record of a command. Parsing, `--help` and the table of docs/cli.md are made from it. */
export interface Command<Given extends Options = Options> {
  name: string
  /** one line, which follows the name in a list */
  summary: string
  /** forms of its arguments, one for each line of the help */
  usage: readonly string[]
  details?: string
  options: Given
  /** arguments besides options */
  args: { least: number; most: number }
  examples?: readonly string[]
  /** @throws CommandError, UsageError; a person can act on no other error */
  run(call: Call<Given>): Promise<void>
}

/** A command with the types of its own options. */
export const defineCommand = <const Given extends Options>(command: Command<Given>): Command =>
  command as unknown as Command
