// The command as a process, and what it says of a folder that is not its own.

import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { commandTable } from '@/lib/cli/help'
import { schema } from '@/lib/db'
import { createServices, listenForCommands, logError } from '@/lib/runtime'
import { repoRoot } from '@/testing/runner/repo-root'
import { openShell, type Shell, withoutIds } from '@/testing/worlds/cli-world'
import { databaseEnv, onEachDatabase } from '@/testing/worlds/open-stores'

const readme = readFileSync(path.join(repoRoot, 'README.md'), 'utf8')

describe('the command line as a process', () => {
  let folder: Awaited<ReturnType<typeof databaseEnv>>
  let home: string
  let env: NodeJS.ProcessEnv

  beforeEach(async () => {
    folder = await databaseEnv('pglite')
    home = mkdtempSync(path.join(tmpdir(), 'ramify-home-'))
    env = {
      ...{ PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`, HOME: home, XDG_STATE_HOME: home },
      ...{ RAMIFY_DATA_DIR: folder.env.RAMIFY_DATA_DIR, RAMIFY_DEMO_DELAY_MS: '0', RAMIFY_TITLES: 'words' },
      ...{ RAMIFY_LOCAL_MODELS: 'off', RAMIFY_DEFAULT_MODEL: 'demo:demo', NODE_ENV: 'production' },
    }
  })
  afterEach(async () => {
    rmSync(home, { recursive: true, force: true })
    await folder.remove()
  })

  const bash = (script: string, cwd = repoRoot) =>
    promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', script], { cwd, env })
  const command = path.join(repoRoot, 'lib/cli/ramify.mjs')

  it('given the session of the README, when it is run, then it does what it says', async () => {
    const [, section = ''] = /## On the command line\n([\s\S]*?)\n## /.exec(readme) ?? []
    const [, script = ''] = /```sh\n([\s\S]*?)```/.exec(section) ?? []
    expect(script).toContain('ramify merge sums')
    // the table beside it is that of the records
    expect(section).toContain(commandTable())

    // a process runs its first command, as the function beside it says; this process, which has all loaded, the others
    const [definition = '', begin = '', ...lines] = script.split('\n').filter((line) => line.trim() !== '')
    const first = await bash(`${definition}\n${begin}`)
    expect(first).toMatchObject({ stdout: expect.stringContaining('devansh'), stderr: '' })
    const shell = openShell({ env: env as Record<string, string> })
    const [said, hints]: [string[], string[]] = [[], []]
    for (const line of lines) {
      const [asked = '', filter] = line.replace(/ +#.*$/, '').split(' | ')
      if (filter) expect(filter).toBe('head -n 1')
      const argv = [...asked.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '')
      const run = await shell.run(argv.slice(1))
      expect(run).toMatchObject({ code: 0 })
      said.push(...withoutIds(filter ? run.lines.slice(0, 1) : run.lines))
      hints.push(...run.err.split('\n').filter(Boolean))
    }
    shell.close()

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
  }, 120_000)

  it('given a reader that has had enough, when more is written, then the command ends well and says nothing', async () => {
    // more than a pipe holds
    await bash(`printf 'word %.0s' {1..18000} | node ${command} chat`)
    const { stdout, stderr } = await bash(
      `node ${command} log | head -n 1; node ${command} export | head -c 1`,
    )
    expect(stdout).toMatch(/^message \S+ \(HEAD -> main\)\n\{$/)
    expect(stderr).toBe('')
  })

  it('given another folder, when the command is called there, then files are found from there, and exit codes tell', async () => {
    await bash(`echo "Hello there" | node ${command} chat`, home)
    const { stdout } = await bash(`node ${command} export -f md -o chat.md; wc -l < chat.md`, home)
    expect(stdout).toMatch(/^Wrote .*chat\.md/)
    await expect(bash(`node ${command} show nowhere`, home)).rejects.toMatchObject({ code: 1, stdout: '' })
    await expect(bash(`node ${command} shwo`, home)).rejects.toMatchObject({ code: 2, stdout: '' })
    await expect(bash(`node ${command} --server nowhere log`, home)).rejects.toMatchObject({ code: 2 })
  })
})

describe('a folder', () => {
  let folder: Awaited<ReturnType<typeof databaseEnv>>
  let shell: Shell
  beforeEach(async () => {
    folder = await databaseEnv('pglite')
    shell = openShell({ env: { ...folder.env, RAMIFY_LOCAL_MODELS: 'off', RAMIFY_TITLES: 'words' } })
  })
  afterEach(async () => {
    shell.close()
    await folder.remove()
  })

  it('given one that a server has open, when it is asked, then the words give the address of the server', async () => {
    const services = await createServices(folder.env)
    const { RAMIFY_DATA_DIR: dataDir } = folder.env
    const stop = await listenForCommands(services.database, dataDir, logError, 'http://localhost:3000')
    const open = await shell.run(['log'])
    stop()
    const unnamed = await shell.run(['log'])
    await services.database.close()

    expect(open).toMatchObject({ code: 1, out: '' })
    expect(open.err).toContain('It is the server at http://localhost:3000: ask that one instead.')
    expect(open.err).toContain('RAMIFY_SERVER=http://localhost:3000')
    expect(unnamed.err).toContain('Wait for its end, or stop it.')
    expect(await shell.run(['log'])).toMatchObject({ code: 0 })
  })
})

onEachDatabase('a database of several people', ({ name }) => {
  let database: Awaited<ReturnType<typeof databaseEnv>>
  let shell: Shell
  beforeEach(async () => {
    database = await databaseEnv(name)
    shell = openShell({ env: { ...database.env, RAMIFY_LOCAL_MODELS: 'off', RAMIFY_TITLES: 'words' } })
  })
  afterEach(async () => {
    shell.close()
    await database.remove()
  })

  it('given no name, when it is asked, then the people are listed; the one named once is meant from then on', async () => {
    const services = await createServices(database.env)
    for (const name of ['ada', 'bob']) {
      await services.database.orm.insert(schema.user).values({ id: name, name, email: `${name}@example.org` })
    }
    await services.database.close()
    // without a chat, the latest to come is meant; then the only one who has chats
    expect((await shell.run(['--as', 'ada@example.org', 'chat', 'From Ada'])).code).toBe(0)
    expect((await shell.run(['--as', 'bob', 'chat', 'From Bob'])).code).toBe(0)

    expect((await shell.run(['log', '--json'])).json).toMatchObject([{}, { preview: 'From Bob' }])
    const fresh = openShell({ env: database.env })
    const refused = await fresh.run(['log'])
    fresh.close()
    expect(refused).toMatchObject({ code: 1, out: '' })
    expect(refused.err).toMatch(
      /2 people have chats here.*--as.*\n {2}bob@example\.org: 1 chat.*\n {2}ada@example\.org: 1 chat/s,
    )
    expect((await shell.run(['--as', 'eve', 'log'])).err).toContain('There is no person “eve” here.')
    // Ada's chat is not found in Bob's
    expect((await shell.run(['checkout', 'From Ada'])).code).toBe(1)
  })
})
