import { spawn } from 'node:child_process'
import { afterAll, describe, expect, it } from 'vitest'
import { openDatabase } from '@/lib/db/open'
import { pgliteFolder } from '@/testing/worlds/open-stores'

const { dataDir, remove } = pgliteFolder()
afterAll(remove)

/** A process that opens the folder, says so, and stays until it is killed. */
function holder() {
  const child = spawn(
    process.execPath,
    [
      // not the tsx command: it puts a process in between, and a kill would end that process only
      ...['--no-wasm-tier-up', '--no-wasm-dynamic-tiering', '--import', 'tsx', '--input-type=module', '-e'],
      `import { openDatabase } from './lib/db/open.ts'
      openDatabase({ dataDir: ${JSON.stringify(dataDir)}, patience: 0 }).then(
        // held on to: collected as garbage, it would give its lock back
        (database) => { console.log('open'); setInterval(() => database, 1000) },
        (error) => { console.error(error.message); process.exit(3) })`,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const { promise: said, resolve } = Promise.withResolvers<string>()
  let text = ''
  const listen = (part: Buffer) => {
    text += part
    if (text.includes('\n')) resolve(text.trim())
  }
  child.stdout.on('data', listen)
  child.stderr.on('data', listen)
  const { promise: exited, resolve: exit } = Promise.withResolvers<number | null>()
  child.on('exit', (code) => exit(code))
  return { child, said, exited }
}

describe('the data folder', () => {
  it('belongs to one process at a time, and is free again when that one is killed', async () => {
    // given a process that has the folder open
    const first = holder()
    expect(await first.said).toBe('open')
    // when a second one opens it
    const second = holder()
    // then it is refused with one line that says what to do
    expect(await second.said).toMatch(
      /in use by another Ramify process: stop that one, or set RAMIFY_DATA_DIR/,
    )
    expect(await second.exited).toBe(3)
    // and when the first is killed, the folder opens at once
    first.child.kill('SIGKILL')
    await first.exited
    const database = await openDatabase({ dataDir })
    expect(await database.query('select id from chats')).toEqual([])
    await database.close()
  })
})
