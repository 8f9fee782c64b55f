export { asJob, type Database, type Orm, QueryAbandonedError, type QueryOptions } from './database'
export { onBehalfOf } from './fair-gate'

export { type OpenOptions, openDatabase } from './open'
export { makePrivateFile, makePrivateFolder } from './private-folder'
export { isTimeout } from './query-deadline'
export * as schema from './schema'
