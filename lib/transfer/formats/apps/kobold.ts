import { isRecord, type Json, type JsonRecord, listAt, recordAt, textAt } from '../../json/values'
import { MadeEntries } from '../../tree/entries'
import type { ChatContext } from '../format'
import { tableFormat } from '../table'

type Role = 'user' | 'assistant' | 'system'

/**
 * A story of KoboldAI or KoboldCpp: a prompt and its continuation. In a chat, marks in the words say who speaks; in a
 * story the player begins and the model goes on.
 */
export const kobold = tableFormat({
  source: 'kobold',
  program: 'KoboldAI',
  // the reader keeps all of `prompt` and `actions` but for the marks
  silent: [
    'savedsettings',
    'savedaestheticsettings',
    'anotetemplate',
    'actions_metadata',
    'prompt',
    'actions',
  ],
  recognises: (value) =>
    typeof value.prompt === 'string' && Array.isArray(value.actions) && 'gamestarted' in value,
  title: ['title', 'name', 'story_name'],
  instructions: 'memory',
  messages: 'messages',
  entries: entriesIn,
  message: { role: 'role', content: 'content', speaker: 'speaker' },
})

interface Mark {
  pattern: RegExp
  roleOf(found: string): { role: Role; speaker?: string } | null
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The marks that speakers have in this story. */
function markOf({ savedsettings: settings }: JsonRecord): Mark {
  const tag = (key: string) => (textAt(settings, key) ?? '').replaceAll('\\n', '\n').trim()
  const own: [string, Role][] = [
    [tag('instruct_starttag'), 'user'],
    [tag('instruct_endtag'), 'assistant'],
    [tag('instruct_systag'), 'system'],
  ]
  const tags: [string, Role | null][] = [
    ...own.filter(([text]) => text !== ''),
    ['### Instruction:', 'user'],
    ['### Response:', 'assistant'],
    ['{{[INPUT]}}', 'user'],
    ['{{[OUTPUT]}}', 'assistant'],
    ['{{[SYSTEM]}}', 'system'],
    ['{{[INPUT_END]}}', null],
    ['{{[OUTPUT_END]}}', null],
    ['{{[SYSTEM_END]}}', null],
  ]
  const isChat = isRecord(settings) && settings.opmode === 3
  const person = textAt(settings, 'chatname') ?? 'You'
  const others = (textAt(settings, 'chatopponent') ?? 'KoboldAI').split('||$||')
  const names = isChat ? [person, ...others].map((name) => `${escaped(name)}: ?`) : []
  const pattern = new RegExp(
    `(${tags.map(([text]) => escaped(text)).join('|')}${names.map((name) => `|(?<=^|\\n)${name}`).join('')})`,
  )
  return {
    pattern,
    roleOf: (found) => {
      const known = tags.find(([text]) => text === found)
      if (known) return known[1] === null ? null : { role: known[1] }
      const name = found.replace(/: ?$/, '')
      return { role: name === person ? 'user' : 'assistant', speaker: name }
    },
  }
}

function entriesIn(story: JsonRecord, { problems }: ChatContext) {
  const mark = markOf(story)
  const pieces = [story.prompt, ...listAt(story, 'actions')]
  const isMarked = pieces.some((piece) => typeof piece === 'string' && mark.pattern.test(piece))
  const beside = Map.groupBy(Object.values(recordAt(story, 'actions_metadata')), (about) =>
    textAt(about, 'Selected Text'),
  )
  const said: { role: Role; speaker?: string; text: string; others: string[] }[] = []
  let [open, skipped] = [null as { role: Role; speaker?: string } | null, 0]
  for (const [index, piece] of pieces.entries()) {
    if (typeof piece !== 'string') {
      problems.count('no message')
      skipped += 1
      continue
    }
    const others = (beside.get(piece) ?? []).flatMap(textsBeside)
    if (!isMarked) {
      const isPlayer = index === 0 || /^\s*> /.test(piece)
      said.push({ role: isPlayer ? 'user' : 'assistant', text: piece, others })
      continue
    }
    for (const [at, part] of piece.split(mark.pattern).entries()) {
      if (at % 2 === 1) open = mark.roleOf(part)
      else if (part.trim() !== '') {
        const last = said.at(-1)
        const goesOn =
          at === 0 &&
          index > 0 &&
          last !== undefined &&
          last.role === (open?.role ?? last.role) &&
          last.speaker === open?.speaker
        const alone = piece.split(mark.pattern).length === 1 ? others : []
        if (goesOn && last && alone.length === 0 && last.others.length === 0) last.text += part
        else
          said.push({ ...(open ?? { role: index === 0 ? 'user' : 'assistant' }), text: part, others: alone })
      }
    }
  }
  const made = new MadeEntries()
  let before: string | null = null
  for (const { role, speaker, text, others } of said) {
    const id: string = made.add(before, { role, speaker, content: text.trim() })
    for (const other of others) made.add(before, { role, speaker, content: other.trim() })
    before = id
  }
  return { entries: made.entries, skipped, current: before }
}

/** Other texts that the model has written at a place. */
const textsBeside = (about: Json): string[] =>
  listAt(about, 'Alternative Text').flatMap((other: Json) => textAt(other, 'Text') ?? [])
