import { toast } from 'sonner'
import type { Problem } from '@/lib/protocol'

let count = 0
/** The one that is shown. What is closing cannot be shown again: after it the next one has a name of its own. */
let shown: string | undefined

/** Says what just happened and offers the way back. One at a time: a later move takes the place of an earlier one. */
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

/** What it offers to undo has been left another way. */
export function takeBackToast(): void {
  if (shown === undefined) return
  toast.dismiss(shown)
  shown = undefined
}

export function problemToast(problem: Problem): void {
  toast.error(problem.detail, { duration: 8000 })
}
