import { useSyncExternalStore } from 'react'
import { listenersOf } from '@/components/ui/listeners'
import type { ActionResult, Problem } from '@/lib/protocol'
import { withoutCode } from './new-version'
import { problemOf, unreached } from './problem'

/** Words of the last move, and the way back. Its place is kept free of text and controls, see `MoveNote`. */
export interface UndoNote {
  message: string
  /** the words of the way back */
  label: string
  undo(): void
}

let note: UndoNote | null = null
/** said to screen readers alone */
let said = ''
let slots = 0
const { subscribe, tell: changed } = listenersOf()

/**
 * Tells of a move and offers Undo. A later move replaces the note of an earlier one.
 *
 * @param label of the way back
 * @returns a function that removes the note, unless a later one has its place
 */
export function undoToast(message: string, undo: () => void, label = 'Undo'): () => void {
  const own: UndoNote = {
    message,
    label,
    undo() {
      withdraw()
      undo()
    },
  }
  const withdraw = () => {
    if (note === own) takeBackToast()
  }
  note = own
  changed()
  return withdraw
}

/** Takes the note away when its move can no longer be undone, or has been read. */
export function takeBackToast(): void {
  if (note === null) return
  note = null
  changed()
}

export const hasNote = (): boolean => note !== null

/** Does what the note's Undo does; `false` without a note. */
export function undoNoted(): boolean {
  const shown = note
  shown?.undo()
  return shown !== null
}

/** Has something read out that is seen without words. */
export function announce(words: string): void {
  said = words
  changed()
}

/** Keeps a place for notes while a page shows one; the page frame has one for the pages without. */
export function keepSlot(): () => void {
  slots++
  changed()
  return () => {
    slots--
    changed()
  }
}

export const useMoveNote = () => useSyncExternalStore(subscribe, () => note, noNote)
export const useSaid = () => useSyncExternalStore(subscribe, () => said, nothing)
export const useHasSlot = () => useSyncExternalStore(subscribe, () => slots > 0, yes)
const noNote = () => null
const nothing = () => ''
const yes = () => true

/**
 * The value that a server action answers; null when it was refused, which a toast says.
 *
 * @param expected codes of refusals that are told to screen readers alone
 */
export async function answerOf<T>(
  action: Promise<ActionResult<T>>,
  expected: readonly string[] = [],
): Promise<T | null> {
  const result = await action.catch((error: unknown) => ({
    ok: false as const,
    problem: problemOf(error, unreached),
  }))
  if (result.ok) return result.value
  if (expected.includes(result.problem.code)) announce(result.problem.detail)
  else problemToast(result.problem)
  return null
}

/** Says why something was refused. */
export const problemToast = ({ detail }: Problem): void => errorToast(detail, 8000)

/**
 * Says that something went wrong. The code of toasts comes after the page can be used: a sentence from before is
 * shown then, and read out if the code never comes.
 *
 * @param duration time that it stays, in milliseconds
 */
export function errorToast(words: string, duration?: number): void {
  import('sonner')
    .catch(withoutCode)
    .then(({ toast }) => toast.error(words, { duration }))
    .catch(() => announce(words))
}
