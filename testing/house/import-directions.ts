import path from 'node:path'
import { type Import, readImports } from './read-imports'

type Folder = {
  /** What the folder is, for the sentence that explains a violation. */
  is: string
  /** Folders it may import. */
  reaches: readonly string[]
  /** Folders it may import with `import type` only. */
  types?: readonly string[]
  /** Packages it must do without, and why. */
  without?: readonly RegExp[]
  why?: string
}

const next = [/^next($|\/)/, /^server-only$/]
const nextWhy =
  'in lib/, only lib/server and lib/auth touch next/* and server-only, which throw in plain Node'
/** What runs in plain Node. */
const plain = { without: next, why: nextWhy }
const frameworks = [
  /^(react|react-dom|drizzle-orm|@xyflow|better-auth)($|\/)/,
  /^(postgres|@electric-sql\/.*)$/,
]
const why = 'it is pure: values in, values out, no framework and no driver'
const pure = { without: [...next, ...frameworks], why }
/** Pure, and takes `ai` for the type of its messages. */
const pureButForAi = { ...pure, without: [...pure.without, /^@ai-sdk\//] }

/** Folders below another, by their names with spaces between. */
const within = (folder: string, names: string): string[] =>
  names.split(' ').flatMap((name) => (name ? `${folder}/${name}` : []))
const inLib = (names: string) => within('lib', names)

/** A room of the page, and the rooms it may import. */
const room = (is: string, rooms: string): Folder => ({
  is: `${is}, to which server code is types and actions`,
  reaches: [...within('components', rooms), ...inLib('graph context protocol markdown events')],
  types: inLib('server ai conversations'),
  without: [/^server-only$/],
  why: nextWhy,
})

const rooms: Readonly<Record<string, Folder>> = {
  'components/workspace': room(
    'thread beside graph',
    'explorer inspector context history fan-out export people replay steering merging proposals remotes shares thread actions session app ui',
  ),
  'components/shared': room('the page of a link', 'explorer thread actions session app ui'),
  'components/frame': room('the page around a chat', 'chats search export account thread actions app ui'),
  'components/compare': room('two branches side by side', 'thread actions session app ui'),
  'components/chats': room('the list of chats', 'session actions app ui'),
  'components/search': room('the search of messages', 'actions app ui'),
  'components/shares': room('links, made and listed', 'settings app ui'),
  'components/settings': room('the settings of a person', 'account context thread actions session app ui'),
  'components/account': room('signing in and up', 'app ui'),
  'components/inspector': room('what the model reads', 'thread session app ui'),
  'components/context': room('what a person changes of it', 'thread session app ui'),
  'components/merging': room('branches brought together', 'thread session app ui'),
  'components/fan-out': room('several replies to one message', 'context thread session app ui'),
  'components/export': room('a chat as a file', 'actions app ui'),
  'components/history': room('what was done in a chat', 'actions session app ui'),
  'components/remotes': room('a chat on other servers', 'session app ui'),
  'components/proposals': room('branches of copies, proposed to the owner of the original', 'session app ui'),
  'components/people': room('who is in a chat', 'shares session app ui'),
  'components/steering': room('where an agent goes on', 'actions session app ui'),
  'components/replay': room('a branch asked again', 'thread session app ui'),
  'components/docs': room('the page about the API', 'app ui'),
  'components/explorer': room('the graph', 'actions session app ui'),
  'components/thread': room('messages and the box to write them', 'actions session app ui'),
  'components/actions': room('one record per action', 'session app ui'),
  'components/session': room('the state of one chat', 'app ui'),
  'components/app': room('what every page needs', 'ui'),
  'components/ui': room('primitives without domain words', ''),
}

/** The arrows between the rooms, mostly top to bottom. CONTRIBUTING.md draws the same. */
const layout: Readonly<Record<string, Folder>> = {
  app: {
    is: 'routes, which reach data through lib/server',
    reaches: [...Object.keys(rooms), 'lib/server', 'lib/ai', 'lib/events'],
    types: ['lib/graph', 'lib/protocol'],
    without: [/^server-only$/],
    why: nextWhy,
  },
  ...rooms,
  'lib/server': {
    is: 'action and route wrappers',
    reaches: inLib('auth runtime conversations store ai gateway graph context protocol events'),
  },
  'lib/cli': {
    is: 'the command `ramify`, on a folder or over HTTP',
    reaches: inLib('runtime db conversations graph context protocol events'),
    ...plain,
  },
  'lib/runtime': {
    is: 'environment and wiring for server, worker and scripts',
    reaches: inLib('ai store db worker conversations transfer graph context protocol events'),
    ...plain,
  },
  'lib/auth': { is: 'the session', reaches: ['lib/db', 'lib/runtime'], types: ['lib/store'] },
  'lib/ai': {
    is: 'providers, scripted model, tools',
    reaches: inLib('gateway context events'),
    ...plain,
  },
  'lib/store': {
    is: 'Postgres behind the port',
    reaches: inLib('db context events'),
    types: inLib('graph protocol'),
    ...plain,
  },
  'lib/db': { is: 'client and schema', reaches: [], ...plain },
  'lib/worker': { is: 'the claimer of queued runs', reaches: inLib('conversations store ai'), ...plain },
  'lib/conversations': {
    is: 'use cases, given ports',
    reaches: inLib('transfer gateway graph context protocol markdown events'),
    ...plain,
  },
  'lib/transfer': {
    is: 'readers of the files of other programs',
    reaches: inLib('protocol events'),
    ...pureButForAi,
  },
  'lib/gateway': {
    is: 'the words of agents: calls, protocols, hashes',
    reaches: inLib('transfer context events'),
    ...pureButForAi,
  },
  'lib/graph': { is: 'pure graph functions', reaches: inLib('protocol events'), ...pureButForAi },
  'lib/protocol': {
    is: 'what travels between server and browser',
    reaches: inLib('events'),
    ...pureButForAi,
  },
  'lib/context': { is: 'the pure context engine', reaches: inLib('events'), ...pureButForAi },
  'lib/markdown': { is: 'what it costs to draw a text', reaches: [], ...pure },
  'lib/events': {
    is: 'the pure event vocabulary',
    reaches: [],
    ...pure,
    without: [...pure.without, /^(ai|@ai-sdk\/.*)($|\/)/],
  },
  e2e: {
    is: 'browser tests, which seed through use cases and do every action',
    reaches: [
      'testing',
      ...within('components', 'actions'),
      ...inLib('runtime store conversations graph context protocol events'),
    ],
    ...plain,
  },
}

/** Starts the framework, and so must name it. */
const starter = 'lib/runtime/cli/serve.ts'

/** Test machinery reaches everything and is reached by tests alone; benchmarks likewise. */
const testing = 'testing'
const unwatched = [testing, 'bench']

/** Folders further down the list: what the test of a folder may reach. */
function below(folder: string): string[] {
  const order = Object.keys(layout)
  return order.slice(order.indexOf(folder) + 1).filter((name) => name !== 'e2e')
}

/** One sentence for every import that points the wrong way, of source texts by their paths. */
export function findViolations(files: ReadonlyMap<string, string>): string[] {
  const parsed = new Map([...files].map(([file, source]) => [file, readImports(file, source)]))
  const isAction = (file: string) =>
    moduleFiles(file).some((name) => parsed.get(name)?.directives.includes('use server'))
  return [...parsed].flatMap(([file, { imports }]) => {
    const from = folderOf(file)
    if (from === null || unwatched.includes(from)) return []
    const folder = layout[from]
    const unplaced = `${file}: ${from}/ is not in the layout. Add it to CONTRIBUTING.md and to import-directions.ts.`
    if (!folder) return [unplaced]
    const test = isTest(file, imports)
    return imports.flatMap((wanted) => {
      const target = resolve(file, wanted.specifier)
      if (target === null)
        return explain(file, file === starter ? null : packageViolation(from, folder, wanted))
      const to = folderOf(target)
      if (to === null || to === from) return []
      if (test) return explain(file, testViolation(from, folder, target, to))
      const action = from.startsWith('components/') && isAction(target)
      return explain(file, action ? null : arrowViolation(from, folder, target, to, wanted))
    })
  })
}

function explain(file: string, reason: string | null): string[] {
  return reason === null ? [] : [`${file} ${reason}`]
}

function packageViolation(from: string, folder: Folder, { specifier }: Import): string | null {
  if (!folder.without?.some((pattern) => pattern.test(specifier))) return null
  return `imports the package ${specifier}, but ${from}/ must not: ${folder.why}.`
}

function testViolation(from: string, folder: Folder, target: string, to: string): string | null {
  if (to === testing || folder.reaches.includes(to) || below(from).includes(to)) return null
  return `imports ${target}, but a test reaches ${testing} and what lies below its subject, and ${to}/ lies above ${from}/.`
}

function arrowViolation(from: string, folder: Folder, target: string, to: string, { typeOnly }: Import) {
  if (folder.reaches.includes(to)) return null
  const typesAllowed = folder.types?.includes(to) ?? false
  if (typesAllowed && typeOnly) return null
  if (to === testing)
    return `imports ${target}, but ${testing}/ is for tests, e2e and bench: it must not ship.`
  if (typesAllowed) {
    const actions = from.startsWith('components/') ? ", or call an action of a 'use server' file" : ''
    return `loads ${target}, but ${from}/ may take only types from ${to}/: use \`import type\`${actions}.`
  }
  const there = layout[to] ? ` (${layout[to].is})` : ''
  return `imports ${target}, but ${from}/ is ${folder.is}: it may reach ${allowed(folder)}, not ${to}/${there}.`
}

function allowed({ reaches, types = [] }: Folder): string {
  const all = [...reaches, ...types.map((name) => `types of ${name}`)]
  return all.length > 0 ? all.join(', ') : 'nothing of ours'
}

/** A test by its name, or a shared suite: whatever loads the test runner can only be run by it. */
function isTest(file: string, imports: Import[]): boolean {
  return /\.(test|spec)\.tsx?$/.test(file) || imports.some(({ specifier }) => specifier === 'vitest')
}

/**
 * The folder of the layout a path lies in; null for files that are not part of it (root config, public). The test of a
 * folder is `testing/unit/{folder}` or `testing/int/{folder}` and keeps to the folder's arrows.
 */
function folderOf(file: string): string | null {
  const [top, second] = file.replace(/^testing\/(unit|int)\//, '').split('/')
  if (top === 'lib' || top === 'components') return `${top}/${second}`
  return ['app', 'e2e', 'bench', 'testing'].includes(top ?? '') ? (top ?? null) : null
}

/** The path an import leads to from the repository's root, or null for a package. */
function resolve(file: string, specifier: string): string | null {
  if (specifier.startsWith('@/')) return path.posix.normalize(specifier.slice(2))
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(file), specifier)
  return null
}

function moduleFiles(target: string): string[] {
  return [target, ...['.ts', '.tsx', '/index.ts', '/index.tsx'].map((ending) => target + ending)]
}
