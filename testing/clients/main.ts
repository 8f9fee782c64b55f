import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import type { ChatPage } from '@/lib/protocol'
import { Visitor } from '@/testing/faults/visitor'
import { AppServer } from '@/testing/machines/app-server'
import { freePort } from '@/testing/machines/free-port'
import { repoRoot } from '@/testing/runner/repo-root'
import { ASKED, type Client, codingAgents } from './clients'
import { differences, printedDifferences } from './compare'
import { libraryClients } from './libraries'
import { resumedFaults } from './resumed-run'
import { runClient } from './run-client'
import { startScriptedProvider } from './scripted-provider'
import { steeredFaults } from './steered-run'

/**
 * `npm run test:clients [-- --only codex --folder DIR]`: installs the clients of agents as a person does, in a folder of their own,
 * and runs each twice on a scripted provider: directly, and through a production build of Ramify. It compares what the provider
 * is asked and what the client prints, and prints the chats that come of it. A third run is moved by a person in its middle, and a session that Ramify has written is resumed. Exit code 1 when a client fails, is asked or answered otherwise, or leaves another chat
 * than the one that was asked for.
 */
const { values } = parseArgs({
  options: {
    /** only clients with this in their name */
    only: { type: 'string', default: '' },
    /** where they are installed, and stay */
    folder: { type: 'string', default: path.join(tmpdir(), 'ramify-clients') },
    /** writes all requests and outputs there */
    report: { type: 'string' },
  },
})

/** Faults of a client that are printed; the report has all. */
const SHOWN = 12

const chosen = [...codingAgents, ...libraryClients].filter(({ name }) =>
  name.toLowerCase().includes(values.only.toLowerCase()),
)
const bins = path.join(values.folder, 'node_modules/.bin')
if (!existsSync(path.join(repoRoot, '.next/BUILD_ID'))) {
  console.error(
    'The clients are run through a production build, and there is none: run `npm run build` first.',
  )
  process.exit(1)
}

/** Installs one client; false, with npm's words, where it cannot be. */
function install({ name, pkg, packages = [pkg] }: Client): boolean {
  const own = path.join(values.folder, 'package.json')
  mkdirSync(values.folder, { recursive: true })
  if (!existsSync(own)) writeFileSync(own, '{"private": true}')
  // a package of the name may be there for another client alone, in the version that this one needs
  const { dependencies = {} } = JSON.parse(readFileSync(own, 'utf8'))
  if (packages.every((each) => each in dependencies)) return true
  try {
    execFileSync('npm', ['install', '--no-audit', '--no-fund', ...packages.map((each) => `${each}@latest`)], {
      cwd: values.folder,
      stdio: 'pipe',
    })
    return true
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)
    console.log(`${name}: could not be installed. ${said.trim().split('\n').at(-1)}`)
    return false
  }
}

const versionOf = ({ pkg }: Client): string => {
  const about = JSON.parse(
    readFileSync(path.join(values.folder, 'node_modules', pkg, 'package.json'), 'utf8'),
  )
  return String(about.version)
}

/** The chats of a person, as titles and as lines. */
async function chatsOf(visitor: Visitor, base: string) {
  const { chats } = await visitor.json<ChatPage>(`${base}/api/chats`)
  const lines: string[] = []
  const graphs: { messages: number; branches: number }[] = []
  for (const { id, title } of chats) {
    const { nodes, branches } = await visitor.graph(base, id)
    graphs.push({ messages: nodes.length, branches: branches.length })
    lines.push(`chat "${title}": ${nodes.length} messages, ${branches.length} branches`)
  }
  return { titles: chats.map(({ title }) => title ?? ''), lines, graphs }
}

const provider = await startScriptedProvider()
const failed: string[] = []
for (const client of chosen) {
  if (!install(client)) continue
  const place = await mkdtemp(path.join(tmpdir(), 'ramify-client-'))
  const home = path.join(place, 'home')
  const job = client.job(path.join(home, 'work'))
  provider.begin(job)
  const direct = await runClient(client, { base: provider.url, key: 'sk-of-the-client', home }, bins)
  // a client's look whether its provider is there does not go on to the provider
  const asked = provider.requests().filter(({ method }) => method !== 'HEAD')

  const port = await freePort()
  const server = new AppServer(port, {
    NODE_ENV: 'production',
    PATH: process.env.PATH,
    HOME: place,
    RAMIFY_DATA_DIR: path.join(place, 'data'),
    RAMIFY_LOCAL_MODELS: 'off',
    RAMIFY_PRIVATE_ADDRESSES: 'on',
    OPENAI_API_KEY: 'sk-server',
    OPENAI_BASE_URL: `${provider.url}/v1`,
    ANTHROPIC_API_KEY: 'sk-server',
    ANTHROPIC_BASE_URL: `${provider.url}/v1`,
  })
  await server.start()
  const base = server.url
  const visitor = await new Visitor().signIn(base)
  const { key } = await visitor.json<{ key: string }>(`${base}/api/keys`, { name: client.name })
  provider.begin(job)
  const ran = await runClient(client, { base, key, home }, bins)
  const sent = provider.requests()
  const chats = await chatsOf(visitor, base)

  const faults = [...differences(asked, sent), ...printedDifferences(direct.output, ran.output)]
  if (client.isSteered) {
    const mover = await new Visitor().signIn(base)
    const { key: own } = await mover.json<{ key: string }>(`${base}/api/keys`, { name: client.name })
    const way = { base, key: own, home }
    const steered = await steeredFaults(client, { provider, visitor: mover, way, bins })
    faults.push(...steered.map((fault) => `moved in the middle: ${fault}`))
  }
  const moved = client.isSteered ? provider.requests() : []
  await server.stop()
  const straight = { base: provider.url, key: 'sk-of-the-client', home }
  const resumed = await resumedFaults(client, { provider, place, way: straight, bins })
  faults.push(...resumed.map((fault) => `resumed: ${fault}`))
  if (ran.codes.join() !== direct.codes.join())
    faults.push(
      `ends with ${ran.codes.join()} where it ends with ${direct.codes.join()} without Ramify: ${ran.output.slice(-500)}`,
    )
  if (chats.titles.length !== 1) faults.push(`${chats.titles.length} chats`)
  const [graph] = chats.graphs
  if (client.drawn && graph && !isDeepStrictEqual(graph, client.drawn)) {
    const { messages, branches } = client.drawn
    faults.push(`its graph was drawn with ${messages} messages on ${branches} branches`)
  }
  console.log(
    `${client.name} ${versionOf(client)}: ${asked.length} requests, ${sent.length} through Ramify, ended with ${direct.codes.join()}`,
  )
  for (const line of chats.lines) console.log(`  ${line}`)
  for (const fault of faults.slice(0, SHOWN)) console.log(`  ✕ ${fault}`)
  if (faults.length > SHOWN) console.log(`  ✕ and ${faults.length - SHOWN} more`)
  if (faults.length > 0) failed.push(client.name)
  if (values.report) {
    mkdirSync(values.report, { recursive: true })
    const file = path.join(values.report, `${client.name.replaceAll(/\W+/g, '-')}.json`)
    writeFileSync(
      file,
      JSON.stringify({ faults, asked, sent, moved, direct, ran, chats, log: server.errors }, null, 1),
    )
  }
  await rm(place, { recursive: true, force: true })
}
await provider.close()
console.log(
  `${chosen.length} clients asked for "${ASKED}"; ${failed.length} with faults: ${failed.join(', ') || 'none'}`,
)
process.exitCode = failed.length > 0 ? 1 : 0
