import 'server-only'

/** Longer than checking a password takes, in ms. */
const STEP = 250

/**
 * Does something and ends at the next whole quarter of a second since its beginning, also when it fails: how long it took
 * says nothing of what was found.
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
