import { jsonEqual } from '@/lib/context'
import type { ChatContext, ContextFragmentJson } from '@/lib/protocol'

/** What a person changes of a context. */
export type Parts = Pick<ChatContext, 'renderer' | 'settings' | 'fragments' | 'memories' | 'tools'>

export type Memory = Parts['memories'][number]

/** The parts of a context, without its id and model. */
export const partsOf = ({ renderer, settings, fragments, memories, tools }: ChatContext): Parts => ({
  ...{ renderer, settings, fragments, memories, tools },
})

const names = ['renderer', 'settings', 'fragments', 'memories', 'tools'] as const

/** The parts of `now` that are not as they were. Parts that are the same object are not compared. */
export const changedParts = (before: Parts, now: Parts): Partial<Parts> =>
  Object.fromEntries(
    names
      .filter((name) => before[name] !== now[name] && !jsonEqual(before[name], now[name]))
      .map((name) => [name, now[name]]),
  )

/** Whether nothing differs. */
export const isSame = (one: Parts, other: Parts): boolean =>
  Object.keys(changedParts(one, other)).length === 0

/** A change to the fragments or to whole other parts. */
export type Edit =
  | { type: 'parts'; parts: Partial<Parts> }
  | { type: 'fragment'; id: string; change: Partial<Omit<ContextFragmentJson, 'id' | 'group'>> }
  /** into a group, or out of all with '' */
  | { type: 'group'; id: string; group: string }
  | { type: 'add'; fragments: readonly ContextFragmentJson[] }
  | { type: 'duplicate'; id: string; as: string }
  | { type: 'remove'; id: string }
  /** up or down within its group */
  | { type: 'move'; id: string; by: 1 | -1 }

/** The parts after an edit. Fragments that it does not touch stay the same objects. */
export function edited(parts: Parts, edit: Edit): Parts {
  if (edit.type === 'parts') return { ...parts, ...edit.parts }
  return { ...parts, fragments: editedFragments(parts.fragments, edit) }
}

type FragmentEdit = Exclude<Edit, { type: 'parts' }>

function editedFragments(all: ContextFragmentJson[], edit: FragmentEdit): ContextFragmentJson[] {
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
  /** '' for those without one */
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

/** Why a context cannot be saved as it is; null when it can. */
export function unfitness({ memories }: Parts): string | null {
  const keys = memories.map(({ key }) => key.trim())
  if (keys.includes('')) return 'A memory has no key.'
  if (new Set(keys).size < keys.length) return 'Two memories have the same key.'
  const silent = memories.find(({ text }) => text.trim() === '')
  return silent ? `The memory ${silent.key} has no text.` : null
}
