import type { Database } from './database'

/** The same database for work that takes as long as it takes: a follower, a rebuild, a check. */
export const asJob = (database: Database): Database => ({
  ...database,
  query: (text, params, options) => database.query(text, params, { ...options, kind: 'job' }),
})
