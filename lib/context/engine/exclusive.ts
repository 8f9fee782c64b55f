/**
 * Runs asynchronous work one piece at a time, in the order asked for; a piece that fails does not stop the next.
 *
 * @example const exclusively = exclusive(); await Promise.all([exclusively(save), exclusively(save)])
 */
export function exclusive(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    // the outcome itself is not kept: it may be a whole conversation
    last = result.then(ignore, ignore)
    return result
  }
}

const ignore = (): void => undefined
