import type { BranchId } from '@/lib/events'
import { chosenName, FIRST_NAME } from '@/lib/events/branch-name'
import { madeOnce } from '@/lib/events/made-once'
import { cutTitle, titleWords, widthOf } from '@/lib/events/title-words'
import type { GraphBranch, GraphNode } from '@/lib/protocol'
import type { GraphIndex } from './graph-index'

/** The width of a title in letters; a title that a model gave, or that begins where it differs, may be longer. */
const WIDTH = 32
const LONGER = 40

/** A branch with the parts that its title is made from. */
export interface TitledBranch extends Pick<GraphBranch, 'id' | 'name' | 'title'> {
  /** the first message it has for itself; null when it has none, undefined when that is not known */
  first: FirstMessage | null | undefined
}

/** The first message of a branch; `first_in_thread` reads it in the database. */
interface FirstMessage {
  role: string
  preview: string
  /** the beginning of the message this one is another version of */
  original?: string | undefined
  /** its place among the versions by the same author, from 1 */
  place?: number | undefined
}

const made = new WeakMap<GraphIndex, ReadonlyMap<BranchId, string>>()

/**
 * The words a branch is shown by; its name stays its handle in URLs, the API and the library. A name that a person chose is
 * the title, and the first branch is the “Main line” until it has one. Any other has the stored title, else the beginning of
 * what was said first on it and on no branch beside it. No two branches of a chat have the same one.
 *
 * @returns an empty string for an unknown branch
 */
export function branchTitle(index: GraphIndex, id: BranchId): string {
  let titles = made.get(index)
  if (!titles) {
    titles = titlesOf(titledBranches(index))
    made.set(index, titles)
  }
  return titles.get(id) ?? ''
}

/** The branches of a chat as a sentence about its past names them: by their titles, and by names that a person gave. */
export const shownNames = (index: GraphIndex) => ({
  branch: (id: BranchId): string | undefined => branchTitle(index, id) || undefined,
  given: chosenName,
})

/** The title of a branch whose siblings are not known: it is not told apart from theirs. */
export const titleAlone = (branch: TitledBranch): string => titlesOf([branch]).get(branch.id) ?? ''

/** The titles of all branches of one chat, oldest branch first: of two alike, the later one is told apart. */
export function titlesOf(branches: readonly TitledBranch[]): ReadonlyMap<BranchId, string> {
  const titles = new Map<BranchId, string>()
  const taken: Taken = new Map()
  const take = ({ id }: TitledBranch, title: string, words: string) => {
    titles.set(id, title)
    taken.set(keyOf(title), words)
  }
  for (const branch of branches) if (branch.name === chosenName(branch.name)) take(branch, branch.name, '')
  for (const branch of branches) {
    if (titles.has(branch.id)) continue
    const said = saidOn(branch)
    take(branch, freeTitle(branch, said, taken), said.whole)
  }
  return titles
}

/** The titles that are given, each with the words of its branch. */
type Taken = Map<string, string>

const keyOf = (title: string): string => title.normalize().toLowerCase()

/** The first free title of those a branch could have, best first; a number is the last resort. */
function freeTitle({ title }: TitledBranch, said: Said, taken: Taken): string {
  const isFree = (wanted: string) => wanted !== '' && !taken.has(keyOf(wanted))
  const alike = taken.get(keyOf(said.short))
  const wanted = [
    title ? cutTitle(title, LONGER) : '',
    said.short,
    alike === undefined ? '' : apartFrom(alike, said),
    said.otherwise,
  ]
  return wanted.find(isFree) ?? numbered(wanted.find(Boolean) ?? '', taken)
}

/** The words of a branch from where they differ from others; empty where they begin otherwise. */
function apartFrom(others: string, said: Said): string {
  let apart = said.apart.get(others)
  if (apart === undefined) {
    apart = shortened(fromDifference(said.whole, others) ?? '', LONGER)
    said.apart.set(others, apart)
  }
  return apart
}

const shortened = (words: string, width: number): string => cutTitle(words, width).replace(/(?<=[^.])\.$/, '')

function numbered(title: string, taken: Taken): string {
  for (let n = 2; ; n++) {
    const wanted = `${cutTitle(title, LONGER - 1 - `${n}`.length)} ${n}`
    if (!taken.has(keyOf(wanted))) return wanted
  }
}

/** Titles that the first message of a branch can give it. */
interface Said {
  /** all its words */
  whole: string
  /** a title of those from where it differs from the message it is another version of; none where it does not differ */
  short: string
  /** a title without any of its words */
  otherwise: string
  /** titles that tell it from others alike, by their words: the same ones at every time of a chat */
  apart: Map<string, string>
}

