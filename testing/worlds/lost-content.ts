import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { openPromise } from 'yauzl'
import type { ImportReport } from '@/lib/protocol'
import { type StoredChat, saidDifferences } from './said-differences'
import { fileIn } from './said-in-file'
import { isKept, leaves, lettersOf, valuesIn } from './stored-letters'

/**
 * Compares a file with what was stored of it, without a line of the importer's: it takes every text of the file that looks like
 * something said, every file in it and beside it, and what it says of its messages. Answers what neither a stored message nor
 * the report accounts for.
 *
 * @param stored everything that is stored of the file's chats, as their exports have it
 */
export async function lostContent(
  file: string,
  stored: readonly StoredChat[],
  report: Pick<ImportReport, 'problems'>,
): Promise<string[]> {
  const kept = lettersOf(
    [
      ...stored.flatMap((chat) => leaves(chat)).map(({ text }) => decoded(text)),
      // a text that is kept in pieces
      ...stored.map(({ messages }) =>
        messages
          .flatMap(({ data }) =>
            leaves(data.parts, 'parts').flatMap(({ key, text }) => (key === 'text' ? [text] : [])),
          )
          .join(' '),
      ),
    ].join(' '),
  )
  const hashes = new Set(stored.flatMap(({ files }) => files.map(({ sha256 }) => sha256)))
  const told = report.problems.map(({ chat, reason }) => `${chat}: ${reason}`).join('\n')
  const lost: string[] = []
  const keepsText = (key: string, said: string): boolean => {
    const hash = fileIn(said)
    if (hash !== undefined) return hashes.has(hash) || told.includes('not kept')
    const inner = /^\s*[{[]/.test(said) ? valuesIn(said) : null
    if (inner)
      return inner.flatMap((value) => leaves(value)).every((leaf): boolean => keepsText(leaf.key, leaf.text))
    if (!looksSaid(key, said) || isKept(withoutMarks(said), kept)) return true
    return (
      told.includes(key) || told.includes(said) || (said.startsWith('data:') && told.includes('not kept'))
    )
  }
  for (const { name, bytes } of await filesOf(file)) {
    const isTold = told.includes(name)
    if (!/\.(?:jsonl?|md|txt|csv)$/.test(name)) {
      if (!isTold && !hashes.has(createHash('sha256').update(bytes).digest('hex')))
        lost.push(`${name} is not stored`)
      continue
    }
    const text = bytes.toString('utf8')
    const values =
      valuesIn(text) ?? (name.endsWith('.csv') ? rowsOf(text) : /\.jsonl?$/.test(name) ? null : linesOf(text))
    if (values === null) {
      if (!isTold && !told.includes('not valid JSON'))
        lost.push(`${name} is no JSON, and the report does not name it`)
      continue
    }
    for (const { key, text: said } of values.flatMap((value) => leaves(value)))
      if (!keepsText(key, said)) lost.push(`${key}: ${said.slice(0, 80)}`)
    lost.push(
      ...saidDifferences(values.length === 1 ? values[0] : values, stored).filter(
        (words) => !isAccounted(words, told),
      ),
    )
  }
  return lost
}

/** Whether the report says why messages follow others than the file says. */
const isAccounted = (difference: string, told: string) =>
  /does not follow|active branch/.test(difference) &&
  /own ancestor|of (?:another|others), with other content|hangs? on|a second time/.test(told)

/** The files of an archive, or the file itself. */
async function filesOf(file: string): Promise<{ name: string; bytes: Buffer }[]> {
  const bytes = await readFile(file)
  if (bytes.toString('latin1', 0, 2) !== 'PK') return [{ name: file, bytes }]
  const zip = await openPromise(file, { autoClose: false })
  const files: { name: string; bytes: Buffer }[] = []
  for await (const entry of zip.eachEntry())
    files.push({ name: entry.fileName, bytes: await buffer(await zip.openReadStreamPromise(entry)) })
  zip.close()
  return files
}

/** The lines of a text that a person or a model wrote: no headings, rules and comments. */
const linesOf = (text: string): { text: string }[] =>
  text
    .split('\n')
    .filter((line) => !/^(?:#(?!### )|<!--|---|_\*\*|Conversation$|>> )/.test(line))
    .map((line) => ({ text: line.replace(/^#### /, '') }))

/** The rows of a table, by the names of its first row. */
function rowsOf(text: string): Record<string, string>[] {
  const [keys = [], ...rows] = text
    .split(/\r?\n(?=(?:[^"]*"[^"]*")*[^"]*$)/)
    .map((line) =>
      line
        .split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/)
        .map((cell) => cell.replace(/^"|"$/g, '').replaceAll('""', '"')),
    )
  return rows.map((cells) => Object.fromEntries(keys.map((key, at) => [key, cells[at] ?? ''])))
}

/** A text without what a program puts around words. */
const withoutMarks = (text: string) =>
  text
    .replace(/^### (?:Instruction|Response):$/gm, '')
    .replace(/^Prompted /, '')
    .replace(
      /<grok:render[\s\S]*?<\/grok:render>|<\/?think>|<\/?(?:p|ul|li|ol|strong|em|br|a)\b[^>]*>/g,
      '\n',
    )

const saidAt =
  /^(text|content|parts|mes|swipes|thinking|reasoning|reasoning_content|thought|summary|description|title|output|result|code|query|value|about_user_message|about_model_message|promptPrefix|instructions|prompt|preprompt|system|extracted_content|url|urls)$/i

/** Whether a text is something said: the name of a file, under a key of words, or of several words under any other. */
function looksSaid(key: string, text: string): boolean {
  if (!/\p{L}/u.test(text)) return false
  if (/^(?:file_?name|original_?name|name)$/i.test(key) && /^[^/]+\.[a-z]\w{1,4}$/i.test(text)) return true
  if (/^[0-9a-f-]{20,}$|^\d{4}-\d\d-\d\d/i.test(text)) return false
  if (/(^|_)(date|time|type|id|model|stamp|status|role|branches)$|At$|Id$/i.test(key)) return false
  return saidAt.test(key) || /\S \S+ \S/.test(text)
}

/** The text of a file that is kept in base64; any other text is itself. */
const decoded = (text: string): string =>
  /^[\w+/]{4,}={0,2}$/.test(text) && text.length % 4 === 0
    ? `${text} ${Buffer.from(text, 'base64').toString('utf8')}`
    : text
