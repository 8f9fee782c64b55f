import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { CommandError } from '../errors'

const place = z.object({ chat: z.string().optional(), person: z.string().optional() })
const file = z.object({ places: z.record(z.string(), place) })

/** Remembered facts of a place: the current chat, and in a folder of several people the chosen person. */
export type Head = z.output<typeof place>

/** The folder of the command line's memory. */
export const stateFolder = (env: Readonly<Record<string, string | undefined>>): string =>
  path.join(env.XDG_STATE_HOME || path.join(env.HOME || homedir(), '.local', 'state'), 'ramify')

/**
 * Memory of the command line between two calls, like Git's `HEAD`. It leaves out the current branch: that is
 * the one the chat opens on, here and in a browser.
 */
export class Heads {
  readonly #file: string

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#file = path.join(stateFolder(env), 'heads.json')
  }

  /** @param key of a folder, a database or a server */
  read(key: string): Head {
    return this.#readAll()[key] ?? {}
  }

  /**
   * Replaces the remembered facts of a place; another command at the same moment sees the old or the new
   * file, whole.
   */
  write(key: string, head: Head): void {
    const places = { ...this.#readAll(), [key]: head }
    const written = `${this.#file}.${process.pid}`
    try {
      mkdirSync(path.dirname(this.#file), { recursive: true, mode: 0o700 })
      writeFileSync(written, `${JSON.stringify({ places }, null, 2)}\n`, { mode: 0o600 })
      renameSync(written, this.#file)
    } catch (error) {
      rmSync(written, { force: true })
      throw new CommandError(`The current chat cannot be remembered: ${(error as Error).message}.`)
    }
  }

  #readAll(): Record<string, Head> {
    let text: string
    try {
      text = readFileSync(this.#file, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
      throw new CommandError(`${this.#file} cannot be read: ${(error as Error).message}.`)
    }
    try {
      return file.parse(JSON.parse(text)).places
    } catch {
      throw new CommandError(`${this.#file} is broken: delete it. It holds the current chats alone.`)
    }
  }
}
