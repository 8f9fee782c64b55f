export { type Database, DatabaseOpenError, type Orm, type QueryOptions } from './database'
export type { Load } from './load'
export { type OpenOptions, openDatabase } from './open'
export * as schema from './schema'
