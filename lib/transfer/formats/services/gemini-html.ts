import { markdownOf, unescapeHtml } from '../../parts/html-markdown'
import { Problems } from '../../tree/problems'
import { dateIn } from '../../tree/source-node'
import type { TextFormat } from '../format'
import { type Activity, chatOfActivities, isOfGemini, isTogether, sayOthers } from './gemini-activity'

/** Google Takeout's `MyActivity.html`: the activities of its JSON as a page, which is what Takeout makes unless it is asked for JSON. */
export const geminiHtml: TextFormat = {
  source: 'gemini',
  program: 'Gemini',
  recognises: (head) => {
    const first = head.indexOf('outer-cell mdl-cell')
    return first !== -1 && isOfGemini([head.slice(first, first + 20_000)])
  },
  readText(text, context) {
    const problems = new Problems()
    const cells = text.split(/<div[^<>]*\bouter-cell\b[^<>]*>/).slice(1)
    const own = cells.filter((cell) => isOfGemini([labelsOf(cell)]))
    const sittings: Activity[][] = []
    for (const cell of own) {
      const activity = activityIn(cell, problems)
      const last = sittings.at(-1)
      if (last?.[0] && isTogether(last.at(-1) ?? last[0], activity)) last.push(activity)
      else sittings.push([activity])
    }
    return sittings.map((sitting, index) => {
      const said = index === 0 ? problems : new Problems()
      if (index === 0) sayOthers(said, cells.length - own.length)
      return chatOfActivities(sitting, { ...context, problems: said })
    })
  },
}

/** The four columns of a cell: its product, its activity, nothing, and more about it. */
const columnsOf = (cell: string) => cell.split(/<div[^<>]*\b(?:header-cell|content-cell)\b[^<>]*>/).slice(1)

function labelsOf(cell: string): string {
  const columns = columnsOf(cell)
  return `${columns[0]} ${columns.slice(2).join(' ')}`
}

function activityIn(cell: string, problems: Problems): Activity {
  const body = columnsOf(cell)[1] ?? ''
  const lines = body.split(/<br\s*\/?>/i)
  const dated = lines.findIndex((line, index) => index > 0 && isDate(plain(line)))
  const head = lines.slice(0, dated === -1 ? 1 : dated)
  const files = head.flatMap((line) =>
    [...line.matchAll(/<a\b[^<>]*\bhref="([^"]+)"/g)].map(([, href]) => href ?? ''),
  )
  const words = head
    .map((line) => unescapeHtml(line.replace(/<[^<>]*>/g, '')).trim())
    .filter((line, index) => index === 0 || !(attached.test(line) || isLink(head[index] ?? '')))
  return {
    title: words.join('\n'),
    time: dated === -1 ? null : dateIn(problems, isoOf(plain(lines[dated] ?? ''))),
    reply: lines.slice(dated === -1 ? 1 : dated + 1).join('<br>'),
    files: files.map(unescapeHtml).filter((file) => !/^https?:/.test(file)),
  }
}

/** The list of the files that a question was sent with. */
const attached = /^Attached \d+ files?\.?$/
const isLink = (line: string) => /^\s*-(?:\s|&nbsp;).{0,9}<a\b/.test(line)

const plain = (line: string) =>
  markdownOf(line)
    .text.replace(/[\s\u00a0\u202f]+/g, ' ')
    .trim()

const isDate = (line: string) => line.length < 60 && /\d{4}/.test(line) && /\d{1,2}:\d{2}:\d{2}/.test(line)

/** Time zones by their names in English, German, Czech: hours before Greenwich. */
const zones: Readonly<Record<string, string>> = {
  CET: '+01:00',
  CEST: '+02:00',
  MEZ: '+01:00',
  MESZ: '+02:00',
  SEČ: '+01:00',
  SELČ: '+02:00',
  BST: '+01:00',
  WEST: '+01:00',
  EET: '+02:00',
  EEST: '+03:00',
  MSK: '+03:00',
  IST: '+05:30',
  JST: '+09:00',
  KST: '+09:00',
  AEST: '+10:00',
  AEDT: '+11:00',
  NZST: '+12:00',
  NZDT: '+13:00',
}

/** A time as the page writes it, as a text that is read everywhere. */
function isoOf(line: string): string {
  const zone = /(\p{L}+)$/u.exec(line)?.[1] ?? ''
  const known = zones[zone]
  const time = known ? `${line.slice(0, -zone.length)}GMT${known.replace(':', '')}` : line
  const dotted = /^(\d{1,2})\. ?(\d{1,2})\. ?(\d{4}),? (\d{1,2}:\d{2}:\d{2}) ?(.*)$/.exec(time)
  if (!dotted) return time
  const [, day = '', month = '', year = '', clock = '', rest = ''] = dotted
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}T${clock.padStart(8, '0')}${known ?? (rest || 'Z')}`
}
