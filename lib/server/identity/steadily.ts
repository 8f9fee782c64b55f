/** Longer than checking a password takes, in ms. */
const STEP = 250

/**
 * Does work and ends at a whole step after its beginning, also when it fails: its duration does not show the result.
 *
 * @param step longer than the longest way through the work takes, in ms
 */
export async function steadily<T>(work: () => Promise<T>, step = STEP): Promise<T> {
  const begun = performance.now()
  try {
    return await work()
  } finally {
    const took = performance.now() - begun
    await new Promise((resolve) => setTimeout(resolve, step - (took % step)))
  }
}
