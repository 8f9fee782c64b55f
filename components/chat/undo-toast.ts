import { toast } from 'sonner'
import type { Problem } from '@/lib/graph'

/** Says what just happened and offers the way back. One at a time: a later move takes the place of an earlier one. */
export function undoToast(message: string, undo: () => void): void {
  toast(message, { id: 'move', action: { label: 'Undo', onClick: undo }, duration: 8000 })
}

/** What it offers to undo has been left another way. */
export function takeBackToast(): void {
  toast.dismiss('move')
}

export function problemToast(problem: Problem): void {
  toast.error(problem.detail, { duration: 8000 })
}
