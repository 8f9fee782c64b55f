export { asJob } from './as-job'
export {
  type Database,
  DatabaseOpenError,
  type Orm,
  QueryAbandonedError,
  type QueryOptions,
  QueryTimeoutError,
} from './database'
export { type OpenOptions, openDatabase } from './open'
export { isTimeout } from './query-deadline'
export * as schema from './schema'
