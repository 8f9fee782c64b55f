import path from 'node:path'

/** The checkout's root: paths made from it do not depend on the directory a command was started in. */
export const repoRoot = path.resolve(import.meta.dirname, '../..')
