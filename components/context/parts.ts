import { jsonEqual } from '@/lib/context'
import type { ChatContext, ContextFragmentJson } from '@/lib/protocol'

/** The parts of a context that a person changes. */
export type Parts = Pick<ChatContext, 'renderer' | 'settings' | 'fragments' | 'memories' | 'tools'>

export type Memory = Parts['memories'][number]

/** The parts of a context, without its id and model. */
export const partsOf = ({ renderer, settings, fragments, memories, tools }: ChatContext): Parts => ({
  renderer,
  settings,
  fragments,
  memories,
  tools,
})

const names = ['renderer', 'settings', 'fragments', 'memories', 'tools'] as const

/** The parts of `now` that are not as they were. Parts that are the same object are not compared. */
export const changedParts = (before: Parts, now: Parts): Partial<Parts> =>
  Object.fromEntries(
    names
      .filter((name) => before[name] !== now[name] && !jsonEqual(before[name], now[name]))
      .map((name) => [name, now[name]]),
  )

/** True when nothing differs. */
export const isSame = (one: Parts, other: Parts): boolean =>
  Object.keys(changedParts(one, other)).length === 0

/** A change to the fragments or to whole other parts. */
export type Edit =
  | { type: 'parts'; parts: Partial<Parts> }
  /** the text of the box: a fragment that goes with its last word */
  | { type: 'instructions'; id: string; text: string }
  | { type: 'fragment'; id: string; change: Partial<Omit<ContextFragmentJson, 'id' | 'group'>> }
  /** into a group, or out of all with '' */
  | { type: 'group'; id: string; group: string }
  | { type: 'add'; fragments: readonly ContextFragmentJson[] }
  | { type: 'duplicate'; id: string; as: string }
  | { type: 'remove'; id: string }
  /** up or down within its group */
  | { type: 'move'; id: string; by: 1 | -1 }

/** True for an edit that is one of many, at every key: such a change is saved when the keys rest. */
export function isTyped(edit: Edit): boolean {
  if (edit.type === 'parts') return edit.parts.settings !== undefined || edit.parts.memories !== undefined
  if (edit.type === 'fragment') return edit.change.enabled === undefined
  return edit.type === 'instructions'
}

/** The name of the part that an edit changes: edits of the same part, one after the other, are one change. */
export function placeOf(edit: Edit): string {
  if (edit.type === 'parts') return Object.keys(edit.parts).join(' ')
  return `${edit.type} ${edit.type === 'add' ? edit.fragments.map(({ id }) => id).join(' ') : edit.id}`
}

/** The parts after an edit. Fragments that it does not touch stay the same objects. */
export function edited(parts: Parts, edit: Edit): Parts {
  if (edit.type === 'parts') return { ...parts, ...edit.parts }
  return { ...parts, fragments: editedFragments(parts.fragments, edit) }
}

type FragmentEdit = Exclude<Edit, { type: 'parts' }>

function editedFragments(all: ContextFragmentJson[], edit: FragmentEdit): ContextFragmentJson[] {
  if (edit.type === 'instructions') return withInstructions(all, edit)
  if (edit.type === 'add') return grouped([...all, ...edit.fragments]).flatMap(({ fragments }) => fragments)
  const at = all.findIndex(({ id }) => id === edit.id)
  const fragment = all[at]
  if (!fragment) return all
  switch (edit.type) {
    case 'fragment':
      return all.with(at, { ...fragment, ...edit.change })
    case 'group': {
      const { group: _group, ...rest } = fragment
      const moved = edit.group === '' ? rest : { ...rest, group: edit.group }
      return grouped(all.with(at, moved)).flatMap(({ fragments }) => fragments)
    }
    case 'duplicate':
      return all.toSpliced(at + 1, 0, { ...fragment, id: edit.as })
    case 'remove':
      return all.toSpliced(at, 1)
    case 'move':
      return grouped(all).flatMap(({ fragments }) => moved(fragments, edit))
  }
}

/** The kind of fragment that the box edits. */
const instruction = 'instruction'

/** The fragment that the box shows: the first plain instruction that is in the prompt. */
export const instructionsIn = (fragments: readonly ContextFragmentJson[]): ContextFragmentJson | undefined =>
  fragments.find(({ name, data, enabled }) => name === instruction && typeof data === 'string' && enabled)

function withInstructions(
  all: ContextFragmentJson[],
  { id, text }: Edit & { type: 'instructions' },
): ContextFragmentJson[] {
  const at = all.findIndex((fragment) => fragment.id === id)
  const before = all[at]
  if (text.trim() === '') return before ? all.toSpliced(at, 1) : all
  if (before) return all.with(at, { ...before, data: text })
  const added = { id, name: instruction, data: text, enabled: true }
  return grouped([...all, added]).flatMap(({ fragments }) => fragments)
}

function moved(fragments: ContextFragmentJson[], { id, by }: { id: string; by: 1 | -1 }) {
  const from = fragments.findIndex((fragment) => fragment.id === id)
  const fragment = fragments[from]
  const to = from + by
  return fragment && to >= 0 && to < fragments.length
    ? fragments.toSpliced(from, 1).toSpliced(to, 0, fragment)
    : fragments
}

/** A group of fragments as the panel lists it. */
export interface Group {
  /** '' for fragments without one */
  name: string
  fragments: ContextFragmentJson[]
}

/** Fragments in their groups: those without one first, then each group where its first fragment stands. */
export function grouped(fragments: readonly ContextFragmentJson[]): Group[] {
  const groups = new Map<string, ContextFragmentJson[]>([['', []]])
  for (const fragment of fragments) {
    const { group: name = '' } = fragment
    const group = groups.get(name)
    if (group) group.push(fragment)
    else groups.set(name, [fragment])
  }
  return Array.from(groups, ([name, group]) => ({ name, fragments: group })).filter(
    (group) => group.fragments.length > 0,
  )
}

/** Why a memory is not in force; null where it is. */
export function memoryProblem(memories: readonly Memory[], at: number): string | null {
  const { key = '', text = '' } = memories[at] ?? {}
  if (key.trim() === '') return 'Not in force: it has no key.'
  const isTaken = memories.some((other, i) => i < at && other.key.trim() === key.trim())
  if (isTaken) return 'Not in force: there is a memory with this key.'
  return text.trim() === '' ? 'Not in force: it has no text.' : null
}

const tidied = ({ key, text, message_id }: Memory): Memory => ({
  key: key.trim(),
  text: text.trim(),
  message_id,
})

/** The parts that can be in force: of the memories only whole ones, without the spaces around them. */
export const fitParts = (parts: Parts): Parts => ({
  ...parts,
  memories: parts.memories.filter((_, at) => memoryProblem(parts.memories, at) === null).map(tidied),
})

/** The parts without the spaces around memories; memories that are not in force stay, to be finished. */
export const tidyParts = (parts: Parts): Parts => ({ ...parts, memories: parts.memories.map(tidied) })