const saidAs = (whole: string, different: string, otherwise: string): Said => ({
  whole,
  short: shortened(different, WIDTH),
  otherwise,
  apart: new Map(),
})
const wordless = (otherwise: string): Said => saidAs('', '', otherwise)

const known = new WeakMap<FirstMessage, Said>()

function saidOn({ name, first }: TitledBranch): Said {
  if (name === FIRST_NAME) return wordless('Main line')
  const chosen = chosenName(name)
  if (chosen !== null) return wordless(chosen)
  if (first === undefined) return wordless('Another branch')
  if (first === null) return wordless('New branch')
  const before = known.get(first)
  if (before) return before
  const said = saidIn(first)
  known.set(first, said)
  return said
}

function saidIn({ role, preview, original, place = 1 }: FirstMessage): Said {
  const whole = titleWords(preview)
  const what = role === 'assistant' ? 'answer' : 'version'
  if (original === undefined) return saidAs(whole, whole, whole === '' ? `Another ${what}` : '')
  const otherwise = place > 1 ? `${ordinal(place)} ${what}` : `Another ${what}`
  const before = titleWords(original)
  if (whole !== '' && whole !== before && before.startsWith(whole)) {
    return saidAs(whole, `Shorter ${what}`, otherwise)
  }
  return saidAs(whole, whole === before ? '' : (fromDifference(whole, before) ?? whole), otherwise)
}

/** `2nd`, `3rd`, `11th`. */
function ordinal(n: number): string {
  const ends = { one: 'st', two: 'nd', few: 'rd', other: 'th', zero: 'th', many: 'th' }
  return `${n}${ends[ordinals().select(n)]}`
}
const ordinals = madeOnce(() => new Intl.PluralRules('en', { type: 'ordinal' }))

/** Letters that two versions have in common before their titles begin where they differ. */
const SHARED = 16

// a language without spaces has words too
const parts = madeOnce(() => new Intl.Segmenter(undefined, { granularity: 'word' }))

/**
 * The words from the first difference from another message on, with the two words before; null where they begin
 * otherwise.
 */
function fromDifference(words: string, others: string): string | null {
  let at = 0
  while (at < words.length && words[at] === others[at]) at++
  if (at === words.length) return null
  const before: number[] = []
  for (const { index, segment, isWordLike } of parts().segment(words)) {
    if (isWordLike) before.push(index)
    if (index + segment.length > at) break
  }
  const differs = before.at(-1) ?? 0
  if (widthOf(words.slice(0, differs)) < SHARED) return null
  return `…${words.slice(before.at(-3))}`
}

/** The first messages of branches by their nodes, which stay the same as a graph grows. */
const firsts = new WeakMap<GraphNode, FirstMessage>()

function titledBranches(index: GraphIndex): TitledBranch[] {
  const { branches } = index.graph
  const heads = new Map(branches.map(({ id, headId }) => [id, headId]))
  return branches.map((branch) => {
    const { id, name, title, parentBranchId } = branch
    // most chats have one branch, and names that were chosen need no look
    if (name === FIRST_NAME || chosenName(name) !== null) return { id, name, title, first: undefined }
    const parentHead = parentBranchId === null ? null : heads.get(parentBranchId)
    // the other branches of a long chat arrive later
    if (parentHead === undefined) return { id, name, title, first: undefined }
    return { id, name, title, first: firstOf(index, branch, parentHead) }
  })
}

/** The first message that a branch has for itself: below the last one it shares with the branch it left. */
function firstOf(
  index: GraphIndex,
  { headId }: GraphBranch,
  parentHead: GraphBranch['headId'],
): TitledBranch['first'] {
  if (headId === null) return null
  const head = index.byId(headId)
  // the messages of a long chat arrive later
  if (!head) return undefined
  const shared = parentHead === null ? null : index.commonAncestor(headId, parentHead)
  if (parentHead !== null && !index.byId(parentHead)) return undefined
  const node = atDepth(index, head, shared ? shared.depth + 1 : 0)
  if (!node) return null
  const before = firsts.get(node)
  if (before) return before
  const versions = index.siblingsOf(node.id).filter(({ role }) => role === node.role)
  const [original] = versions
  const first = {
    role: node.role,
    preview: node.preview,
    original: original === node ? undefined : original?.preview,
    place: versions.indexOf(node) + 1,
  }
  firsts.set(node, first)
  return first
}

/** The message of a chain at a depth; undefined below its head. */
function atDepth(index: GraphIndex, head: GraphNode, depth: number): GraphNode | undefined {
  for (const { lane, top } of index.stretches(head)) {
    if (top < depth) return undefined
    if ((index.lane(lane)?.baseDepth ?? 0) <= depth) return index.at(lane, depth)
  }
  return undefined
}
