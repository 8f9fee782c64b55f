import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { openPromise } from 'yauzl'
import type { ImportReport } from '@/lib/protocol'

/**
 * Compares a file with what was stored of it, without a line of the importer's: it reads the file as JSON and takes every text
 * of it that looks like something said. Answers those that neither a stored message nor the report accounts for.
 *
 * @param stored everything that is stored of the file's chats, as the values of their exports
 */
export async function lostContent(
  file: string,
  stored: readonly unknown[],
  report: Pick<ImportReport, 'problems'>,
): Promise<string[]> {
  const kept = lettersOf(
    stored
      .flatMap(leaves)
      .map(({ text }) => decoded(text))
      .join(' '),
  )
  const told = report.problems.map(({ chat, reason }) => `${chat}: ${reason}`).join('\n')
  const lost: string[] = []
  for (const { name, text } of await textsOf(file)) {
    if (told.includes(name) && name !== '') continue
    const values = valuesIn(text)
    if (values === null && told.includes('not valid JSON')) continue
    if (values === null) {
      lost.push(`${name || file} is no JSON, and the report does not name it`)
      continue
    }
    for (const { key, text: said } of values.flatMap(leaves)) {
      if (!looksSaid(key, said) || isKept(said, kept) || told.includes(key) || told.includes(said)) continue
      // bytes that are no picture
      if (said.startsWith('data:') && told.includes('not kept')) continue
      lost.push(`${key}: ${said.slice(0, 80)}`)
    }
  }
  return lost
}

/** The texts of a file: itself, or those of its entries that are JSON. */
async function textsOf(file: string): Promise<{ name: string; text: string }[]> {
  const bytes = await readFile(file)
  if (bytes.toString('latin1', 0, 2) !== 'PK') return [{ name: '', text: bytes.toString('utf8') }]
  const zip = await openPromise(file, { autoClose: false })
  const texts: { name: string; text: string }[] = []
  for await (const entry of zip.eachEntry()) {
    if (!/\.jsonl?$/.test(entry.fileName)) continue
    const stream = await zip.openReadStreamPromise(entry)
    texts.push({ name: entry.fileName, text: (await buffer(stream)).toString('utf8') })
  }
  zip.close()
  return texts
}

/** The values of a JSON file, or of its lines; null: one of them is broken. */
function valuesIn(text: string): unknown[] | null {
  const parsed = (json: string): unknown[] | null => {
    try {
      return [JSON.parse(json)]
    } catch {
      return null
    }
  }
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return parsed(text) ?? (lines.every(parsed) ? lines.flatMap((line) => parsed(line) ?? []) : null)
}

/** All texts in a value, with the nearest key above each. */
function leaves(value: unknown, key: unknown = ''): { key: string; text: string }[] {
  if (typeof value === 'string') return [{ key: String(key), text: value }]
  if (Array.isArray(value)) return value.flatMap((item) => leaves(item, key))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]) => leaves(item, name))
}

const saidAt =
  /^(text|content|parts|mes|swipes|thinking|reasoning|reasoning_content|thought|summary|description|title|output|result|code|query|value|about_user_message|about_model_message|promptPrefix|instructions|prompt|preprompt|system|extracted_content|url|urls)$/i

/** Whether a text is something said: under a key of words, or of several words under any other. */
function looksSaid(key: string, text: string): boolean {
  if (!/\p{L}/u.test(text)) return false
  if (/^[0-9a-f-]{20,}$|^\d{4}-\d\d-\d\d|^\w+\.(png|jpg|pdf|txt)$/i.test(text)) return false
  if (/(^|_)(date|time|type|id|model|status|role|branches)$|At$|Id$/i.test(key)) return false
  return saidAt.test(key) || /\S \S+ \S/.test(text)
}

const lettersOf = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase()

/** The text of a file that is kept in base64; any other text is itself. */
const decoded = (text: string): string =>
  /^[\w+/]{4,}={0,2}$/.test(text) && text.length % 4 === 0
    ? `${text} ${Buffer.from(text, 'base64').toString('utf8')}`
    : text

/** Whether a text is kept, as a whole or each of its lines: marks, entities and elements may have gone. */
function isKept(text: string, kept: string): boolean {
  const plain = text
    .replace(/^data:[^,]*,/, '')
    .replace(/\ue200[^\ue201]*\ue201|【[^】]*】/g, '\n')
    .replace(/<summary>.*?<\/summary>|<\/?details[^>]*>|```\w*/g, '\n')
    .replace(/^:::\w*.*$/gm, '\n')
    .replace(/&quot;|&gt;|&lt;|&amp;|&#\w+;/g, ' ')
  if (/^[\w+/=]{100,}$/.test(plain)) return true
  const inside = /^\s*[{[]/.test(text) ? valuesIn(text) : null
  if (inside && inside.length > 0) return inside.flatMap(leaves).every((leaf) => isKept(leaf.text, kept))
  return plain.split('\n').every((line) => kept.includes(lettersOf(line)))
}
