import { createHash, randomUUID } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import module from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = path.resolve(import.meta.dirname, '../../..')
const cache = path.join(root, 'node_modules/.cache/ramify')
// it finds its own files beside it
const external = '@electric-sql/pglite'

/**
 * Runs a file of TypeScript and all that it imports as one file of JavaScript, which is made once and kept until a source changes.
 *
 * Loaded one by one, the modules of a command take three seconds: 400 of Ramify, and those of drizzle-orm, with each of
 * which Node parses the 180 kB of its package.json again.
 *
 * @param {string} entry its path in the package
 */
export async function runBundled(entry) {
  const folder = path.join(cache, stateOfSources())
  const kept = path.join(folder, `${path.basename(entry, '.ts')}.mjs`)
  if (!existsSync(kept)) {
    if (!canWrite(folder)) return import(await bundle(entry, path.join(ownFolder(), 'command.mjs')))
    // another process may be at it
    const made = await bundle(entry, path.join(folder, `${randomUUID()}.mjs`))
    renameSync(fileURLToPath(made), kept)
  }
  module.enableCompileCache?.(path.join(folder, 'compiled'))
  return import(pathToFileURL(kept).href)
}

/** Of the files that a bundle is made of; those of packages change with the lock file alone. */
function stateOfSources() {
  const hash = createHash('sha256').update(root)
  const add = (file) => {
    const { mtimeMs, size } = statSync(path.join(root, file))
    hash.update(`\n${file} ${mtimeMs} ${size}`)
  }
  for (const file of ['package-lock.json', 'tsconfig.json']) add(file)
  for (const file of readdirSync(path.join(root, 'lib'), { recursive: true }).sort())
    if (/\.(ts|mjs)$/.test(file)) add(path.join('lib', file))
  return hash.digest('hex').slice(0, 16)
}

/** Makes a folder, in place of those of other states: who runs a bundle has read it. False where packages cannot be written to. */
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

/** Resolves to the address of the file. */
async function bundle(entry, outfile) {
  const { build } = await import('esbuild')
  await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: `node${process.versions.node}`,
    // classes are named in errors
    keepNames: true,
    logLevel: 'error',
    define: { 'import.meta.dirname': JSON.stringify(path.join(root, path.dirname(entry))) },
    // packages of the older kind call it
    banner: {
      js: "import { createRequire as ramifyRequire } from 'node:module'\nconst require = ramifyRequire(import.meta.url)",
    },
    plugins: [
      {
        name: 'external',
        setup: ({ onResolve }) =>
          onResolve({ filter: new RegExp(`^${external}`) }, ({ path }) => ({
            path: import.meta.resolve(path),
            external: true,
          })),
      },
    ],
  })
  return pathToFileURL(outfile).href
}
