import { type Json, type JsonRecord, listAt, recordAt, textAt } from '../../json/values'
import { fileAt, fileIn, textFile } from '../../parts/files'
import { MadeEntries } from '../../tree/entries'
import type { ChatContext } from '../format'
import { tableFormat } from '../table'

/** Stands for a question where a character speaks first. */
const opening = '<|BEGIN-VISIBLE-CHAT|>'

/** A chat of text-generation-webui: rounds of a question and its reply, and in `metadata` the versions of each reply. */
export const textGenerationWebui = tableFormat({
  source: 'text-generation-webui',
  program: 'text-generation-webui',
  silent: ['timestamp', 'your_picture'],
  recognises: (value) =>
    roundsIn(value).some(Array.isArray) && ('visible' in value || 'data_visible' in value),
  messages: 'messages',
  title: ['name', 'title'],
  entries: entriesIn,
  message: {
    role: 'role',
    content: 'content',
    createdAt: ({ timestamp }) => (typeof timestamp === 'string' ? isoDate(timestamp) : timestamp),
    model: 'model_name',
    files: (message, context) => listAt(message, 'attachments').flatMap((file) => fileOf(file, context)),
  },
})

/** Since 2023 under `internal`, before under `data`. */
const roundsIn = (value: JsonRecord): Json[] => [...listAt(value, 'internal'), ...listAt(value, 'data')]

function entriesIn(value: JsonRecord, { problems, ...context }: ChatContext) {
  const made = new MadeEntries()
  const metadata = recordAt(value, 'metadata')
  let [before, skipped] = [null as string | null, 0]
  for (const [index, round] of roundsIn(value).entries()) {
    if (!Array.isArray(round)) {
      problems.count('no message')
      skipped += 1
      continue
    }
    for (const [side, role] of ['user', 'assistant'].entries()) {
      const content = round[side]
      const about = recordAt(metadata, `${role}-${index}`)
      const said = {
        role,
        timestamp: about.timestamp,
        attachments: about.attachments,
        model_name: about.model_name,
      }
      if (typeof content !== 'string' || content === '' || content === opening) continue
      const id = made.add(before, { ...said, content })
      for (const version of listAt(about, 'versions')) {
        const other = textAt(version, 'content') ?? textAt(version, 'visible_content')
        if (other !== null && other !== content)
          made.add(before, { ...said, timestamp: recordAt({ version }, 'version').timestamp, content: other })
      }
      before = id
    }
  }
  sayDifferences(value, { problems, ...context })
  return { entries: made.entries, skipped, current: before }
}

/** A shown text may be another one than its model was sent: a translation, or a text that an extension has changed. */
function sayDifferences(value: JsonRecord, { problems }: ChatContext): void {
  const shown = [...listAt(value, 'visible'), ...listAt(value, 'data_visible')]
  const plain = (text: Json) =>
    typeof text === 'string' ? text.replace(/&[#\w]+;/g, '').replace(/[^\p{L}\p{N}]+/gu, '') : ''
  const differing = roundsIn(value).filter(
    (round, index) =>
      Array.isArray(round) &&
      [0, 1].some((side) => {
        const seen = Array.isArray(shown[index]) ? plain(shown[index][side]) : ''
        return seen !== '' && seen !== plain(round[side]) && round[side] !== opening
      }),
  ).length
  if (differing > 0)
    problems.say(
      `${differing === 1 ? '1 round was' : `${differing.toLocaleString('en')} rounds were`} shown in other words than its model was sent. The words that it was sent are kept.`,
    )
}

/** It writes `Mar 01, 2025 10:00`. */
const isoDate = (text: string): string =>
  /^[A-Z][a-z]{2} \d\d, \d{4} \d\d:\d\d$/.test(text) ? new Date(`${text} UTC`).toISOString() : text

/** The text of a file stands in its record, a picture as an address of data. */
function fileOf(file: Json, context: ChatContext) {
  const [name, content] = [textAt(file, 'name'), textAt(file, 'content')]
  const picture = textAt(file, 'image_data')
  if (picture !== null) return [fileAt(context, picture, { name, kind: 'Picture' })]
  return content === null ? fileIn(file, context) : [textFile(content, name)]
}
