import { type MergeMode, type MergeResolution, mergeModes } from '@/lib/events'
import { defineCommand } from '../command'
import { counted, indented, plain } from '../draw/plain'
import { CommandError, UsageError } from '../errors'
import type { Terminal } from '../terminal'
import { stoppedBy } from './stopped-by'
import { tellUndo } from './tell-undo'

export const merge = defineCommand({
  name: 'merge',
  summary: 'merges a branch into the current one',
  usage: ['[--mode brief|turns|context] [--preview] [--ours | --theirs] BRANCH'],
  details:
    'brief: one message that says what the branch has and the current one lacks, written by the model, or a digest without one. turns: copies of its own messages. context: its fragments and memories alone. A contradiction stays open unless --ours (the current branch counts) or --theirs decides all of them.',
  options: {
    mode: { type: 'string', value: 'MODE', help: `${mergeModes.join(', ')}; brief unless given` },
    preview: { type: 'boolean', help: 'say what the merge would bring, and store nothing' },
    ours: { type: 'boolean', help: 'in contradictions the current branch counts' },
    theirs: { type: 'boolean', help: 'in contradictions the merged branch counts' },
  },
  args: { least: 1, most: 1 },
  examples: ['ramify merge main-v2 --preview', 'ramify merge main-v2 --mode turns'],
  async run({ values, args: [name = ''], terminal, open }) {
    const mode = modeOf(values.mode)
    if (values.ours && values.theirs) throw new UsageError('--ours and --theirs exclude each other.')
    const session = await open()
    const chat = await session.openChat()
    const [source, target] = [chat.branch(name), chat.head]
    if (source.id === target.id)
      throw new CommandError(`${plain(target.name)} is the current branch: name another one.`)
    const asked = { sourceId: source.id, targetId: target.id, mode }
    const interrupted = new AbortController()
    const stop = terminal.world.onInterrupt(() =>
      interrupted.abort(new CommandError('Stopped; nothing was merged.')),
    )
    try {
      const { signal } = interrupted
      const found = await stoppedBy(signal, session.port.previewMerge({ ...asked, signal }))
      const { brief, conflicts, quotes, count } = found
      const wins = values.theirs ? 'source' : values.ours ? 'target' : undefined
      const shown = { mode, count, brief, conflicts, written_by: found.writtenBy }
      if (!terminal.json) preview(terminal, found, { source: source.name, target: target.name, wins })
      if (values.preview) return terminal.result({ ...shown, merged: false }, () => undefined)
      signal.throwIfAborted()
      const resolutions: Record<string, MergeResolution> = wins
        ? Object.fromEntries(conflicts.map(({ id }) => [id, wins]))
        : {}
      const { message_id } = await session.port.merge({ ...asked, brief, quotes, conflicts, resolutions })
      terminal.result({ ...shown, merged: true, message: message_id }, () =>
        terminal.line(`Merged ${plain(source.name)} into ${plain(target.name)}.`),
      )
      tellUndo(terminal)
    } finally {
      stop()
    }
  },
})

function modeOf(text = 'brief'): MergeMode {
  const mode = mergeModes.find((known) => known === text)
  if (!mode) throw new UsageError(`--mode is one of ${mergeModes.join(', ')}, not “${plain(text)}”.`)
  return mode
}

function preview(
  terminal: Terminal,
  found: {
    mode: MergeMode
    count: number
    brief: string
    conflicts: readonly { about: string; source: string | null; target: string | null }[]
    failure: string | null
  },
  { source, target, wins }: { source: string; target: string; wins: MergeResolution | undefined },
): void {
  terminal.line(`${plain(source)} has ${counted(found.count, 'message')} that ${plain(target)} lacks.`)
  if (found.failure) terminal.note(plain(found.failure))
  if (found.mode !== 'turns' && found.brief.trim() !== '') {
    terminal.line()
    terminal.line(indented(plain(found.brief)))
    terminal.line()
  }
  for (const { about, source: theirs, target: ours } of found.conflicts) {
    terminal.line(terminal.style('yellow', `Contradiction: ${plain(about)}`))
    terminal.line(terminal.style('red', `- ${plain(target)}: ${plain(ours ?? 'nothing')}`))
    terminal.line(terminal.style('green', `+ ${plain(source)}: ${plain(theirs ?? 'nothing')}`))
    terminal.line(wins ? `  ${plain(wins === 'source' ? source : target)} counts.` : '  It stays open.')
  }
}
