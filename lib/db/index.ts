export { type Database, DatabaseOpenError, type Orm, type QueryOptions } from './database'
export { onBehalfOf } from './fair-gate'
export { type OpenOptions, openDatabase } from './open'
export * as schema from './schema'
