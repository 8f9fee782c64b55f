import { createHash, randomUUID } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import module from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))
/** Output of `npm run build` for every entry, and the state of its sources. */
export const built = path.join(root, 'dist')
export const builtState = path.join(built, 'state')
const cache = path.join(root, 'node_modules/.cache/ramify')

/**
 * Runs a file of TypeScript and all that it imports as bundled JavaScript: that of `npm run build`, or, when a source has changed
 * since, one that is made now and kept until the next change. An entry that exports `run` is given the folder of the package.
 *
 * Loaded one by one, the modules of a command take three seconds: 400 of Ramify, and those of drizzle-orm, with each of
 * which Node parses the 180 kB of its package.json again.
 *
 * @param {string} entry its path in the package
 */
export async function runBundled(entry) {
  const folder = await bundleOf(entry)
  module.enableCompileCache?.(path.join(folder, 'compiled'))
  const { run } = await import(pathToFileURL(path.join(folder, entry.replace(/\.ts$/, '.mjs'))).href)
  await run?.(root)
}

/** The folder of a bundle that is up to date with the sources. */
async function bundleOf(entry) {
  const state = existsSync(builtState) ? readFileSync(builtState, 'utf8') : undefined
  // a package has no sources, and so no state
  if (existsSync(built) && state === undefined) return built
  const now = stateOfSources()
  if (state === now) return built
  const folder = path.join(cache, now)
  const kept = path.join(folder, path.basename(entry, '.ts'))
  if (existsSync(kept)) return kept
  const bundle = await bundler()
  // copied without their times, say, to a place that has no compiler
  if (!bundle) return built
  const options = { moves: false }
  if (!canWrite(folder)) {
    const own = ownFolder()
    await bundle([entry], own, options)
    return own
  }
  // another process may be at it
  const made = `${kept}.${randomUUID()}`
  try {
    await bundle([entry], made, options)
    renameSync(made, kept)
  } catch (error) {
    rmSync(made, { recursive: true, force: true })
    if (!existsSync(kept)) throw error
  }
  return kept
}

/** Loads the bundler; undefined in production, which has the built bundles instead. */
async function bundler() {
  try {
    const { bundle } = await import('./bundle.mjs')
    return bundle
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    if (existsSync(built)) return undefined
    throw new Error(
      'Nothing is built, and the compiler is a development dependency: run npm ci && npm run build.',
    )
  }
}

/** State of the sources of a bundle; packages change with the lock file alone. */
export function stateOfSources() {
  const hash = createHash('sha256')
  const add = (file) => {
    const { mtimeMs, size } = statSync(path.join(root, file))
    hash.update(`\n${file} ${mtimeMs} ${size}`)
  }
  for (const file of ['package-lock.json', 'tsconfig.json']) add(file)
  for (const file of readdirSync(path.join(root, 'lib'), { recursive: true }).sort())
    if (/\.(ts|mjs)$/.test(file)) add(path.join('lib', file))
  return hash.digest('hex').slice(0, 16)
}

/**
 * Makes a folder, in place of those of other states: programs have read their bundle by then. False when
 * packages cannot be written to.
 */
function canWrite(folder) {
  try {
    if (mkdirSync(folder, { recursive: true })) {
      for (const other of readdirSync(cache))
        if (other !== path.basename(folder))
          rmSync(path.join(cache, other), { recursive: true, force: true, maxRetries: 3 })
    }
    accessSync(folder, constants.W_OK)
    return true
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes(error.code)) return false
    throw error
  }
}

/** A folder that ends with the process. */
function ownFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), 'ramify-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
