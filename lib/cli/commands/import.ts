import { statSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { ImportChoice, ImportReport } from '@/lib/protocol'
import { defineCommand } from '../command'
import { counted, oneLine, plain } from '../draw/plain'
import { CommandError, UsageError } from '../errors'
import { importAgents } from '../run/import-agents'
import { choiceIn, tellPreview } from '../run/import-preview'
import type { Session } from '../session'
import type { Terminal } from '../terminal'
import { stoppedBy } from './stopped-by'

/** Between two looks at how far an import has come, in ms. */
const LOOK = 250
/** Problems that are shown. */
const SHOWN = 20

export const importCommand = defineCommand({
  name: 'import',
  summary:
    'brings in the chats of a file, an export of another program or of Ramify; or the sessions of agents',
  usage: ['[--preview | --only CHATS] FILE', '--agents [--all] [--client CLIENT] [--since DAY]'],
  details:
    'The file is taken as it was downloaded; its content says what it is. The same file again adds only what is new. Ctrl-C ends the import; whole chats that are there stay. A single chat becomes the current one. --preview lists the chats of the file and stores nothing; --only brings some of them, by their numbers in that list. --agents shows the sessions that Claude Code, Codex, opencode and pi have left on this machine, and asks which ones to bring; again, it adds what is new.',
  options: {
    preview: { type: 'boolean', help: 'list what the file holds, and store nothing' },
    only: { type: 'string', value: 'CHATS', help: 'numbers of the preview like 1,3-5, or new' },
    agents: { type: 'boolean', help: 'the sessions of agents on this machine, in place of a file' },
    all: { type: 'boolean', help: 'with --agents: bring all of them, without asking' },
    client: { type: 'string', value: 'CLIENT', help: 'with --agents: of claude-code, codex, opencode or pi' },
    since: { type: 'string', value: 'DAY', help: 'with --agents: those in which something was said since' },
  },
  args: { least: 0, most: 1 },
  examples: [
    'ramify import chatgpt-export.zip',
    'ramify import --only 1,3-5 chatgpt-export.zip',
    'ramify import --agents --client codex --since 2026-03-14',
  ],
  async run({ args: [named], values, terminal, open, fileAt }) {
    const { agents, preview, only, ...asked } = values
    if (preview && only !== undefined)
      throw new UsageError('--preview and --only are two steps: leave one of them out.')
    if (agents) {
      if (preview || only !== undefined) throw new UsageError('--preview and --only are for a file.')
      if (named !== undefined) throw new UsageError('--agents is in place of a file: leave one of them out.')
      return importAgents(asked, terminal, async (file) => bring(await open(), terminal, file))
    }
    if (Object.keys(asked).some((name) => ['all', 'client', 'since'].includes(name)))
      throw new UsageError('--all, --client and --since are for --agents.')
    if (named === undefined)
      throw new UsageError('ramify import needs more: ramify import FILE, or ramify import --agents.')
    const file = fileAt(named)
    checkFile(file)
    await bring(await open(), terminal, { path: file, name: path.basename(file), preview, only })
  },
})

/** Imports one file, and shows its progress and its result; for a preview, shows its content. */
async function bring(
  session: Session,
  terminal: Terminal,
  { preview, only, ...file }: { path: string; name: string; preview?: boolean; only?: string },
): Promise<void> {
  const interrupted = new AbortController()
  const stop = terminal.world.onInterrupt(() =>
    interrupted.abort(new CommandError('Stopped; nothing was imported.')),
  )
  try {
    const { signal } = interrupted
    let choice: ImportChoice | undefined
    if (preview || only !== undefined) {
      const found = await stoppedBy(signal, session.port.previewImport({ ...file, signal }))
      if (only === undefined) return terminal.result(found, () => tellPreview(terminal, found))
      choice = choiceIn(only, found)
    }
    const id = await stoppedBy(signal, session.port.startImport({ ...file, choice, signal }))
    const report = await followImport(session, terminal, id, signal)
    terminal.progress('')
    const [one, ...others] = report.examples
    if (one && others.length === 0 && report.chats.imported === 1) session.choose(one.chat_id)
    terminal.result(report, () => tell(terminal, report))
    if (report.status === 'cancelled')
      throw new CommandError('The import was stopped. The same file again brings in the rest.')
    if (report.status === 'failed') throw new CommandError(plain(report.reason ?? 'The import failed.'))
  } finally {
    stop()
  }
}

function checkFile(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found) throw new CommandError(`There is no file ${plain(file)}.`)
  if (!found.isFile()) throw new CommandError(`${plain(file)} is not a file.`)
}

async function followImport(
  { port }: Session,
  terminal: Terminal,
  id: string,
  signal: AbortSignal,
): Promise<ImportReport> {
  const cancel = () => void port.cancelImport(id).catch((error: Error) => terminal.note(error.message))
  signal.addEventListener('abort', cancel, { once: true })
  if (signal.aborted) cancel()
  try {
    for (;;) {
      const report = await port.readImport(id)
      if (report.status !== 'queued' && report.status !== 'running') return report
      const { found } = report.chats
      terminal.progress(
        report.status === 'queued'
          ? 'Waiting for its turn'
          : `${counted(found, 'chat')} read, ${counted(report.messages.imported, 'message')} imported`,
      )
      await pause(LOOK)
    }
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

function tell(
  terminal: Terminal,
  { chats, messages, problems, problem_count, examples, source }: ImportReport,
) {
  terminal.line(
    `${plain(source)}: ${counted(chats.imported, 'chat')} imported, ${chats.unchanged.toLocaleString('en')} unchanged${chats.left > 0 ? `, ${chats.left.toLocaleString('en')} not chosen` : ''}; ${counted(messages.imported, 'message')}${messages.skipped > 0 ? `, ${messages.skipped.toLocaleString('en')} skipped` : ''}.`,
  )
  for (const { chat_id, title } of examples)
    terminal.line(`  ${plain(chat_id)}  ${oneLine(title ?? 'Untitled')}`)
  for (const { chat, reason } of problems.slice(0, SHOWN)) terminal.note(`${oneLine(chat)}: ${plain(reason)}`)
  if (problem_count > SHOWN)
    terminal.note(`and ${counted(problem_count - SHOWN, 'more problem')}; --json has them`)
}
