import type { ActionResult } from '@/lib/protocol'
import { problemOf, unreached } from './problem'
import { problemToast } from './undo-toast'

/** What a server action answers; null when it was refused, which a toast says. */
export async function answerOf<T>(action: Promise<ActionResult<T>>): Promise<T | null> {
  try {
    const result = await action
    if (result.ok) return result.value
    problemToast(result.problem)
  } catch (error) {
    problemToast(problemOf(error, unreached))
  }
  return null
}
