export type SilenceWatch = {
  /** Aborts with the caller's signal, or with a `TimeoutError` after too long a silence. */
  readonly signal: AbortSignal
  /** The model said something: the clock starts anew. */
  heard(): void
  end(): void
}

/** A provider that keeps its socket open and says nothing would otherwise hold a run for ever. */
export function watchSilence(stop: AbortSignal | undefined, silenceMs: number): SilenceWatch {
  const controller = new AbortController()
  const timer = setTimeout(() => {
    controller.abort(new DOMException('The model said nothing for too long', 'TimeoutError'))
  }, silenceMs)
  return {
    signal: stop === undefined ? controller.signal : AbortSignal.any([stop, controller.signal]),
    heard: () => timer.refresh(),
    end: () => clearTimeout(timer),
  }
}
