/** A provider that keeps its socket open and says nothing would otherwise hold a run for ever. */
export function watchSilence(stop: AbortSignal | undefined, silenceMs: number) {
  const controller = new AbortController()
  const timer = setTimeout(() => {
    controller.abort(new DOMException('The model said nothing for too long', 'TimeoutError'))
  }, silenceMs)
  return {
    /** aborts with the caller's signal, or with a `TimeoutError` after too long a silence */
    signal: stop === undefined ? controller.signal : AbortSignal.any([stop, controller.signal]),
    /** the model has said a part: the clock starts anew */
    heard: () => timer.refresh(),
    end: () => clearTimeout(timer),
  }
}
