import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../../..', import.meta.url))
/** They find their own files beside them: WebAssembly, and what is made for each system. */
const external = ['@electric-sql/pglite', 'sharp']

/** Packages of the older kind use both. */
const older =
  "import { createRequire as ramifyRequire } from 'node:module'\nconst require = ramifyRequire(import.meta.url)\nvar __dirname = import.meta.dirname"

/** The folder of a library, in place of the working directory, which is the app's: there lie the files that it reads. */
const folderOf = (entry) => `import { fileURLToPath as ramifyPath } from 'node:url'
const ramifyFolder = () => ramifyPath(new URL('../..', import.meta.resolve('${entry}')))`

/**
 * Makes JavaScript of entries and of all that they import, each at its own path below a folder.
 *
 * @param {string[]} entries their paths in the package
 * @param {string} outdir
 * @param {{ moves?: boolean, outside?: (name: string) => string | undefined, home?: string }} options
 *   `moves`: the result moves with the package, and so finds packages from where it lies;
 *   `outside`: for a library, the name by which it imports a package or folder that it does not hold;
 *   `home`: the name of a library that reads files, which lie two folders above its entry
 * @returns {Promise<string[]>} the names of what it imports and does not hold
 */
export async function bundle(entries, outdir, { moves, outside, home }) {
  const filter = outside ? /^[^./]/ : new RegExp(`^(${external.join('|')})($|/)`)
  const called = outside ?? ((name) => (moves ? name : import.meta.resolve(name)))
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir,
    outbase: root,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[hash]',
    bundle: true,
    splitting: true,
    metafile: true,
    platform: 'node',
    format: 'esm',
    // the oldest that has `node:sqlite`, which locks data folders
    target: 'node22.13',
    // classes are named in errors
    keepNames: true,
    logLevel: 'error',
    banner: outside ? { js: home ? folderOf(home) : '' } : { js: older },
    define: home ? { 'process.cwd': 'ramifyFolder' } : {},
    plugins: [
      {
        name: 'external',
        setup: ({ onResolve }) =>
          onResolve({ filter }, ({ path: name, kind }) => {
            const to = kind === 'entry-point' ? undefined : called(name)
            return to && { path: to, external: true }
          }),
      },
    ],
  })
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports)
  return [...new Set(imports.flatMap((one) => (one.external ? [one.path] : [])))]
}
