export { blankFile, blankState, isBlankCurrent, packBlank } from './blank-folder'
export { completeParts } from './complete-parts'
export {
  asJob,
  type Database,
  knownAs,
  type Orm,
  QueryAbandonedError,
  type QueryOptions,
  type Transaction,
} from './database'
export { onBehalfOf } from './fair-gate'
export { FolderInUseError, lockFolder } from './folder-lock'

export { type OpenOptions, openDatabase } from './open'
export { makePrivateFile, makePrivateFolder } from './private-folder'
export { isTimeout } from './query-deadline'
export * as schema from './schema'
export {
  appliedMigrations,
  defineFunctions,
  knownMigrations,
  MIGRATION_LOCK,
  migrateWhole,
} from './whole/migrations'
export {
  type CopiedRows,
  changeWhole,
  quoted,
  readWhole,
  type WholeDatabase,
} from './whole/whole-database'
