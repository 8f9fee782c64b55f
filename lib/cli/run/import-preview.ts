import { type ImportChoice, type ImportPreview, sizeWords } from '@/lib/protocol'
import { counted, oneLine, plain } from '../draw/plain'
import { CommandError } from '../errors'
import type { Terminal } from '../terminal'
import { placesIn } from './import-agents'

/** Problems that are shown. */
const SHOWN = 20

/** Writes the chats of a file as a table, with numbers to choose them by. */
export function tellPreview(
  terminal: Terminal,
  { source, size, chats, problems, problem_count, rest }: ImportPreview,
): void {
  const listed = counted(chats.length, 'chat')
  const of = `${plain(source === '' ? 'a file' : source)}, ${sizeWords(size)}`
  terminal.line(
    !rest
      ? `${of}: ${listed}`
      : chats.length === 0
        ? `${of}: its chats cannot be listed before they are imported`
        : `${of}: the first ${listed}; the rest follow`,
  )
  const width = String(chats.length).length
  for (const [at, { title, messages, branches, to, standing }] of chats.entries()) {
    const facts = [
      (to?.slice(0, 10) ?? '').padEnd(10),
      counted(messages, 'message').padStart(14),
      (branches > 1 ? `${branches.toLocaleString('en')} branches` : '').padStart(12),
      { new: 'new', changed: 'has more', here: 'is here' }[standing].padEnd(8),
    ]
    terminal.line(`${String(at + 1).padStart(width)}  ${facts.join('  ')}  ${oneLine(title, 60)}`)
  }
  for (const { chat, reason } of problems.slice(0, SHOWN)) terminal.note(`${oneLine(chat)}: ${plain(reason)}`)
  if (problem_count > SHOWN)
    terminal.note(`and ${counted(problem_count - SHOWN, 'more problem')}; --json has them`)
  terminal.note('Nothing was imported. --only 1,3-5 brings some of these, --only new what is new.')
}

/** The chats that a person names by their numbers, or as `new`. @throws UsageError, CommandError for a choice of none */
export function choiceIn(named: string, { chats }: ImportPreview): ImportChoice {
  const only =
    named.trim() === 'new'
      ? chats.filter(({ standing }) => standing !== 'here')
      : placesIn(named, chats.length).flatMap((place) => chats[place - 1] ?? [])
  if (only.length === 0)
    throw new CommandError(
      named.trim() === 'new'
        ? 'Nothing in this file is new; nothing was imported.'
        : 'No chat is chosen; nothing was imported.',
    )
  return { only: [...new Set(only.map(({ id }) => id))] }
}
