import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable, Writable } from 'node:stream'
import { type OpenPlace, runCli } from '@/lib/cli/run-cli'

/** What a command line has left behind. */
export interface CliRun {
  code: number
  /** standard output, its lines, and its JSON */
  out: string
  lines: string[]
  // biome-ignore lint/suspicious/noExplicitAny: each test knows its type
  json: any
  /** standard error */
  err: string
}

interface Asked {
  stdin?: string
  /** settings of this call, besides those of the shell */
  env?: Record<string, string>
  /** whether a person sits at a terminal */
  isTerminal?: boolean
  /** called with all that is on standard output, after each write; presses Ctrl-C */
  onOutput?: (out: string, interrupt: () => void) => void
  /** called when the command begins to listen for Ctrl-C, with what presses it */
  onListen?: (interrupt: () => void) => void
}

/** A person's shell: what a command line remembers stays from one command to the next, and goes with `close`. */
export function openShell(options: { env?: Record<string, string>; open?: OpenPlace } = {}) {
  const home = mkdtempSync(path.join(tmpdir(), 'ramify-cli-'))
  const env = { XDG_STATE_HOME: path.join(home, 'state'), ...options.env }
  return {
    /** the folder that commands are called in */
    home,
    async run(
      argv: readonly string[],
      { stdin = '', env: more, isTerminal = false, onOutput, onListen }: Asked = {},
    ): Promise<CliRun> {
      let [out, err] = ['', '']
      const interrupts = new Set<() => void>()
      const interrupt = () => {
        for (const listener of [...interrupts]) listener()
      }
      const sink = (take: (text: string) => void) =>
        Object.assign(
          new Writable({
            decodeStrings: false,
            write(chunk: string | Buffer, _encoding, done) {
              take(chunk.toString())
              done()
            },
          }),
          { isTTY: isTerminal },
        )
      const code = await runCli(
        argv,
        {
          env: { ...env, ...more },
          cwd: home,
          stdin: Object.assign(Readable.from([stdin]), { isTTY: isTerminal }),
          stdout: sink((text) => {
            out += text
            onOutput?.(out, interrupt)
          }),
          stderr: sink((text) => {
            err += text
          }),
          onInterrupt(listener) {
            interrupts.add(listener)
            onListen?.(interrupt)
            return () => interrupts.delete(listener)
          },
        },
        options.open,
      )
      return {
        code,
        out,
        err,
        lines: out.trimEnd().split('\n'),
        get json() {
          return JSON.parse(out)
        },
      }
    },
    close: () => rmSync(home, { recursive: true, force: true }),
  }
}

export type Shell = ReturnType<typeof openShell>

/** Lines without the ids of messages, which differ from run to run: each becomes `#`. */
export const withoutIds = (lines: readonly string[]): string[] =>
  lines.map((line) => line.replace(/\b[0-9a-f]{7,12}\b/g, '#'))
