// A step of the Dockerfile, after `npm run build` and `npm prune --omit=dev`: deletes what the server never opens. Most
// packages are in the bundles of the build already, and the framework comes with its compiler.
import { globSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')
const require = createRequire(path.join(root, 'package.json'))
const { nodeFileTrace } = require('next/dist/compiled/@vercel/nft')
process.chdir(root)

/** Folders that are kept whole: their files are opened by name. */
const whole = new Set([
  'node_modules/@electric-sql/pglite',
  'node_modules/@next/env',
  ...globSync('node_modules/@img/*'),
])
/** Node is in the image; the rest is of the build, as the state of the sources is. */
const never = [
  'node_modules/node',
  'node_modules/next/dist/compiled/@vercel/nft',
  'node_modules/next/dist/docs',
  'dist/state',
  ...['cache', 'diagnostics', 'types', 'dev', 'trace', 'trace-build'].map((name) => `.next/${name}`),
]
const unread = /\.(map|md|d\.[cm]?ts|nft\.json|runtime\.dev\.js)$/

/** What the pages and routes open, as the build has traced it, and what the framework's server and `sharp` do. */
const kept = new Set()
for (const trace of globSync('.next/**/*.nft.json'))
  for (const file of JSON.parse(readFileSync(trace, 'utf8')).files)
    kept.add(path.relative(root, path.resolve(path.dirname(trace), file)))
const programs = ['next', 'next-server', 'lib/router-server', 'lib/render-server']
  .map((name) => require.resolve(`next/dist/server/${name}`))
  .concat(require.resolve('sharp'))
const { fileList } = await nodeFileTrace(programs, { base: root })
for (const file of fileList) kept.add(file)

/**
 * Deletes the files of a folder that are not kept, and folders in which nothing is left.
 *
 * @param keepsAll whether only files that no program reads are deleted
 */
function sweep(folder, keepsAll) {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name)
    if (lstatSync(file).isDirectory()) {
      sweep(file, keepsAll || whole.has(file))
      if (readdirSync(file).length === 0) rmSync(file, { recursive: true })
    } else if (unread.test(name) || !(keepsAll || kept.has(file))) rmSync(file)
  }
}

for (const file of never) rmSync(file, { recursive: true, force: true })
sweep('node_modules', false)
sweep('.next', true)
sweep('dist', true)
