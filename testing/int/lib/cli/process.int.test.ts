// The command as a process, and what it says of a folder that is not its own.

import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ChatsPort } from '@/lib/cli/backs/chats-port'
import { keyOfLocal } from '@/lib/cli/backs/open-local'
import { commandTable } from '@/lib/cli/help'
import { openPlace } from '@/lib/cli/open-place'
import type { OpenPlace } from '@/lib/cli/run-cli'
import { Session } from '@/lib/cli/session'
import { schema } from '@/lib/db'
import { createServices, listenForCommands, logError } from '@/lib/runtime'
import { repoRoot } from '@/testing/runner/repo-root'
import { openShell, type Shell, withoutIds } from '@/testing/worlds/cli-world'
import { type DatabaseKind, databaseEnv, onOneDatabase } from '@/testing/worlds/open-stores'

/** A database of its own for each test of a block, its settings, and shells that ask it. */
function useFolder(name: DatabaseKind) {
  let database: Awaited<ReturnType<typeof databaseEnv>>
  const shells: Shell[] = []
  beforeEach(async () => {
    database = await databaseEnv(name)
  })
  afterEach(async () => {
    for (const shell of shells.splice(0)) shell.close()
    await database.remove()
  })
  const env = () => ({
    ...database.env,
    RAMIFY_DEFAULT_MODEL: 'demo:demo',
    RAMIFY_DEMO_DELAY_MS: '0',
    RAMIFY_LOCAL_MODELS: 'off',
    RAMIFY_TITLES: 'words',
  })
  const openOne = (open?: OpenPlace) => {
    const shell = openShell({ env: env(), ...(open && { open }) })
    shells.push(shell)
    return shell
  }
  return { env, openOne }
}

describe('the command line as a process', () => {
  const { env, openOne } = useFolder('pglite')

  it('given the session of the documents, when it is run, then it does what it says; pipes and exit codes are those of a shell', async () => {
    const section = readFileSync(path.join(repoRoot, 'docs/cli.md'), 'utf8')
    const [, script = ''] = /```sh\n([\s\S]*?)```/.exec(section) ?? []
    expect(script).toContain('ramify merge sums')
    // the table beside it is that of the records
    expect(section).toContain(commandTable())
    // the folder stays open from one command of this process to the next
    let port: ChatsPort | undefined
    let close = async (): Promise<void> => undefined
    const shell = openOne(async (world, asked, heads) => {
      if (!port) {
        ;({ port } = await openPlace(world, asked, heads))
        close = port.close.bind(port)
        port.close = async () => undefined
      }
      return new Session(port, heads, { key: keyOfLocal(env()), chat: asked.chat })
    })
    const bash = (lines: string, cwd: string) =>
      promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', lines], {
        cwd,
        env: {
          ...env(),
          PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`,
          HOME: shell.home,
          XDG_STATE_HOME: path.join(shell.home, 'state'),
          NODE_ENV: 'production',
        },
      })

    // a process runs its first command, as the function beside it says; this process, which has all loaded, the others
    const [definition = '', begin = '', ...lines] = script.split('\n').filter((line) => line.trim() !== '')
    const first = await bash(`${definition}\n${begin}`, repoRoot)
    expect(first).toMatchObject({ stdout: expect.stringContaining('devansh'), stderr: '' })
    const [said, hints]: [string[], string[]] = [[], []]
    for (const line of lines) {
      const [asked = '', filter] = line.replace(/ +#.*$/, '').split(' | ')
      if (filter) expect(filter).toBe('head -n 1')
      const argv = [...asked.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '')
      const run = await shell.run(argv.slice(1))
      expect(run, line).toMatchObject({ code: 0 })
      said.push(...withoutIds(filter ? run.lines.slice(0, 1) : run.lines))
      hints.push(...run.err.split('\n').filter(Boolean))
    }
    expect(said).toEqual(
      expect.arrayContaining([
        'Your name is devansh. You told me in message 1 of this branch.',
        '2 + 2 = 4',
        '* # (HEAD -> sums) Assistant: 2 + 2 = 4',
        expect.stringMatching(/^\| \* # \(main\) Assistant: Your name is devansh/),
        '|/',
        '- what is [-my name-]',
        'Merged sums into main.',
        'Took back: merged sums into main. On branch main.',
      ]),
    )
    expect(said.at(-1)).toMatch(/^# /)
    expect(hints).toEqual(Array(4).fill('Take it back with: ramify undo'))

    // given a reader that has had enough of more than a pipe holds, then it ends well and says nothing
    const long = 'word '.repeat(18_000)
    expect(await shell.run(['chat', '--new'], { stdin: long })).toMatchObject({ code: 0 })
    await close()
    const node = `node ${path.join(repoRoot, 'lib/cli/ramify.mjs')}`
    writeFileSync(path.join(shell.home, 'empty.json'), '')
    const cut = await bash(`${node} export | head -c 1; ${node} import empty.json || echo " $?"`, shell.home)
    expect(cut).toEqual({ stdout: '{ 1\n', stderr: expect.stringMatching(/^ramify: .*is empty.*\n$/) })
  }, 120_000)
})

describe('a folder', () => {
  const { env, openOne } = useFolder('pglite')

  it('given one that a server has open, when it is asked, then the words give the address of the server', async () => {
    const shell = openOne()
    const services = await createServices(env())
    const { RAMIFY_DATA_DIR: dataDir } = env()
    const stop = await listenForCommands(services.database, dataDir, logError, 'http://localhost:3000')
    const asked = await shell.run(['log'])
    stop()
    const unnamed = await shell.run(['log'])
    await services.database.close()

    expect(asked).toMatchObject({ code: 1, out: '' })
    expect(asked.err).toContain('It is the server at http://localhost:3000: ask that one instead.')
    expect(asked.err).toContain('RAMIFY_SERVER=http://localhost:3000')
    expect(unnamed.err).toContain('Wait for its end, or stop it.')
    expect(await shell.run(['log'])).toMatchObject({ code: 0 })
    expect((await shell.run(['--server', 'nowhere', 'log'])).code).toBe(2)
  })
})

onOneDatabase('a database of several people', ({ name }) => {
  const { env, openOne } = useFolder(name)

  it('given no name, when it is asked, then the people are listed; the one named once is meant from then on', async () => {
    const shell = openOne()
    const services = await createServices(env())
    for (const name of ['ada', 'bob']) {
      await services.database.orm.insert(schema.user).values({ id: name, name, email: `${name}@example.org` })
    }
    await services.database.close()
    // without a chat, the latest to come is meant; then the only one who has chats
    expect((await shell.run(['--as', 'ada@example.org', 'chat', 'From Ada'])).code).toBe(0)
    expect((await shell.run(['--as', 'bob', 'chat', 'From Bob'])).code).toBe(0)

    expect((await shell.run(['log', '--json'])).json).toMatchObject([{}, { preview: 'From Bob' }])
    const refused = await openOne().run(['log'])
    expect(refused).toMatchObject({ code: 1, out: '' })
    expect(refused.err).toMatch(
      /2 people have chats here.*--as.*\n {2}bob@example\.org: 1 chat.*\n {2}ada@example\.org: 1 chat/s,
    )
    expect((await shell.run(['--as', 'eve', 'log'])).err).toContain('There is no person “eve” here.')
    // Ada's chat is not found in Bob's
    expect((await shell.run(['checkout', 'From Ada'])).code).toBe(1)
  })
})
