import { isObject, parsedText } from './tool-text'

/** A change that a call of a tool makes in a file, in the texts that it was called with. */
export interface FileEdit {
  /** as the call has it; empty where it names none */
  path: string
  change: 'edited' | 'written' | 'deleted'
  /** texts that take the place of others: a text written whole takes the place of nothing */
  pieces: readonly { before: string; after: string }[]
}

/** Edits of one call that are looked at. */
const MOST = 200

/**
 * Tells the changes that a call of a tool makes in files by its arguments, whatever the tool is called: a text in the place
 * of another, several of them, a file written whole, a patch in the form of `apply_patch` or of `diff`. Empty for calls that change none.
 * Never throws.
 */
export function editsOf(input: unknown): FileEdit[] {
  const given = parsedText(input)
  const patched = patchesIn(given, 0)
  if (patched.length > 0) return patched
  if (!isObject(given)) return []
  const path = pathIn(given) ?? ''
  const own = pieceIn(given)
  if (own) return [{ path, change: 'edited', pieces: [own] }]
  const lists = Object.values(given).filter((value): value is unknown[] => Array.isArray(value))
  for (const list of lists) {
    const edits = list.slice(0, MOST).flatMap((each): FileEdit[] => {
      const piece = isObject(each) ? pieceIn(each) : undefined
      return piece && isObject(each)
        ? [{ path: pathIn(each) ?? path, change: 'edited', pieces: [piece] }]
        : []
    })
    if (edits.length > 0) return byPath(edits)
  }
  const whole = textUnder(given, /^(?:content|contents|filetext|newsource)$/)
  if (whole === undefined || path === '') return []
  return [{ path, change: 'written', pieces: [{ before: '', after: whole }] }]
}

/** Names of arguments, without their case and their joints. */
const named = (name: string): string => name.replace(/[_\-\s]/g, '').toLowerCase()

function textUnder(values: Record<string, unknown>, names: RegExp): string | undefined {
  const found = Object.entries(values).find(
    ([name, value]) => typeof value === 'string' && names.test(named(name)),
  )
  return found && String(found[1])
}

const pathIn = (values: Record<string, unknown>): string | undefined =>
  textUnder(values, /^(?:\w*path|file|filename)$/)

/** A text in the place of another; Anthropic's editor leaves the new one out where there is none. */
function pieceIn(values: Record<string, unknown>): FileEdit['pieces'][number] | undefined {
  const before = textUnder(values, /^(?:old(?:string|str|text|content)?|search)$/)
  const after = textUnder(values, /^(?:new(?:string|str|text|content)?|replace(?:ment)?)$/)
  if (before !== undefined && (after !== undefined || 'old_str' in values))
    return { before, after: after ?? '' }
  const inserted = textUnder(values, /^(?:inserttext|newstr)$/)
  return inserted === undefined ? undefined : { before: '', after: inserted }
}

/** Edits of one file stand together. */
function byPath(edits: readonly FileEdit[]): FileEdit[] {
  const files = new Map<string, FileEdit>()
  for (const edit of edits) {
    const known = files.get(edit.path)
    files.set(edit.path, known ? { ...known, pieces: [...known.pieces, ...edit.pieces] } : edit)
  }
  return [...files.values()]
}

/** Texts that are looked through for a patch, in units. */
const READ = 1_000_000

/** The patches in arguments: in a text, or in the texts of an object and of a command in words. */
function patchesIn(value: unknown, depth: number): FileEdit[] {
  if (typeof value === 'string') return patchedFiles(value.slice(0, READ))
  if (depth > 2 || typeof value !== 'object' || value === null) return []
  for (const inner of Object.values(value).slice(0, 100)) {
    const found = patchesIn(inner, depth + 1)
    if (found.length > 0) return found
  }
  return []
}

const heading = /^\*\*\* (Add|Update|Delete) File: (.+)$/
/** Blocks of the older Cline and of Aider: the text to find, and its replacement. */
const searchBlock =
  /^(?:-{5,9}|<{5,9}) SEARCH>?\n([\s\S]*?)^={5,9}\n([\s\S]*?)^(?:\+{5,9}|>{5,9}) REPLACE>?/gm

