/** A scroll that is under way. */
export interface Slide {
  /** the scroll position that it leads to; null once it is over */
  readonly goal: number | null
  stop(): void
}

/** Scrolls an element within so many milliseconds: the browser's own smooth scroll takes longer over a longer way. */
export function slideTo(pane: HTMLElement, to: number, milliseconds: number): Slide {
  const from = pane.scrollTop
  let frame = 0
  let goal: number | null = to
  const stop = () => {
    cancelAnimationFrame(frame)
    goal = null
  }
  if (milliseconds === 0) {
    pane.scrollTop = to
    goal = null
  } else {
    const began = performance.now()
    const step = (now: number) => {
      const share = Math.min(1, Math.max(0, (now - began) / milliseconds))
      pane.scrollTop = from + (to - from) * (1 - (1 - share) ** 3)
      if (share < 1) frame = requestAnimationFrame(step)
      else goal = null
    }
    frame = requestAnimationFrame(step)
  }
  return {
    get goal() {
      return goal
    },
    stop,
  }
}
