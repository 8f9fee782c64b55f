import { spawn } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { Writable } from 'node:stream'
import { repoRoot } from '@/testing/runner/repo-root'

/** The longest times of a bystander over its rounds, in ms; and its refusals and failures. */
export interface Worst {
  page: number
  /** until the server has said that the message is stored */
  send: number
  firstWord: number
  health: number
  /** how often the server has called itself unwell */
  unwell: number
  rounds: number
  problems: string[]
}

/** A person who chats beside attacks; see `bystander-process.ts`. */
export class Bystander {
  private constructor(
    private readonly lines: AsyncIterator<string>,
    private readonly input: Writable,
  ) {}

  /**
   * Resolves when the person is chatting.
   *
   * @param pause between two rounds, in ms, unless it is asked meanwhile
   */
  static async at(base: string, pause: number): Promise<Bystander> {
    const file = path.join(repoRoot, 'testing/abuse/bystander-process.ts')
    const child = spawn(process.execPath, ['--import', 'tsx', file, base, String(pause)], {
      cwd: repoRoot,
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const end = () => child.kill()
    process.once('exit', end)
    child.once('exit', () => process.off('exit', end))
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const { done } = await lines.next()
    if (done) throw new Error('The person who chats beside the attack could not begin')
    return new Bystander(lines, child.stdin)
  }

  /** The longest times since the last call, once the round at this moment is over. */
  async worst(): Promise<Worst> {
    this.input.write('\n')
    const { value } = await this.lines.next()
    return JSON.parse(value ?? '') as Worst
  }

  leave(): void {
    this.input.end()
  }
}
