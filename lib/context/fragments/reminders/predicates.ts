import type { WhenPredicate } from './reminder'
import type { ToolOutcome } from './tool-outcomes'

/** Due on the first message of the person. */
export const first = (): WhenPredicate => firstN(1)

/** Due on the first `n` turns. */
export function firstN(n: number): WhenPredicate {
  const last = counted('firstN', n)
  return ({ turn }) => turn <= last
}

/** Due on turns `n`, `2n`, `3n`… */
export function everyNTurns(n: number): WhenPredicate {
  const period = counted('everyNTurns', n)
  return ({ turn }) => turn % period === 0
}

/** Due on every turn after turn `n`. */
export function afterTurn(n: number): WhenPredicate {
  const last = counted('afterTurn', n)
  return ({ turn }) => turn > last
}

/** A tool's name, or a test of it. */
export type ToolName = string | ((name: string) => boolean)

/** Due on a tool's outcome of this name and state, whichever are given. */
export const toolOutput =
  ({ name, state }: { name?: ToolName; state?: ToolOutcome['state'] } = {}): WhenPredicate =>
  ({ toolOutcome }) =>
    toolOutcome !== undefined &&
    (name === undefined || (typeof name === 'string' ? name === toolOutcome.name : name(toolOutcome.name))) &&
    (state === undefined || state === toolOutcome.state)

/** Due when the tool failed; any tool, unless one is named. */
export const toolFailed = (name?: ToolName): WhenPredicate =>
  toolOutput({ state: 'output-error', ...(name === undefined ? {} : { name }) })

/** Due when all of them are; stops at the first that is not due. */
export const and =
  (...predicates: WhenPredicate[]): WhenPredicate =>
  async (context) => {
    for (const predicate of predicates) if (!(await predicate(context))) return false
    return true
  }

/** Due when one of them is; stops at the first that is due. */
export const or =
  (...predicates: WhenPredicate[]): WhenPredicate =>
  async (context) => {
    for (const predicate of predicates) if (await predicate(context)) return true
    return false
  }

/** Due when the other is not. */
export const not =
  (predicate: WhenPredicate): WhenPredicate =>
  async (context) =>
    !(await predicate(context))

/** @throws RangeError for anything but a whole number from 1 on, which would make a condition that is never or always met */
function counted(name: string, n: number): number {
  if (!Number.isInteger(n) || n < 1) throw new RangeError(`${name}(${n}) needs a whole number, 1 or more`)
  return n
}
