// Every command on both places that a command line can ask: a folder in its own process, and a server over HTTP.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { LocalChats } from '@/lib/cli/backs/local-chats'
import { Session } from '@/lib/cli/session'
import { newId } from '@/lib/events'
import { createWorker, type Services } from '@/lib/runtime'
import { textOf } from '@/testing/machines/openai-server'
import { openShell, type Shell, withoutIds } from '@/testing/worlds/cli-world'
import { fixture } from '@/testing/worlds/exported-files'
import { tasksAfter } from '@/testing/worlds/framework'
import { serveApi } from '@/testing/worlds/served-api'
import { addPerson, MODEL, openTurnWorld, type TurnWorld } from '@/testing/worlds/turn-world'

const running = tasksAfter()

const settings = { RAMIFY_DEFAULT_MODEL: MODEL, RAMIFY_RATE_LIMIT: 'off', RAMIFY_LOCAL_MODELS: 'off' }

/** A place that shells ask, each of a person of its own. */
interface Place {
  world: TurnWorld
  services: Services
  /** a shell of a new person */
  shell(): Promise<Shell>
  close(): Promise<void>
}

async function openFolder(): Promise<Place> {
  const world = await openTurnWorld('pglite')
  const services = await world.process(settings)
  return {
    world,
    services,
    async shell() {
      const owner = await addPerson(services)
      // the folder stays open for the other shells
      const release = async () => undefined
      const chats = () => new LocalChats(services, owner, { place: 'the folder', release })
      return openShell({
        open: async (_, { chat }, heads) => new Session(chats(), heads, { key: 'folder', chat }),
      })
    },
    close: () => world.close(),
  }
}

async function openServer(): Promise<Place> {
  const world = await openTurnWorld('pglite')
  const services = await world.process(settings)
  const worker = createWorker(services).start()
  const api = await serveApi(services)
  return {
    world,
    services,
    async shell() {
      const owner = await addPerson(services)
      const made = await services.apiKeys.create(owner, { id: newId(), name: 'shell' })
      if (!made?.made) throw new Error('No key')
      return openShell({ env: { RAMIFY_SERVER: api.url, RAMIFY_API_KEY: made.key } })
    },
    async close() {
      await api.close()
      await worker.stop()
      await Promise.allSettled(running)
      await world.close()
    },
  }
}

