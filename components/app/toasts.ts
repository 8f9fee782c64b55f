import { toast } from 'sonner'
import type { ActionResult } from '@/lib/protocol'
import { problemOf, unreached } from './problem'

let count = 0
/** The id of the toast that is shown. A closing toast cannot be shown again: the next one gets another id. */
let shown: string | undefined

/** Tells of a move and offers Undo. A later move replaces the toast of an earlier one. */
export function undoToast(message: string, undo: () => void): void {
  shown ??= `move-${count++}`
  const id = shown
  const closes = () => {
    if (shown === id) shown = undefined
  }
  const onClick = () => {
    closes()
    undo()
  }
  toast(message, {
    id,
    action: { label: 'Undo', onClick },
    duration: 8000,
    onAutoClose: closes,
    onDismiss: closes,
  })
}

/** Takes the toast away when its move can no longer be undone. */
export function takeBackToast(): void {
  if (shown === undefined) return
  toast.dismiss(shown)
  shown = undefined
}

/** What a server action answers; null when it was refused, which a toast says. */
export async function answerOf<T>(action: Promise<ActionResult<T>>): Promise<T | null> {
  const result = await action.catch((error: unknown) => ({
    ok: false as const,
    problem: problemOf(error, unreached),
  }))
  if (result.ok) return result.value
  toast.error(result.problem.detail, { duration: 8000 })
  return null
}
