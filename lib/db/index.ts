export {
  asJob,
  type Database,
  DatabaseOpenError,
  type Orm,
  QueryAbandonedError,
  type QueryOptions,
  QueryTimeoutError,
} from './database'
export { onBehalfOf } from './fair-gate'
export type { Load } from './load'
export { type OpenOptions, openDatabase } from './open'
export { makePrivateFile, makePrivateFolder } from './private-folder'
export { isTimeout } from './query-deadline'
export * as schema from './schema'
