import { Parser } from 'htmlparser2'
import { elements, localName, targetsOf } from './markup.ts'
import { MAX_TEXT } from './task.ts'
import type { Unzipped } from './unzip.ts'

/** Columns of a sheet at most, as Excel has them. */
const MAX_COLUMNS = 16_384
/** Characters that are parsed between two looks at how long the text is. */
const PIECE = 64 * 1024
const DAY_MS = 86_400_000

/** The formats of dates that a workbook does not list. */
const builtInDates = [14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 30, 36, 45, 46, 47, 50, 57]

interface Book {
  strings: readonly string[]
  /** true: a cell of this style is a date */
  dates: readonly boolean[]
  /** the day that is 0 */
  epoch: number
}

/** The sheets of a workbook, each under its name, its rows as CSV: results of formulas, dates as ISO 8601. */
export async function readSheets(zip: Unzipped): Promise<string> {
  const workbook = await zip.text('xl/workbook.xml')
  const parts = await targetsOf(zip, 'xl/workbook.xml')
  const partOf = async (type: string) => {
    const part = [...parts.values()].find((one) => one.type.endsWith(`/${type}`))
    return part ? zip.text(part.path) : ''
  }
  const is1904 = ['1', 'true'].includes(elements(workbook, 'workbookPr')[0]?.date1904 ?? '')
  const book: Book = {
    strings: stringsOf(await partOf('sharedStrings')),
    dates: datesOf(await partOf('styles')),
    epoch: is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30),
  }
  let text = ''
  for (const sheet of elements(workbook, 'sheet')) {
    const part = parts.get(sheet['r:id'] ?? '')
    if (!part?.type.endsWith('/worksheet')) continue
    const isHidden = /hidden/i.test(sheet.state ?? '')
    const rows = rowsOf(await zip.text(part.path), book, MAX_TEXT - text.length)
    text += `## ${sheet.name ?? 'Sheet'}${isHidden ? ' (hidden)' : ''}\n\n${rows}\n`
    if (text.length > MAX_TEXT) break
  }
  return text.trim()
}

function stringsOf(xml: string): string[] {
  const strings: string[] = []
  let [current, isText, isSound] = ['', false, false]
  const parser = new Parser(
    {
      onopentag(name) {
        const tag = localName(name)
        if (tag === 'si') current = ''
        if (tag === 'rPh') isSound = true
        if (tag === 't') isText = true
      },
      ontext(text) {
        if (isText && !isSound) current += text
      },
      onclosetag(name) {
        const tag = localName(name)
        if (tag === 'si') strings.push(current)
        if (tag === 'rPh') isSound = false
        if (tag === 't') isText = false
      },
    },
    { xmlMode: true },
  )
  parser.end(xml)
  return strings
}

function datesOf(xml: string): boolean[] {
  const formats = new Map(
    elements(xml, 'numFmt').map(({ numFmtId = '', formatCode = '' }) => [numFmtId, formatCode]),
  )
  const cells = xml.slice(xml.search(/<(?:\w+:)?cellXfs/), xml.search(/<\/(?:\w+:)?cellXfs/))
  return elements(cells, 'xf').map(({ numFmtId = '' }) => {
    const format = formats.get(numFmtId)
    if (format === undefined) return builtInDates.includes(Number(numFmtId))
    const signs = format.replace(/"[^"]*"|\\.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
    return /[ymdhs]/i.test(signs) && !/general/i.test(signs)
  })
}

function rowsOf(xml: string, book: Book, room: number): string {
  let text = ''
  let row: string[] = []
  let cell = { type: '', style: 0, column: 0 }
  let [value, isValue, isSound] = ['', false, false]
  const parser = new Parser(
    {
      onopentag(name, { r = '', s = '', t = '' }) {
        const tag = localName(name)
        if (tag === 'row') row = []
        else if (tag === 'c') {
          cell = { type: t, style: Number(s), column: columnOf(r) ?? row.length }
          value = ''
        } else if (tag === 'rPh') isSound = true
        else if (tag === 'v' || tag === 't') isValue = true
      },
      ontext(words) {
        if (isValue && !isSound) value += words
      },
      onclosetag(name) {
        const tag = localName(name)
        if (tag === 'v' || tag === 't') isValue = false
        else if (tag === 'rPh') isSound = false
        else if (tag === 'c' && value !== '' && cell.column < MAX_COLUMNS) {
          while (row.length < cell.column) row.push('')
          row[cell.column] = quoted(cellText(value, cell, book))
        } else if (tag === 'row' && row.length > 0) text += `${row.join(',')}\n`
      },
    },
    { xmlMode: true },
  )
  for (let at = 0; at < xml.length && text.length <= room; at += PIECE)
    parser.write(xml.slice(at, at + PIECE))
  return text
}

/** The column of an address as `AB12`, from 0. Some programs give none: then a cell follows the one before. */
function columnOf(address: string): number | undefined {
  const [letters] = /^[A-Z]{1,3}(?=\d)/.exec(address) ?? []
  if (!letters) return undefined
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

function cellText(value: string, { type, style }: { type: string; style: number }, book: Book): string {
  if (type === 's') return book.strings[Number(value)] ?? ''
  if (type === 'b') return value === '1' ? 'true' : 'false'
  const number = Number(value)
  if ((type !== '' && type !== 'n') || Number.isNaN(number)) return value
  // a stored number is a sum of powers of two, and a typed one has 15 digits
  if (!book.dates[style]) return String(Number(number.toPrecision(15)))
  const date = new Date(book.epoch + Math.round(number * DAY_MS))
  if (Number.isNaN(date.getTime())) return value
  const [day = '', time = ''] = date
    .toISOString()
    .replace(/\.\d+Z$/, '')
    .split('T')
  if (number < 1) return time
  return time === '00:00:00' ? day : `${day} ${time}`
}

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
