// A step of the Dockerfile, after `npm run build` and `npm prune --omit=dev`: deletes the files of packages that the server never
// opens. Most packages are in the bundles of the build, and the framework has its compiler with it.

import { globSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const require = createRequire(import.meta.url)
const { nodeFileTrace } = require('next/dist/compiled/@vercel/nft')
const root = path.resolve(import.meta.dirname, '..')
process.chdir(root)

/** Folders that are kept whole: they find their own files beside them, or are opened by name. */
const whole = [
  'node_modules/@electric-sql/pglite',
  'node_modules/geist/dist/fonts',
  ...globSync('node_modules/@img/*'),
  'node_modules/sharp',
]
/** What a server never opens: Node is in the image, and the rest is of the build, as the state of the sources is. */
const never = [
  'node_modules/node',
  'dist/state',
  '.next/cache',
  '.next/diagnostics',
  '.next/types',
  '.next/dev',
  '.next/trace',
]

const kept = new Set()
for (const trace of globSync('.next/**/*.nft.json'))
  for (const file of JSON.parse(readFileSync(trace, 'utf8')).files)
    kept.add(path.relative(root, path.resolve(path.dirname(trace), file)))
const programs = [
  'lib/cli/ramify.mjs',
  'lib/runtime/cli/run.mjs',
  ...globSync('dist/**/*.mjs'),
  // the framework loads them by name
  ...['next', 'next-server', 'lib/router-server', 'lib/start-server', 'lib/render-server'].map((name) =>
    path.relative(root, require.resolve(`next/dist/server/${name}`)),
  ),
]
const { fileList } = await nodeFileTrace(programs, { base: root, ignore: ['.next/**', '**/*.d.ts'] })
for (const file of fileList) kept.add(file)

/** Deletes what is not kept below a folder. Returns whether nothing of it is left. */
function sweep(folder) {
  let isEmpty = true
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name)
    if (whole.includes(file)) isEmpty = false
    else if (lstatSync(file).isDirectory() ? !sweep(file) : kept.has(file)) isEmpty = false
    else rmSync(file, { recursive: true })
  }
  return isEmpty
}

for (const folder of never) rmSync(folder, { recursive: true, force: true })
sweep('node_modules')
