import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../../..', import.meta.url))
/** They find their own files beside them: WebAssembly, and what is made for each system. */
const external = ['@electric-sql/pglite', 'sharp']

/**
 * Makes JavaScript of entries and of all that they import, each at its own path below a folder.
 *
 * @param {string[]} entries their paths in the package
 * @param {string} outdir
 * @param {{ moves: boolean }} options whether the result moves with the package, and so finds packages from where it lies
 */
export async function bundle(entries, outdir, { moves }) {
  await build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir,
    outbase: root,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[hash]',
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    // the oldest that has `node:sqlite`, which locks data folders
    target: 'node22.13',
    // classes are named in errors
    keepNames: true,
    logLevel: 'error',
    // packages of the older kind use both
    banner: {
      js: "import { createRequire as ramifyRequire } from 'node:module'\nconst require = ramifyRequire(import.meta.url)\nvar __dirname = import.meta.dirname",
    },
    plugins: [
      {
        name: 'external',
        setup: ({ onResolve }) =>
          onResolve({ filter: new RegExp(`^(${external.join('|')})($|/)`) }, ({ path: name }) => ({
            path: moves ? name : import.meta.resolve(name),
            external: true,
          })),
      },
    ],
  })
}
