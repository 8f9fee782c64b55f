// `npm run pack:engine [-- FOLDER]`: makes the packages of the engine, `@ramify/context` and `@ramify/context-postgres`.
import { cpSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import path from 'node:path'
import { bundle } from './bundle.mjs'
import { declare } from './declarations.mjs'
import { makeTarball } from './tarball.mjs'

const root = JSON.parse(readFileSync('package.json', 'utf8'))

/** The folders that one package imports of the other. */
const ofEngine = { '@/lib/context': '@ramify/context', '@/lib/events': '@ramify/context/log' }
/** Held in the package of the store: the driver is mended, and the builder imports it. */
const held = /^(postgres|drizzle-orm)(\/|$)/

const packages = [
  {
    name: '@ramify/context',
    description:
      'A conversation with a model as a graph: branches, checkpoints, and prompts made of fragments.',
    entries: {
      '.': 'lib/context/index.ts',
      './log': 'lib/events/index.ts',
      './testing': 'testing/contracts/index.ts',
    },
    outside: (name) => (/^[./]|^@\//.test(name) ? undefined : name),
    peers: ['vitest'],
    // the declarations of `ai` import it and do not bring it
    types: { '@types/json-schema': '7.0.15' },
  },
  {
    name: '@ramify/context-postgres',
    description: 'The store of @ramify/context on Postgres, or on the embedded PGlite.',
    entries: { '.': 'lib/store/published.ts' },
    outside: (name) => ofEngine[name] ?? (/^[./]|^@\//.test(name) || held.test(name) ? undefined : name),
    files: ['drizzle', 'lib/db/functions'],
  },
]

async function pack({ name, description, entries, outside, peers = [], types = {}, files }, folder) {
  const dist = path.join(folder, 'dist')
  const sources = Object.values(entries)
  const code = await bundle(sources, dist, { outside, home: files && name })
  const named = declare(sources, dist, outside)
  for (const file of files ?? [])
    cpSync(file, path.join(dist, file), {
      recursive: true,
      filter: (from) => !from.endsWith('_snapshot.json'),
    })
  cpSync('docs/engine.md', path.join(folder, 'README.md'))
  const versions = versionsOf([...code, ...named])
  return {
    name,
    version: root.version,
    description,
    license: root.license,
    type: 'module',
    // that of `node:sqlite`, which locks data folders
    engines: { node: '>=22.13' },
    sideEffects: false,
    exports: Object.fromEntries(
      Object.entries(entries).map(([subpath, source]) => {
        const file = `./dist/${source.replace(/\.ts$/, '')}`
        return [subpath, { types: `${file}.d.ts`, default: `${file}.mjs` }]
      }),
    ),
    dependencies: { ...types, ...Object.fromEntries(versions.filter(([of]) => !peers.includes(of))) },
    // only the suites of `testing` need them
    ...(peers.length > 0 && {
      peerDependencies: Object.fromEntries(peers.map((peer) => [peer, `^${root.devDependencies[peer]}`])),
      peerDependenciesMeta: Object.fromEntries(peers.map((peer) => [peer, { optional: true }])),
    }),
  }
}

/** The packages among some imports, each at the version that the app has. */
function versionsOf(imports) {
  const names = imports.filter((name) => !isBuiltin(name)).map((name) => name.match(/^(?:@[^/]+\/)?[^/]+/)[0])
  return [...new Set(names)].sort().map((name) => {
    const version = packages.some((one) => one.name === name)
      ? root.version
      : (root.dependencies[name] ?? root.devDependencies[name])
    if (!version) throw new Error(`${name} is imported, and no dependency of the app`)
    return [name, version]
  })
}

for (const one of packages) await makeTarball(process.argv[2] ?? '.', (folder) => pack(one, folder))
