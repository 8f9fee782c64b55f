import type { BranchId } from '@/lib/events'
import { cutTitle, titleWords } from '@/lib/events/title-words'
import type { GraphBranch, GraphNode } from '@/lib/protocol'
import type { GraphIndex } from './graph-index'

/** The width of a title in letters; a second one that begins alike may be longer. */
const WIDTH = 32
const LONGER = 48

/** A branch with what its title is made from. */
export interface TitledBranch extends Pick<GraphBranch, 'id' | 'name' | 'title'> {
  /** the first message it has for itself; null when it has none, undefined when that is not known */
  first: FirstMessage | null | undefined
}

/** The first message of a branch; `first_said` reads it in the database. */
interface FirstMessage {
  role: string
  preview: string
  /** the beginning of the message this one is another version of */
  original?: string | undefined
}

/**
 * Whether a name is of the form that `freeBranchName` makes, `{x}-v{n}`; any other was chosen by a person. `main` is made
 * too, but it says what it means: the line that others leave.
 */
export const isMadeName = (name: string): boolean => /-v(?:[2-9]|[1-9]\d+)$/.test(name)

const made = new WeakMap<GraphIndex, ReadonlyMap<BranchId, string>>()

/**
 * The words a branch is shown by; its name stays its handle in URLs, the API and the library. A name that a person chose is
 * the title. Otherwise it is the stored title, else the beginning of what was said first on the branch. No two branches of a
 * chat have the same one.
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

/** The titles of all branches of one chat, oldest branch first: of two alike, the later one is told apart. */
export function titlesOf(branches: readonly TitledBranch[]): ReadonlyMap<BranchId, string> {
  const titles = new Map<BranchId, string>()
  const taken = new Set<string>()
  const take = ({ id }: TitledBranch, title: string) => {
    titles.set(id, title)
    taken.add(keyOf(title))
  }
  const left: TitledBranch[] = []
  for (const branch of branches) {
    if (isMadeName(branch.name) && (branch.title || branch.first !== undefined)) left.push(branch)
    else take(branch, branch.name)
  }
  for (const branch of left) {
    const free = candidates(branch).find((title) => !taken.has(keyOf(title)))
    take(branch, free ?? numbered(branch.name, taken))
  }
  return titles
}

const keyOf = (title: string): string => title.normalize().toLowerCase()

/** What a branch could be called, best first; it is never empty. */
function candidates({ name, title, first }: TitledBranch): string[] {
  const words = title ? [title] : wordsOf(first)
  const base = words[0] ?? name
  const number = /-v\d+$/.exec(name)?.[0].slice(1)
  return [...(words.length > 0 ? words : [name]), `${base} · ${number}`, `${base} · ${name}`]
}

function numbered(name: string, taken: ReadonlySet<string>): string {
  for (let n = 2; ; n++) {
    const title = `${name} (${n})`
    if (!taken.has(keyOf(title))) return title
  }
}

const said = new WeakMap<FirstMessage, string[]>()

/** The words of a first message. A reply is another answer to a question that has one. */
function wordsOf(first: FirstMessage | null | undefined): string[] {
  if (!first) return ['new branch']
  if (first.role === 'assistant') return ['another answer']
  const known = said.get(first)
  if (known) return known
  const words = withoutShared(titleWords(first.preview), first.original)
  const titles = [WIDTH, LONGER].map((width) => cutTitle(words, width).replace(/(?<=[^.])\.$/, ''))
  const different = words === '' ? [] : [...new Set(titles)]
  said.set(first, different)
  return different
}

/** Letters that two versions have in common before their titles begin where they differ. */
const SHARED = 16

/** The words of an edited message from where they differ from the original's, two words before that included. */
function withoutShared(words: string, original: string | undefined): string {
  if (original === undefined) return words
  const before = titleWords(original)
  let at = 0
  while (at < words.length && words[at] === before[at]) at++
  const shared = words.slice(0, words.lastIndexOf(' ', at) + 1)
  if (shared.length < SHARED || at === words.length) return words
  const from = shared.trimEnd().split(' ').slice(-2).join(' ')
  return `…${from} ${words.slice(shared.length)}`
}

/** The first messages of branches by their nodes, which stay the same as a graph grows. */
const firsts = new WeakMap<GraphNode, FirstMessage>()

function titledBranches(index: GraphIndex): TitledBranch[] {
  const { branches } = index.graph
  const heads = new Map(branches.map(({ id, headId }) => [id, headId]))
  return branches.map((branch) => {
    const { id, name, title, parentBranchId } = branch
    // most chats have one branch, and names that were chosen need no look
    if (title || !isMadeName(name)) return { id, name, title, first: undefined }
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
  const known = firsts.get(node)
  if (known) return known
  const [original] = index.siblingsOf(node.id)
  const isVersion = original !== undefined && original !== node && original.role === node.role
  const first = {
    role: node.role,
    preview: node.preview,
    original: isVersion ? original.preview : undefined,
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
