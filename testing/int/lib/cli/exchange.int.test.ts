// A laptop, which is a folder of its own, and a server over HTTP: two databases, and one chat on both.

import { createServer, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { LocalChats } from '@/lib/cli/backs/local-chats'
import { Session } from '@/lib/cli/session'
import { newId } from '@/lib/events'
import { createWorker, type Services } from '@/lib/runtime'
import { checkDatabase } from '@/lib/store'
import { textOf } from '@/testing/machines/openai-server'
import { openShell, type Shell } from '@/testing/worlds/cli-world'
import { tasksAfter } from '@/testing/worlds/framework'
import { listening } from '@/testing/worlds/http-servers'
import { serveApi } from '@/testing/worlds/served-api'
import { addPerson, MODEL, openTurnWorld } from '@/testing/worlds/turn-world'

const running = tasksAfter()
const settings = {
  RAMIFY_DEFAULT_MODEL: MODEL,
  RAMIFY_RATE_LIMIT: 'off',
  RAMIFY_LOCAL_MODELS: 'off',
  RAMIFY_PRIVATE_ADDRESSES: 'on',
}

const closing: (() => unknown)[] = []
let laptop: Services
let server: Services
/** the server, through a network that a test can disturb */
let url: string
/** Bytes of the next pack that arrive before the connection is cut; undefined leaves it whole. */
let cutAfter: number | undefined
let cuts = 0

beforeAll(async () => {
  for (const stream of ['log', 'error'] as const)
    vi.spyOn(console, stream).mockImplementation(() => undefined)
  const worlds = [await openTurnWorld('pglite'), await openTurnWorld('pglite')] as const
  for (const world of worlds)
    world.answer = ({ messages }) => `Answer to: ${textOf(messages.at(-1) ?? { role: '' })}`
  laptop = await worlds[0].process(settings)
  server = await worlds[1].process(settings)
  const worker = createWorker(server).start()
  const api = await serveApi(server)
  const network = await listening(
    createServer((incoming, outgoing) => {
      const { method, headers } = incoming
      const passed = request(`${api.url}${incoming.url}`, { method, headers }, async (answered) => {
        outgoing.writeHead(answered.statusCode ?? 502, answered.headers)
        if (cutAfter === undefined || !incoming.url?.endsWith('/fetch')) return void answered.pipe(outgoing)
        cuts += 1
        const arrived = (await buffer(answered)).subarray(0, cutAfter)
        cutAfter = undefined
        outgoing.write(arrived, () => outgoing.destroy())
      })
      incoming.pipe(passed)
    }),
  )
  url = network.url
  closing.push(
    () => network.close(),
    () => api.close(),
    () => worker.stop(),
    () => Promise.allSettled(running),
    ...worlds.map((world) => () => world.close()),
  )
})
afterAll(async () => {
  for (const close of closing) await close()
  vi.restoreAllMocks()
})

/** Runs a command that is carried out. */
const done = async (shell: Shell, ...argv: string[]) => {
  const ran = await shell.run(argv)
  expect(ran, `${argv.join(' ')}: ${ran.err}`).toMatchObject({ code: 0 })
  return ran
}
const json = async (shell: Shell, ...argv: string[]) => (await done(shell, ...argv, '--json')).json
const refused = async (shell: Shell, ...argv: string[]) => {
  const ran = await shell.run(argv)
  expect(ran, argv.join(' ')).toMatchObject({ code: 1, out: '' })
  return ran.err
}

/** A person with a folder on a laptop, and a key of the person's account on the server. */
async function givenPerson() {
  const owner = await addPerson(laptop)
  const release = async () => undefined
  const chats = () => new LocalChats(laptop, owner, { place: 'the folder', release })
  const open = async (_: unknown, { chat }: { chat?: string | undefined }, heads: never) =>
    new Session(chats(), heads, { key: 'folder', chat })
  const account = await addPerson(server)
  const made = await server.apiKeys.create(account, { id: newId(), name: 'laptop' })
  if (!made?.made) throw new Error('No key')
  const here = openShell({ open: open as never })
  const there = openShell({ env: { RAMIFY_SERVER: url, RAMIFY_API_KEY: made.key } })
  closing.push(here.close, there.close)
  return { here, there, account, key: made.key }
}

/** A chat of one turn that both sides have. */
async function givenPushed() {
  const person = await givenPerson()
  const { here, there } = person
  await done(here, 'remote', 'add', 'work', url, '--key', person.key)
  await done(here, 'chat', 'Three days in Lisbon?')
  await done(here, 'push')
  const { chat } = await json(here, 'status')
  await done(there, 'checkout', chat)
  return { ...person, chat: chat as string }
}

const said = async (shell: Shell, ...argv: string[]) =>
  ((await json(shell, 'log', ...argv)) as { preview: string; remotes: string[]; branches: string[] }[]).map(
    ({ preview, remotes, branches }) => [preview, ...branches, ...remotes].join(' | '),
  )
const standing = async (shell: Shell) => (await done(shell, 'status')).lines.slice(1)

it('given a chat on a laptop, when it is pushed, gone on with there, and pulled, then both sides have all of it', async () => {
  const { here, there } = await givenPushed()
  // then it is there under the same ids
  expect(await json(there, 'log')).toEqual(await json(here, 'log'))
  expect((await done(here, 'push')).out).toBe('Everything is up to date with work.\n')

  // when it is gone on with there and fetched, then no branch moves, and the log shows the remote's
  await done(there, 'chat', 'By train?')
  const fetched = await done(here, 'fetch')
  expect(fetched.lines).toEqual(['Received 2 messages from work.', '  work/main: 2 behind'])
  expect(await standing(here)).toEqual(['  work/main: 2 behind'])
  expect((await said(here, '--all'))[0]).toBe('Answer to: By train? | work/main')
  expect((await said(here))[0]).toBe('Answer to: Three days in Lisbon? | main')

  // when it is pulled, then the branch moves on
  expect((await done(here, 'pull')).lines).toEqual(['  main: moved on'])
  expect(await json(here, 'log')).toEqual(await json(there, 'log'))
  expect(await standing(here)).toEqual(['  work/main: up to date'])
  expect((await done(here, 'pull', 'work', 'main')).out).toBe('Everything is up to date with work.\n')
  // and undo takes that back
  await done(here, 'undo')
  expect(await standing(here)).toEqual(['  work/main: 2 behind'])
  for (const { database } of [laptop, server]) expect(await checkDatabase(database)).toEqual([])
})

it('given both sides that have gone on, when it is pushed or pulled, then the words say what to do, and a merge ends it', async () => {
  const { here, there } = await givenPushed()
  await done(there, 'chat', 'By train?')
  await done(here, 'chat', 'By plane?')
  expect(await refused(here, 'push')).toMatch(/^ramify: .*"main".*Pull them first, then push again/)

  const pulled = await done(here, 'pull')
  expect(pulled.lines).toEqual(['Received 2 messages from work.', '  work/main: 2 ahead, 2 behind'])
  expect(pulled.err).toContain('Both sides have gone on with main. Merge work/main into main, then push.')
  await done(here, 'merge', 'work/main', '--mode', 'turns')
  expect((await done(here, 'push')).lines[0]).toBe('  main: moved on on work')
  expect(await json(there, 'log')).toEqual(await json(here, 'log'))
  expect((await json(here, 'pull')).moved).toEqual([])
})

it('given a chat on the server, when it is cloned through a connection that is cut, then all of it is here, and it is the current chat', async () => {
  const { here, there, key } = await givenPerson()
  await done(here, 'remote', 'add', 'work', url, '--key', key)
  await done(there, 'chat', 'Three days in Lisbon?')
  await done(there, 'chat', 'By train?')
  await done(there, 'tag', 'met')
  const { chat } = await json(there, 'status')
  cuts = 0
  cutAfter = 1000
  const cloned = await done(here, 'clone', 'work', `${url}/c/${chat}?branch=main`)
  expect(cloned.out).toBe(`Cloned chat ${chat} from work: 4 messages.\n`)
  expect(cuts).toBe(1)
  expect(await json(here, 'log')).toEqual(
    (await json(there, 'log')).map((entry: object) => ({ ...entry, remotes: [] })),
  )
  expect((await json(here, 'tag')).map(({ name }: { name: string }) => name)).toEqual(['met'])
  expect(await refused(here, 'clone', 'work', chat)).toContain('You have this chat here already.')
})

it('given a key that was revoked, no such remote, or a chat that is not there, then the words say so', async () => {
  const { here, account } = await givenPushed()
  expect(await refused(here, 'push', 'home')).toContain('“home” is not a remote. There is: work.')
  expect(await refused(here, 'clone', 'work', newId())).toMatch(/not found/)
  await server.database.query('delete from api_keys where user_id = $1', [account])
  expect(await refused(here, 'fetch')).toMatch(/^ramify: work refused the key: .*Make a new one there/)
  const nobody = await givenPerson()
  await done(nobody.here, 'chat', 'Hello')
  expect(await refused(nobody.here, 'push')).toContain(
    'There is no remote. Add one: ramify remote add NAME URL',
  )
})

it('given two remotes, then one has to be named, unless one is called origin', async () => {
  const { here, key } = await givenPushed()
  await done(here, 'remote', 'add', 'home', url, '--key', key)
  expect(await refused(here, 'push')).toContain('Which remote? ramify push NAME, with one of: home, work.')
  await done(here, 'remote', 'add', 'origin', url, '--key', key)
  expect((await done(here, 'push')).out).toContain('origin')
})
