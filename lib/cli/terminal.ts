import type { Readable } from 'node:stream'
import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

/** Input, output and environment of a command. */
export interface World {
  env: Readonly<Record<string, string | undefined>>
  /** the environment of the caller, without the settings of files; `env` unless given */
  callerEnv?: Readonly<Record<string, string | undefined>>
  /** the folder that the command was called in */
  cwd: string
  stdin: Readable & { isTTY?: boolean }
  stdout: NodeJS.WritableStream & { isTTY?: boolean; columns?: number }
  stderr: NodeJS.WritableStream & { isTTY?: boolean }
  /** calls a listener at each Ctrl-C, until the returned function is called; the second one ends the process unless `patient` */
  onInterrupt(listener: () => void, options?: { patient?: boolean }): () => void
  /** has the process end by a signal, as the command that it ran did */
  endBy?(signal: NodeJS.Signals): void
}

/** Results go to standard output, everything else to standard error: a pipe gets results alone. */
export class Terminal {
  readonly #colours: boolean

  constructor(
    readonly world: World,
    /** true when results are JSON */
    readonly json: boolean,
  ) {
    const { env, stdout } = world
    this.#colours = stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb'
  }

  /** True when a person can be asked something. */
  get isInteractive(): boolean {
    return this.world.stdin.isTTY === true && this.world.stdout.isTTY === true
  }

  write(text: string): void {
    this.world.stdout.write(text)
  }

  /** A line of the result. */
  line(text = ''): void {
    this.write(`${text}\n`)
  }

  /** A line for the person, beside the result. */
  note(text: string): void {
    this.world.stderr.write(`${text}\n`)
  }

  /** Shows progress on one line; only when a person sees it. */
  progress(text: string): void {
    if (this.world.stderr.isTTY && !this.json) this.world.stderr.write(`\r\u001b[K${text}`)
  }

  /** The result of a command: as JSON where that was asked for, else in lines. */
  result(value: unknown, lines: () => void): void {
    if (this.json) this.line(JSON.stringify(value, null, 2))
    else lines()
  }

  style(format: Style, text: string): string {
    return this.#colours && text !== '' ? styleText(format, text, { validateStream: false }) : text
  }
}
