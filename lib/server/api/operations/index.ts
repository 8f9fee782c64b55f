import 'server-only'
import type { Operation } from '../operation'
import { accessOperations } from './access'
import { chatOperations } from './chat'
import { searchOperations } from './search'
import { threadOperations } from './threads'

/** Everything that is served under `/api`. */
export const operations: readonly Operation[] = [
  ...accessOperations,
  ...threadOperations,
  ...chatOperations,
  ...searchOperations,
]
