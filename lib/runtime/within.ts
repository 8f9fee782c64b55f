/**
 * The result of some work; undefined when it takes longer than `ms`. The work then continues, and its failure
 * is ignored.
 */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(resolve, ms)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
