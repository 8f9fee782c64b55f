/** The outcome of work that a signal ends; where the signal has ended it, its reason is the error. */
export const stoppedBy = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw signal.aborted ? signal.reason : error
  })
