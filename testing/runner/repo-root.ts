import path from 'node:path'

/** The checkout's root: paths below it hold whatever directory a command was started from. */
export const repoRoot = path.resolve(import.meta.dirname, '../..')
