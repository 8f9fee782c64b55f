import { type Call, defineCommand } from '../command'
import { UsageError } from '../errors'
import { stoppedBy } from './stopped-by'

export const backup = defineCommand({
  name: 'backup',
  summary: 'writes everything of the data folder to one file, also while the app runs',
  usage: ['[--force] FILE'],
  options: { force: { type: 'boolean', help: 'replace a file that exists' } },
  args: { least: 1, most: 1 },
  examples: ['ramify backup ramify.backup'],
  async run(call) {
    const { backUp } = await import('@/lib/runtime/backups/back-up')
    const force = call.values.force === true
    await onFile(call, ({ file, signal, say }) => backUp(file, { force, signal, say }))
  },
})

export const restore = defineCommand({
  name: 'restore',
  summary: 'puts a backup into an empty data folder, with the app stopped',
  usage: ['[--replace] FILE'],
  options: { replace: { type: 'boolean', help: 'replace everything that the folder holds' } },
  args: { least: 1, most: 1 },
  examples: ['ramify restore ramify.backup'],
  async run(call) {
    const { checkRestored, restore } = await import('@/lib/runtime/backups/restore')
    const replace = call.values.replace === true
    await onFile(call, async ({ file, signal, say }) => {
      await restore(file, { replace, signal, say })
      if (!(await checkRestored({ say, warn: (line) => call.terminal.note(line) }))) call.exitWith(2, null)
    })
  },
})

/** Runs work on the file that a command names and on the database of the environment; Ctrl-C ends it. */
async function onFile(
  { args: [name = ''], terminal, server, fileAt }: Call,
  work: (on: { file: string; signal: AbortSignal; say: (line: string) => void }) => Promise<void>,
): Promise<void> {
  if (server !== undefined)
    throw new UsageError('It works on the database of this machine: leave --server out.')
  const file = fileAt(name)
  const stop = new AbortController()
  const end = terminal.world.onInterrupt(() => stop.abort(new Error('Stopped, and nothing was changed.')))
  const say = (line: string) => (terminal.json ? terminal.note(line) : terminal.line(line))
  try {
    await stoppedBy(stop.signal, work({ file, signal: stop.signal, say }))
  } finally {
    end()
  }
  if (terminal.json) terminal.line(JSON.stringify({ file }))
}