describe.each([
  ['a folder', openFolder],
  ['a server', openServer],
])('the command line on %s', (_place, openPlace) => {
  let place: Place
  let shell: Shell

  beforeAll(async () => {
    // the server's log
    for (const stream of ['log', 'error'] as const)
      vi.spyOn(console, stream).mockImplementation(() => undefined)
    place = await openPlace()
  })
  afterAll(async () => {
    await place?.close()
    vi.restoreAllMocks()
  })
  beforeEach(async () => {
    place.world.answer = ({ messages }) => `Answer to: ${textOf(messages.at(-1) ?? { role: '' })}`
    shell = await newShell()
  })
  afterEach(() => {
    for (const one of shells.splice(0)) one.close()
  })

  /** A shell of a new person. */
  const shells: Shell[] = []
  const newShell = async () => {
    const opened = await place.shell()
    shells.push(opened)
    return opened
  }
  const run = (...argv: string[]) => shell.run(argv)
  /** A command that is carried out: what it wrote. */
  const done = async (...argv: string[]) => {
    const ran = await run(...argv)
    expect(ran, argv.join(' ')).toMatchObject({ code: 0 })
    return ran
  }
  /** The JSON of a command, and its lines without the ids in them. */
  const json = async (...argv: string[]) => (await done(...argv, '--json')).json
  const drawn = async (...argv: string[]) => withoutIds((await done(...argv)).lines)
  /** A command that is refused: its words. */
  const refused = async (code: number, ...argv: string[]) => {
    const ran = await run(...argv)
    expect(ran, argv.join(' ')).toMatchObject({ code, out: '' })
    return ran.err.trimEnd()
  }
  /** Two turns on main, and one on a branch that leaves after the first. */
  const forked = async () => {
    await done('chat', 'Three days in Lisbon?')
    await done('chat', 'By train?')
    await done('checkout', '-b', 'porto', 'HEAD~2')
    await done('chat', 'And Porto instead?')
  }

  it('given nothing, when it is asked, then it says what to do; a message begins a chat, which is current from then on', async () => {
    const hint = expect.stringContaining('`ramify chat TEXT` begins one')
    expect(await done('log')).toMatchObject({ out: '', err: hint })
    expect(await refused(1, 'show')).toContain('No chat is chosen.')

    expect((await done('chat', 'Three days', 'in Lisbon?')).out).toBe('Answer to: Three days in Lisbon?\n')
    expect((await done('chat', 'By train?')).out).toBe('Answer to: By train?\n')

    expect(await drawn('log', '--oneline')).toEqual([
      '# (HEAD -> main) Assistant: Answer to: By train?',
      '# You: By train?',
      '# Assistant: Answer to: Three days in Lisbon?',
      '# You: Three days in Lisbon?',
    ])
    expect(await json('log', '-n', '2')).toMatchObject([
      { role: 'assistant', preview: 'Answer to: By train?', branches: ['main'], head: true, status: 'done' },
      { role: 'user', preview: 'By train?', branches: [], head: false },
    ])
    const { lines } = await done('chats')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/^\* \S+ {2}Three days in Lisbon\? .*4 messages on 1 branch$/)
    // standard input is a message too, and --new another chat
    expect((await shell.run(['chat', '--new'], { stdin: 'Porto?\n' })).out).toBe('Answer to: Porto?\n')
    expect(await json('chats')).toMatchObject([
      { title: 'Porto?', current: true, messages: 2 },
      { title: 'Three days in Lisbon?', current: false, messages: 4 },
    ])
    const there = await done('checkout', 'three days in lisbon?')
    expect(there.out).toContain('Chat Three days in Lisbon?, on branch main')
    expect(await json('log')).toHaveLength(4)
    expect(await json('log', '-C', 'porto?')).toHaveLength(2)
  })

  it('given a branch, when it is drawn, listed and left, then lanes part where it does, and undo goes the way back', async () => {
    await forked()

    expect(await drawn('log', '--graph', '--oneline', '--all')).toEqual([
      '* # (HEAD -> porto) Assistant: Answer to: And Porto instead?',
      '* # You: And Porto instead?',
      '| * # (main) Assistant: Answer to: By train?',
      '| * # You: By train?',
      '|/',
      '* # Assistant: Answer to: Three days in Lisbon?',
      '* # You: Three days in Lisbon?',
    ])
    expect(await drawn('branch')).toEqual(['  main   #, 4 messages, Main line', '* porto  #, 4 messages'])
    const back = await done('checkout', 'main')
    expect(withoutIds(back.lines)).toEqual(['On branch main, at # Answer to: By train?'])
    expect(back.err).toContain('ramify undo')
    expect((await done('checkout', 'main')).out).toContain('Already on branch main')
    expect((await done('undo')).out).toBe('Took back: switched to main. On branch porto.\n')
    expect((await done('redo')).out).toBe('Made again: switched to main. On branch main.\n')
    // a message by the end of its id, and by its place
    const [last] = (await json('log')) as { id: string }[]
    expect((await done('show', String(last?.id.slice(-8)))).out).toContain('    Answer to: By train?')
    const parts = [{ type: 'text', text: 'And Porto instead?' }]
    expect(await json('show', 'porto^')).toMatchObject({ role: 'user', parts })
    expect(await refused(1, 'show', 'main~4')).toContain('only 4 stand there')
    expect(await refused(1, 'show', 'nowhere')).toContain('Its branches: main, porto.')
  })

  it('given a place to go back to, when it is checked out, then a branch stands there and the one that was left stays', async () => {
    await forked()
    const there = { title: 'Three days in Lisbon?', branch: { name: 'porto-v2' } }
    expect(await json('checkout', 'main~2')).toMatchObject(there)
    await done('chat', 'By boat?')
    expect(await json('branch')).toMatchObject([
      { name: 'main', messages: 4, current: false },
      { name: 'porto', messages: 4, current: false },
      { name: 'porto-v2', messages: 4, current: true },
    ])
    expect((await done('chat', '--branch', 'porto', 'How long?')).out).toBe('Answer to: How long?\n')
    expect(await json('log', 'porto')).toHaveLength(6)
    expect(await refused(1, 'checkout', '-b', 'main')).toMatch(/"?main"? exists already/)
  })

  it('given branches, when one is opened, renamed, archived and shown again, then the chat stays where it is', async () => {
    await done('chat', 'Three days in Lisbon?')
    expect(await drawn('branch', 'porto', 'HEAD~1')).toEqual(['Opened porto at #.'])
    expect((await done('branch', '-m', 'porto', 'north')).out).toBe('porto is called north now.\n')
    expect((await done('branch', '-d', 'north')).out).toBe('north is archived.\n')
    expect(await json('branch')).toMatchObject([{ name: 'main', current: true }])
    expect(await json('branch', '-a')).toMatchObject([
      { name: 'main', archived: false },
      { name: 'north', archived: true, messages: 1 },
    ])
    expect(await refused(1, 'checkout', 'north')).toContain('ramify branch --unarchive north')
    await done('branch', '--unarchive', 'north')
    expect(await json('branch')).toHaveLength(2)
    expect(await refused(1, 'branch', '-d', 'main')).toContain('check out another branch first')
    expect(await refused(1, 'branch', 'north')).toMatch(/"?north"? exists already/)
    await done('undo')
    expect(await json('branch')).toHaveLength(1)
  })

  it('given a checkpoint, when it is saved, moved, restored and removed, then its name points there', async () => {
    await done('chat', 'Three days in Lisbon?')
    await done('chat', 'By train?')
    expect(await drawn('tag', 'asked', 'HEAD~1')).toEqual(['Checkpoint asked is at #.'])
    expect(await drawn('tag', 'asked', 'HEAD~2')).toEqual(['Checkpoint asked is at #, moved from #.'])
    expect(await drawn('tag')).toEqual(['asked  #  Answer to: Three days in Lisbon?'])
    const [, , tagged] = await drawn('log', '--oneline')
    expect(tagged).toBe('# (tag: asked) Assistant: Answer to: Three days in Lisbon?')
    expect(await json('checkout', 'asked')).toMatchObject({ branch: { name: 'main-v2' } })
    expect(await json('log')).toHaveLength(2)
    await done('tag', '-d', 'asked')
    expect(await json('tag')).toEqual([])
    expect(await refused(1, 'tag', '-d', 'asked')).toContain('There is no checkpoint “asked”')
    await done('undo')
    expect(await json('tag')).toMatchObject([{ name: 'asked' }])
  })

  it('given two branches, when they are compared, then turns stand side by side, and two messages by their words', async () => {
    await forked()
    expect(await drawn('diff', 'main')).toEqual([
      'diff HEAD main',
      '2 messages in common',
      '',
      '@@ You -# +# @@',
      '- And Porto instead?',
      '+ By train?',
      '',
      '@@ Assistant -# +# @@',
      '- Answer to: [-And Porto instead-]?',
      '+ Answer to: {+By train+}?',
    ])
    expect(await json('diff', 'main', 'porto')).toMatchObject({
      common: 2,
      turns: [{ left: [{ text: 'By train?' }, {}], right: [{ text: 'And Porto instead?' }, {}] }],
    })
    expect((await done('diff', 'HEAD~2', 'main~2')).err).toBe('Both say the same.\n')
  })

  it('given another branch, when it is previewed, then nothing is stored; merged, its turns are there, and undo takes them back', async () => {
    await forked()
    await done('checkout', 'main')
    const preview = await done('merge', 'porto', '--mode', 'turns', '--preview')
    expect(preview.lines).toEqual(['porto has 2 messages that main lacks.'])
    expect(await json('log')).toHaveLength(4)

    const merged = await done('merge', 'porto', '--mode', 'turns')
    expect(merged.lines.at(-1)).toBe('Merged porto into main.')
    expect(await json('log')).toHaveLength(6)
    expect(await refused(1, 'merge', 'porto')).toMatch(/nothing (to merge|that “main” lacks)/)
    await done('undo')
    expect(await json('log')).toHaveLength(4)

    // a model writes the brief; here it is asked, and answers with none of its form
    const brief = { mode: 'brief', merged: true, count: 2, brief: expect.stringContaining('Porto') }
    expect(await json('merge', 'porto')).toMatchObject(brief)
    expect((await drawn('log', '--graph', '--oneline')).slice(0, 2)).toEqual([
      expect.stringMatching(/^\* {3}# \(HEAD -> main\)|^\* # \(HEAD -> main\)/),
      '|\\',
    ])
    expect(await refused(1, 'merge', 'main')).toContain('is the current branch')
  })

  it('given a chat, when it is exported and brought in by another person, then it is theirs whole', async () => {
    await forked()
    const file = path.join(shell.home, 'trip.json')
    expect((await done('export', '-o', 'trip.json')).out).toMatch(/^Wrote .*trip\.json, [\d,]+ bytes\.\n$/)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ format: 'ramify.chat' })
    expect(await refused(1, 'export', '-o', 'trip.json')).toContain('exists')
    expect((await done('export', '-f', 'markdown', 'porto')).out).toContain('And Porto instead?')
    expect(await refused(2, 'export', 'porto')).toContain('json holds the whole chat')
    expect(await refused(2, 'export', '--without', 'tools')).toContain('json holds the whole chat')
    expect(await refused(2, 'export', '-f', 'md', '--without', 'words')).toContain('not “words”')
    await done('export', '-f', 'docx', '--without', 'thoughts,tools', '-o', 'trip.docx')
    expect(readFileSync(path.join(shell.home, 'trip.docx')).toString('latin1', 0, 2)).toBe('PK')

    const other = await newShell()
    const json = { status: 'done', chats: { imported: 1 }, messages: { imported: 6 } }
    expect(await other.run(['import', file, '--json'])).toMatchObject({ code: 0, json })
    const theirs = await other.run(['log', '--graph', '--oneline', '--all'])
    expect(withoutIds(theirs.lines)).toContain('|/')
  })

  it('given a session of an agent, when it is found, brought in, and written for the agent again, then the words and the command are there', async () => {
    const env = {
      HOME: shell.home,
      CLAUDE_CONFIG_DIR: '',
      CODEX_HOME: '',
      PI_CODING_AGENT_DIR: '',
      XDG_DATA_HOME: '',
    }
    const run = (...words: string[]) => shell.run(words, { env })
    expect(await run('import', '--agents')).toMatchObject({ code: 1 })
    const session = '01a21c4d-0d51-7244-82f3-5ae9c9f42261'
    const folder = path.join(shell.home, '.pi/agent/sessions/--trips--')
    mkdirSync(folder, { recursive: true })
    const at = '2026-03-14T09:00:00.000Z'
    const said = (id: string, parentId: string | null, role: string, text: string) => ({
      type: 'message',
      id,
      parentId,
      timestamp: at,
      message: { role, content: [{ type: 'text', text }], model: 'gpt-5.5' },
    })
    const entries = [
      { type: 'session', version: 3, id: session, timestamp: at, cwd: '/trips' },
      ...[said('a', null, 'user', 'Where to?'), said('b', 'a', 'assistant', 'Lisbon.')],
    ]
    writeFileSync(
      path.join(folder, `1_${session}.jsonl`),
      entries.map((entry) => JSON.stringify(entry)).join('\n'),
    )

    const listed = await run('import', '--agents')
    expect(listed).toMatchObject({ code: 0, err: 'Nothing was imported: --all brings all of these.\n' })
    expect(listed.out).toMatch(/1 {2}pi .* 2 messages {2}trips: Where to\?/)
    expect((await run('import', '--agents', '--since', '2026-04-01')).code).toBe(1)
    expect((await run('import', '--agents', '--all')).out).toContain('pi: 1 chat imported')
    expect((await run('import', '--agents', '--all')).out).toContain('0 chats imported, 1 unchanged')

    const written = await run('export', '-f', 'claude-code', '--resume')
    const [, file = '', id = ''] =
      /^Wrote (.*\.jsonl), .*\nGo on in this folder: claude --resume (\S+)\n$/.exec(written.out) ?? []
    expect(path.basename(file)).toBe(`${id}.jsonl`)
    const lines = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines).toMatchObject([
      { message: { content: 'Where to?' } },
      { message: { content: [{ text: 'Lisbon.' }] } },
    ])
    expect((await run('export', '-f', 'codex', 'HEAD~1')).out).not.toContain('Lisbon')
    expect(await refused(2, 'export', '--resume')).toContain('--resume is for a session')
  })

  it('given the export of another program, when it is imported, then the report says what came, and a file that is none is refused', async () => {
    const file = path.join(shell.home, 'chatgpt.json')
    writeFileSync(file, fixture('chatgpt.json'))
    const first = await done('import', 'chatgpt.json')
    expect(first.lines[0]).toMatch(/^chatgpt: \d+ chats? imported, 0 unchanged; \d+ messages/)
    expect(await json('import', file)).toMatchObject({ chats: { imported: 0 } })
    const one = (title: string) => ({ title, messages: [{ role: 'user', content: `About ${title}` }] })
    writeFileSync(path.join(shell.home, 'three.json'), JSON.stringify(['Rome', 'Oslo', 'Lima'].map(one)))
    const listed = await shell.run(['import', '--preview', 'three.json'])
    expect(listed).toMatchObject({ code: 0, err: expect.stringContaining('Nothing was imported') })
    expect(listed.out).toMatch(/^messages, \d+ bytes: 3 chats\n1 .* 1 message .* new +Rome\n/)
    expect(await json('import', '--only', '1,3', 'three.json')).toMatchObject({
      chats: { imported: 2, left: 1 },
    })
    const { chats } = (await json('import', '--preview', 'three.json')) as { chats: { standing: string }[] }
    expect(chats.map(({ standing }) => standing)).toEqual(['here', 'new', 'here'])
    expect((await done('import', '--only', 'new', 'three.json')).lines[0]).toBe(
      'messages: 1 chat imported, 0 unchanged, 2 not chosen; 1 message.',
    )
    expect(await refused(1, 'import', '--only', 'new', 'three.json')).toContain('Nothing in this file is new')
    expect(await refused(2, 'import', '--only', '4', 'three.json')).toContain('none of the numbers 1 to 3')
    expect(await refused(2, 'import', '--preview', '--only', '1', 'three.json')).toContain('two steps')
    writeFileSync(path.join(shell.home, 'empty.json'), '')
    expect(await refused(1, 'import', 'empty.json')).toContain('is empty')
    expect(await refused(1, 'import', 'missing.json')).toContain('There is no file')
    expect(await refused(2, 'import')).toContain('ramify import FILE')
  })

  it('given a reply under way, when Ctrl-C is pressed, then it stops, and what was written of it stays', async () => {
    place.world.answer = () => ({ text: 'One two three four five', hangAfter: 3 })
    const stopped = await shell.run(['chat', 'Count'], {
      onOutput: (out, interrupt) => out.includes('two') && interrupt(),
    })
    expect(stopped).toMatchObject({ code: 0, err: '[stopped]\n' })
    expect(stopped.out).toMatch(/^One two/)
    expect(await json('log', '-n', '1')).toMatchObject([{ role: 'assistant', status: 'stopped' }])
    expect((await done('show')).out).toContain('stopped')
  })

  it('given an import or a merge, when Ctrl-C is pressed, then nothing of it is stored', async () => {
    await forked()
    writeFileSync(path.join(shell.home, 'chatgpt.json'), fixture('chatgpt.json'))
    const imported = await shell.run(['import', 'chatgpt.json'], { onListen: (interrupt) => interrupt() })
    expect(imported).toMatchObject({ code: 1, out: '', err: 'ramify: Stopped; nothing was imported.\n' })
    const merged = await shell.run(['merge', 'main', '--json'], { onListen: (interrupt) => interrupt() })
    expect(merged).toMatchObject({ code: 1, out: '' })
    expect(merged.err).toContain('Stopped; nothing was merged.')
    expect(await json('chats')).toMatchObject([{ messages: 6 }])
  })

  it('given a provider that fails, when a message is sent, then the words say what to do, and the message is kept', async () => {
    const error = { status: 401, code: 'invalid_api_key', message: 'Incorrect API key' }
    place.world.answer = () => ({ error })
    const failed = await run('chat', 'Three days in Lisbon?')
    expect(failed).toMatchObject({ code: 1, out: '' })
    expect(failed.err).toMatch(/^ramify: .*key/i)
    expect(await json('log')).toMatchObject([{ role: 'user' }])
    expect(await refused(1, 'chat', '-m', 'nobody:nothing', 'Hello')).toMatch(/nobody:nothing/)
  })

  it('given a reply with control characters, when it is shown, then none of them reaches the terminal', async () => {
    place.world.answer = () => ({ text: ['Red \u001b[31mand', ' a \u001b]0;title\u0007 bell\u0007'] })
    const said = await done('chat', 'Colours?')
    expect(said.out).toBe('Red [31mand a ]0;title bell\n')
    for (const command of [['show'], ['log'], ['log', '--oneline'], ['chats']]) {
      const shown = await done(...command)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
      expect(shown.out).not.toMatch(/[\u0000-\u0008\u000b-\u001f]/)
    }
  })

  it('given another person’s chat, when it is named, then it looks as if it did not exist', async () => {
    await done('chat', 'A secret')
    const [{ id: chat }] = (await json('chats')) as [{ id: string }]
    const other = await newShell()
    const foreign = await other.run(['log', '--chat', chat])
    const missing = await other.run(['log', '--chat', newId()])
    expect([foreign.code, missing.code]).toEqual([1, 1])
    const words = (text: string) => text.replace(/“.*?”/, '“…”')
    expect(words(foreign.err)).toBe(words(missing.err))
    expect((await other.run(['checkout', chat])).code).toBe(1)
    expect((await other.run(['chats', '--json'])).json).toEqual([])
  })

  it('given a terminal, when it writes, then there are colours, unless NO_COLOR is set, and none in JSON', async () => {
    await done('chat', 'Hello')
    const colours = String.fromCharCode(27)
    expect((await shell.run(['log', '--oneline'], { isTerminal: true })).out).toContain(colours)
    expect((await shell.run(['log', '--json'], { isTerminal: true })).out).not.toContain(colours)
    expect((await shell.run(['log', '--oneline'])).out).not.toContain(colours)
    const plain = await shell.run(['log', '--oneline'], { isTerminal: true, env: { NO_COLOR: '1' } })
    expect(plain.out).not.toContain(colours)
    expect(existsSync(path.join(shell.home, 'state/ramify/heads.json'))).toBe(true)
  })
})