function patchedFiles(text: string): FileEdit[] {
  if (text.includes('*** Begin Patch')) return applied(withoutEscapes(text))
  if (/^diff --git |^--- .+\n\+\+\+ .+\n@@ /m.test(text)) return unified(text)
  const pieces = [...text.matchAll(searchBlock)].map(([, before = '', after = '']) => ({ before, after }))
  return pieces.length > 0 ? [{ path: '', change: 'edited', pieces }] : []
}

/** In a script of Codex a patch is a literal, on one line. */
const withoutEscapes = (text: string): string =>
  /^\*\*\* Begin Patch\r?$|^\S.*\*\*\* Begin Patch\r?$/m.test(text)
    ? text
    : text.replaceAll(/\\(n|t|["'`\\])/g, (_, escaped: string) =>
        escaped === 'n' ? '\n' : escaped === 't' ? '\t' : escaped,
      )

interface PatchedFile extends Pick<FileEdit, 'path' | 'change'> {
  pieces: PatchPiece[]
}

const changes = { Add: 'written', Update: 'edited', Delete: 'deleted' } as const

/** A patch in the form of `apply_patch`: headings of files, and lines that begin with their mark. */
function applied(text: string): FileEdit[] {
  const files: PatchedFile[] = []
  for (const line of text.split('\n')) {
    const [, how, path = ''] = heading.exec(line) ?? []
    if (how === 'Add' || how === 'Update' || how === 'Delete')
      files.push({ path: path.trim(), change: changes[how], pieces: [] })
    else if (line.startsWith('*** End Patch')) break
    else if (line.startsWith('@@') || line.startsWith('*** ')) files.at(-1)?.pieces.push(new PatchPiece())
    else pieceOf(files.at(-1)?.pieces)?.take(line)
  }
  return files.map(told)
}

/** A patch in the form of `diff -u`, of one file or several. The heading of a stretch says how many lines it has. */
function unified(text: string): FileEdit[] {
  const files: PatchedFile[] = []
  const left = { before: 0, after: 0 }
  let old = ''
  for (const line of text.split('\n')) {
    if (left.before > 0 || left.after > 0) {
      files.at(-1)?.pieces.at(-1)?.take(line)
      if (!line.startsWith('+')) left.before -= 1
      if (!line.startsWith('-')) left.after -= 1
    } else if (line.startsWith('--- ')) old = fileName(line)
    else if (line.startsWith('+++ ')) {
      const path = fileName(line)
      const change = path === '/dev/null' ? 'deleted' : old === '/dev/null' ? 'written' : 'edited'
      files.push({ path: change === 'deleted' ? old : path, change, pieces: [] })
    } else {
      const [, before, after] = stretch.exec(line) ?? []
      if (after === undefined) continue
      left.before = countOf(before)
      left.after = countOf(after)
      files.at(-1)?.pieces.push(new PatchPiece())
    }
  }
  return files.filter(({ pieces }) => pieces.length > 0).map(told)
}

const stretch = /^@@ -\d+(,\d+|) \+\d+(,\d+|) @@/
/** A stretch of one line has no count. */
const countOf = (count: string | undefined): number => (count ? Number(count.slice(1)) : 1)

const fileName = (line: string): string =>
  line
    .slice(4)
    .split('\t')[0]
    ?.trim()
    .replace(/^[ab]\//, '') ?? ''

/** A stretch of a patch: its lines before and after. */
class PatchPiece {
  readonly before: string[] = []
  readonly after: string[] = []

  /** lines have come, and an empty one or none of the patch may follow */
  get isWhole(): boolean {
    return this.before.length + this.after.length > 0
  }

  take(line: string): void {
    const [mark, rest] = [line[0], line.slice(1)]
    if (mark === '+') this.after.push(rest)
    else if (mark === '-') this.before.push(rest)
    else if (mark === ' ') {
      this.before.push(rest)
      this.after.push(rest)
    }
  }
}

/** The piece that lines are taken into; the first of a file needs no heading. */
function pieceOf(pieces: PatchPiece[] | undefined): PatchPiece | undefined {
  if (pieces?.length === 0) pieces.push(new PatchPiece())
  return pieces?.at(-1)
}

const told = ({ path, change, pieces }: PatchedFile): FileEdit => ({
  path,
  change,
  pieces: pieces
    .filter(({ isWhole }) => isWhole)
    .map(({ before, after }) => ({ before: before.join('\n'), after: after.join('\n') })),
})
