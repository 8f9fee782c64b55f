/** Longer than checking a password takes, in ms. */
const STEP = 250

/**
 * Does work and ends at a whole quarter of a second after its beginning, also when it fails: its duration does not
 * show the result.
 */
export async function steadily<T>(work: () => Promise<T>): Promise<T> {
  const begun = performance.now()
  try {
    return await work()
  } finally {
    const took = performance.now() - begun
    await new Promise((resolve) => setTimeout(resolve, STEP - (took % STEP)))
  }
}
