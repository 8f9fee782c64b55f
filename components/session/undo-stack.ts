/** A move that can be taken back and made again. Both answer whether they were done. */
export interface UndoableMove {
  /** what happened, in words */
  says: string
  undo(): Promise<boolean>
  redo(): Promise<boolean>
}

/** As many moves can be taken back. */
const most = 100

/**
 * The moves of a page, last first out. A move is taken back only when the one after it has been: quick presses wait for
 * each other. A move that cannot be taken back any more is dropped.
 */
export class UndoStack {
  #past: UndoableMove[] = []
  #future: UndoableMove[] = []
  #line: Promise<unknown> = Promise.resolve()

  get last(): UndoableMove | undefined {
    return this.#past.at(-1)
  }

  get canUndo(): boolean {
    return this.#past.length > 0
  }

  get canRedo(): boolean {
    return this.#future.length > 0
  }

  /**
   * Notes a move that was made.
   *
   * @param instead a move that is a part of this one: both are taken back together
   */
  add(move: UndoableMove, instead?: UndoableMove): void {
    if (instead && this.last === instead) this.#past.pop()
    this.#past = [...this.#past, move].slice(-most)
    this.#future = []
  }

  /** Takes the last move back; answers it when that was done. */
  undo(): Promise<UndoableMove | null> {
    return this.#next(async () => {
      const move = this.#past.pop()
      if (!move || !(await move.undo())) return null
      this.#future.push(move)
      return move
    })
  }

  /** Makes the move again that was taken back last. */
  redo(): Promise<UndoableMove | null> {
    return this.#next(async () => {
      const move = this.#future.pop()
      if (!move || !(await move.redo())) return null
      this.#past.push(move)
      return move
    })
  }

  /** Nothing until now can be taken back any more. */
  clear(): void {
    this.#past = []
    this.#future = []
  }

  #next<T>(act: () => Promise<T>): Promise<T> {
    const done = this.#line.then(act)
    this.#line = done.catch(() => undefined)
    return done
  }
}
