import type { BranchId } from '@/lib/events'

/** The branches that a move of this page led its reader from and to. */
export interface TrailStep {
  /** the position of the move's mark in the chat's log; null for a look at a branch, which the log does not know */
  seq: number | null
  from: BranchId
  to: BranchId
  /** the reader is back where the step began */
  onBack?: (() => void) | undefined
}

export type Which = 'undo' | 'redo'

/**
 * Branches that the moves of a page led its reader from and to, so that Undo leads back. The log decides what can be
 * undone: this only knows which branch was read before and after. A look at an archived branch is in no log and is
 * undone here.
 */
export class Trail {
  #past: TrailStep[] = []
  #future: TrailStep[] = []

  /** @param instead the step before, which is a part of this one */
  add(step: TrailStep, instead?: TrailStep): void {
    if (instead && this.#past.at(-1) === instead) this.#past.pop()
    this.#past.push(step)
    this.#future = []
  }

  get last(): TrailStep | undefined {
    return this.#past.at(-1)
  }

  /** True when the last step was a look: then it is taken back, and nothing else. */
  looks(which: Which): boolean {
    return this.#of(which).at(-1)?.seq === null
  }

  /** The step that Undo or Redo goes along when its last one was a look. */
  look(which: Which): TrailStep | undefined {
    const step = this.looks(which) ? this.#of(which).pop() : undefined
    if (step) this.#of(which === 'undo' ? 'redo' : 'undo').push(step)
    return step
  }

  /**
   * The steps of moves that were undone or made again, the earliest first; empty where another page has made one of them.
   *
   * @param moveSeq the position that names the last of them that was taken back
   */
  retrace(which: Which, { moveSeq, count }: { moveSeq: number; count: number }): TrailStep[] {
    const steps = this.#of(which)
    const at = steps.findLastIndex(({ seq }) => seq === moveSeq)
    if (at < 0) return []
    const taken = steps.splice(at)
    this.#of(which === 'undo' ? 'redo' : 'undo').push(...taken.toReversed())
    return taken.filter(({ seq }) => seq !== null).length === count ? taken : []
  }

  /** Looks are over: something was sent, or the browser's history led elsewhere. */
  settle(): void {
    this.#past = this.#past.filter(({ seq }) => seq !== null)
    this.#future = this.#future.filter(({ seq }) => seq !== null)
  }

  #of = (which: Which): TrailStep[] => (which === 'undo' ? this.#past : this.#future)
}
