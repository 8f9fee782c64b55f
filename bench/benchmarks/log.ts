import type { Environment } from '../environment'
import type { Result } from '../result'
import { commands } from './log/commands'
import { replay } from './log/replay'

/** The event log: what it takes to append to it by command, to follow it, and to rebuild everything from it. */
export async function log(env: Environment): Promise<Result[]> {
  return [...(await commands(env)), ...(await replay(env))]
}
