import 'server-only'
import { unstable_rethrow } from 'next/navigation'
import { NotFoundError } from '@/lib/context'
import { logError } from '@/lib/runtime'

/** A page that cannot be read; the log has the reason. */
class PageError extends Error {
  override readonly name = 'PageError'

  constructor() {
    super('The page could not be read. The log says why.')
  }
}

/**
 * Reads something for a page. An error is logged here, and `PageError` thrown in its place: the framework would write it
 * whole, with the values of its statement. `NotFoundError` passes: the page shows it.
 */
export async function forPage<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    unstable_rethrow(error)
    if (error instanceof NotFoundError || error instanceof PageError) throw error
    logError('page', error)
    throw new PageError()
  }
}
