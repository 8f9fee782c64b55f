import type { JsonRecord } from '../../json/values'
import type { ChatContext, TextFormat } from '../format'
import { librechat } from './librechat'

/** The CSV of LibreChat: a message in each row, with the id of the message before it. */
export const librechatCsv: TextFormat = {
  source: librechat.source,
  program: librechat.program,
  recognises: (head) => {
    const [line = ''] = head
      .slice(0, 2000)
      .replace(/^\ufeff/, '')
      .split('\n', 1)
    return ['messageId', 'parentMessageId', 'isCreatedByUser'].every((column) => line.includes(column))
  },
  readText(text, context) {
    const read = librechat.read({ messages: messagesIn(text, context) }, context)
    return Array.isArray(read) ? read : [read]
  },
}

function messagesIn(text: string, { problems }: ChatContext): JsonRecord[] {
  const { rows, isCut } = rowsOf(text)
  const [columns = [], ...given] = rows
  const last = given.at(-1)
  if (isCut || last === undefined || last.length < columns.length)
    problems.say(
      'The file ends in the middle of a row, as an incomplete download does. Download the export again.',
    )
  return given.map((cells) => {
    const message = Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? '']))
    // a row says in words what its JSON says
    return { ...message, isCreatedByUser: message.isCreatedByUser === 'true' }
  })
}

/** Rows of CSV: a cell in quotes may hold commas, new lines, and quotes twice. */
function rowsOf(text: string): { rows: string[][]; isCut: boolean } {
  const rows: string[][] = [[]]
  let [at, isCut] = [0, false]
  while (at < text.length && !isCut) {
    let value = ''
    if (text[at] === '"') {
      for (let end = at; ; ) {
        const close = text.indexOf('"', end + 1)
        isCut = close === -1
        value += text.slice(end + 1, isCut ? undefined : close)
        at = isCut ? text.length : close + 1
        if (isCut || text[at] !== '"') break
        value += '"'
        end = at
      }
    }
    const end = nextEnd(text, at)
    rows.at(-1)?.push((value + text.slice(at, end)).replace(/\r$/, ''))
    if (text[end] === '\n') rows.push([])
    at = end + 1
  }
  return { rows: rows.filter((row) => row.some((value) => value.trim() !== '')), isCut }
}

/** The end of a cell that is in no quotes. */
function nextEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) if (text[at] === ',' || text[at] === '\n') return at
  return text.length
}
