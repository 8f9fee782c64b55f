import { toast } from 'sonner'
import type { Problem } from '@/lib/graph'

/** Says what just happened and offers the way back. One at a time: a later move takes the place of an earlier one. */
export function undoToast(message: string, undo: () => void): void {
  toast(message, { id: 'move', action: { label: 'Undo', onClick: undo }, duration: 8000 })
}

export function problemToast(problem: Problem): void {
  toast.error(problem.detail, { duration: 8000 })
}
