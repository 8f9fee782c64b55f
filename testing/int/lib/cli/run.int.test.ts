// A command that is run through a server: what it gets, and how it ends.

import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { runChild } from '@/lib/cli/run/run-child'
import { openShell, type Shell } from '@/testing/worlds/cli-world'
import { closeServers, serveHttp } from '@/testing/worlds/http-servers'

const node = process.execPath
const shells: Shell[] = []
afterEach(async () => {
  for (const shell of shells.splice(0)) shell.close()
  await closeServers()
})

/** A server of this machine, which makes keys for those who ask. */
async function givenServer() {
  const asked: string[] = []
  let made = 0
  const revoke = () => {
    made += 1
  }
  const { url } = await serveHttp((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`.trim())
    if (request.url === '/api/models') {
      const isKnown = request.headers.authorization === `Bearer rk_${made}`
      return void response.writeHead(isKnown ? 200 : 401).end('{}')
    }
    made += 1
    response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ key: `rk_${made}` }))
  })
  return { url, asked, revoke }
}

describe('a command that is run', () => {
  it('gets address, key, folder and its own arguments, and its exit code is that of the run; the key is kept', async () => {
    const { url, asked, revoke } = await givenServer()
    const env = { RAMIFY_SERVER: url, PATH: process.env.PATH ?? '', MINE: 'kept' }
    const shell = openShell({ env })
    shells.push(shell)
    const out = path.join(shell.home, 'told.json')
    const script = path.join(shell.home, 'told.mjs')
    writeFileSync(
      script,
      `import { writeFileSync } from 'node:fs'
      const { OPENAI_BASE_URL, ANTHROPIC_API_KEY, MINE } = process.env
      const told = { OPENAI_BASE_URL, ANTHROPIC_API_KEY, MINE, cwd: process.cwd(), args: process.argv.slice(2) }
      writeFileSync(${JSON.stringify(out)}, JSON.stringify(told))
      process.exit(7)`,
    )
    const run = () => shell.run(['run', '--', node, script, '-p', '--', '--json', 'a b'])
    const ended = await run()
    expect(ended).toMatchObject({ code: 7, out: '' })
    expect(ended.err).toContain(url)
    const told = () => JSON.parse(readFileSync(out, 'utf8'))
    expect(told()).toEqual({
      OPENAI_BASE_URL: `${url}/v1`,
      ANTHROPIC_API_KEY: 'rk_1',
      MINE: 'kept',
      cwd: shell.home,
      args: ['-p', '--', '--json', 'a b'],
    })
    await run()
    expect(asked.filter((line) => line.startsWith('POST /api/keys'))).toHaveLength(1)
    revoke()
    await run()
    expect(told()).toMatchObject({ ANTHROPIC_API_KEY: 'rk_3' })
  })

  it('is refused in words where there is none, and where the server is not there', async () => {
    const { url } = await givenServer()
    const shell = openShell({ env: { RAMIFY_SERVER: url, PATH: process.env.PATH ?? '' } })
    shells.push(shell)
    const missing = await shell.run(['run', '--', 'no-such-command'])
    expect(missing).toMatchObject({ code: 1 })
    expect(missing.err).toContain('There is no command “no-such-command”')
    expect((await shell.run(['run'])).code).toBe(2)
    expect((await shell.run(['run', 'ls', '-l'])).err).toContain('stands after --')
    const nowhere = await shell.run(['--server', 'http://127.0.0.1:1', 'run', '--', 'true'])
    expect(nowhere.err).toContain('cannot be reached')
  })

  it('is sent the signals of its run, and ends it by the signal that ended it', async () => {
    const world = { stdin: process.stdin, onInterrupt: () => () => undefined }
    const options = { cwd: process.cwd(), env: process.env, world }
    const dying = ['-e', 'process.kill(process.pid, "SIGKILL")']
    expect(await runChild({ command: node, args: dying }, options)).toEqual({ code: 137, signal: 'SIGKILL' })

    const { promise: asked, resolve } = Promise.withResolvers<void>()
    const ready = await serveHttp((_, response) => {
      response.end()
      resolve()
    })
    const waiting = `process.on('SIGHUP', () => process.exit(9)); fetch(${JSON.stringify(ready.url)}); setInterval(() => {}, 1000)`
    const ended = runChild({ command: node, args: ['-e', waiting] }, options)
    await asked
    process.emit('SIGHUP', 'SIGHUP')
    expect(await ended).toEqual({ code: 9, signal: null })
  })
})
