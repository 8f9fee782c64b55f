export { type Database, DatabaseOpenError, type Orm, type QueryOptions } from './database'
export { type OpenOptions, openDatabase } from './open'
export { makePrivateFile, makePrivateFolder } from './private-folder'
export * as schema from './schema'
