// `npm run pack [-- FOLDER]`, after `npm run build`: makes the package `ramify` of the build, which starts without a clone, a build or a
// compiler.
//
// All that the app needs lies in `app`, packages included. npm looks into no `node_modules` below the folder of a package, and so
// leaves them as they are. Pictures alone need `sharp`, which is made for each system: npm fetches it beside the package.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import nft from 'next/dist/compiled/@vercel/nft/index.js'
import { makeTarball, writeManifest } from './tarball.mjs'

const { name, version, description, license, dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))

/** Files that only the build, or the development server, reads. */
const ofBuild =
  /^\.next\/(cache|dev|types|build|diagnostics|turbopack|node_modules|trace|trace-build)(\/|$)|\.(map|nft\.json)$/
/** The parts of the framework that compile, and those that help in development. */
const ofDevelopment = [
  '**/next/dist/compiled/{webpack,next-devtools}/**',
  '**/next/dist/{docs,pages}/**',
  '**/next/dist/server/dev/**',
  '**/next/dist/server/lib/{dev-bundler-service,router-utils/setup-dev-bundler}.js',
  '**/next/dist/build/swc/**',
  'node_modules/{typescript,@swc/core}/**',
  '**/*.development.js',
  '**/*.dev.js',
  '**/*.d.ts',
  '**/*.map',
]
/** Made for each system, or a package beside this one. */
const fetched = /^node_modules\/(sharp|@img|detect-libc|semver)\//

async function pack(folder) {
  if (!existsSync('.next/BUILD_ID') || !existsSync('dist'))
    throw new Error('There is no build: run npm run build first.')
  const app = path.join(folder, 'app')
  const copy = (from) => copyPart(from, path.join(app, from))
  for (const part of ['.next', 'dist', 'drizzle', 'docs', 'public']) copy(part)
  for (const file of ['run.mjs', 'bundled.mjs']) copy(`lib/runtime/cli/${file}`)
  for (const file of ['lib/cli/ramify.mjs', 'lib/db/functions', 'package-lock.json']) copy(file)
  // without it, what was built is taken as it is
  rmSync(path.join(app, 'dist/state'))
  rmSync(path.join(app, 'dist/compiled'), { recursive: true, force: true })
  for (const file of await tracedPackages()) copy(file)
  nameExternals(app)
  forgetFolder(app)
  writeManifest(app, { name, version, type: 'module', private: true })
  for (const file of ['README.md', 'CHANGELOG.md']) cpSync(file, path.join(folder, file))
  return {
    name,
    version,
    description,
    license,
    bin: { ramify: 'app/lib/cli/ramify.mjs' },
    // that of `node:sqlite`, which locks data folders
    engines: { node: '>=22.13' },
    optionalDependencies: { sharp: dependencies.sharp },
  }
}

/** Copies a file or a folder without what only the build reads. */
function copyPart(from, to) {
  cpSync(from, to, {
    recursive: true,
    filter: (file) => !ofBuild.test(file.replaceAll('\\', '/')),
  })
}

/** The files of packages that the server reads: those that the framework has traced, and those of its own HTTP server. */
async function tracedPackages() {
  const traces = readdirSync('.next/server', { recursive: true })
    .filter((file) => file.endsWith('.nft.json'))
    .map((file) => path.join('.next/server', file))
  const files = ['.next/next-server.js.nft.json', ...traces].flatMap((trace) => {
    const { files } = JSON.parse(readFileSync(trace, 'utf8'))
    return files.map((file) => path.relative('.', path.resolve(path.dirname(trace), file)))
  })
  const { fileList } = await nft.nodeFileTrace(['node_modules/next/dist/server/next.js'], {
    mixedModules: true,
    ignore: ofDevelopment,
  })
  return new Set(
    [...files, ...fileList]
      .map((file) => file.replaceAll('\\', '/'))
      .filter((file) => /^node_modules\//.test(file) && !fetched.test(file) && statSync(file).isFile()),
  )
}

/** The build calls packages by links of its own, such as `postgres-3f98aac8c9563034`; a package holds no links. */
function nameExternals(app) {
  const links = readdirSync('.next/node_modules', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isSymbolicLink())
    .map((entry) =>
      path.relative('.next/node_modules', path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'),
    )
  const called = new RegExp(links.join('|'), 'g')
  for (const file of readdirSync(path.join(app, '.next/server'), { recursive: true })) {
    if (!file.endsWith('.js')) continue
    const at = path.join(app, '.next/server', file)
    const source = readFileSync(at, 'utf8')
    const named = source.replace(called, (link) => link.replace(/-[0-9a-f]{16}$/, ''))
    if (named !== source) writeFileSync(at, named)
  }
}

/** The settings of the build name the folder it was made in. */
function forgetFolder(app) {
  const file = path.join(app, '.next/required-server-files.json')
  const folder = JSON.stringify(process.cwd()).slice(1, -1)
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(folder, '.'))
  rmSync(path.join(app, '.next/required-server-files.js'), { force: true })
}

await makeTarball(process.argv[2] ?? '.', pack)
