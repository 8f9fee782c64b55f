import { toast } from 'sonner'
import type { Problem } from '@/lib/protocol'

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

export function problemToast(problem: Problem): void {
  toast.error(problem.detail, { duration: 8000 })
}
