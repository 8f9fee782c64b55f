import type { BranchId } from '@/lib/events'
import type { GraphIndex } from './graph-index'

/**
 * The words a branch is shown by. Its name stays its handle in URLs, the API and the library.
 *
 * @returns its name, when nothing better is known
 */
export function branchTitle(index: GraphIndex, id: BranchId): string {
  return index.branch(id)?.name ?? ''
}
