import type { MergeConflict, MergeResolution } from '@/lib/events'
import { deserializeFragment, InvalidSerializedFragmentError, type SerializedFragment } from '../codecs'
import { MarkdownRenderer } from '../renderers'
import type { ContextData, ContextSetup, Memory } from '../store'
import { canonicalJson } from '../store/json'

type Content = Pick<ContextData, 'fragments' | 'setup'>

/** Changes that a merge of contexts makes to the target, in words. */
interface ContextChanges {
  added: string[]
  changed: string[]
  removed: string[]
}

/** The fragments and memories of two contexts in one. */
export interface MergedContext extends ContextChanges {
  fragments: SerializedFragment[]
  memories: Memory[]
  /** ids of the fragments that are switched off */
  off: string[]
  /** units that both sides changed differently */
  conflicts: MergeConflict[]
}

/** A fragment or a memory: its key, its label, its words, and everything else that makes it up. */
interface Unit {
  key: string
  about: string
  text: string
  value: SerializedFragment | Memory
  isOff: boolean
}

/**
 * Merges the fragments and memories of two contexts: a unit that only one side has changed since the base is
 * taken from that side, and a unit that both have changed is a conflict. Fragments are identified by their
 * ids, memories by their keys.
 *
 * @param base in force where the two branches part; null when they have nothing in common, and then every difference of what
 *   both have is a conflict
 * @param resolutions of conflicts, by id; without one the target's wording stays
 */
export function mergeContexts(
  base: Content | null,
  source: Content,
  target: Content,
  resolutions: Readonly<Record<string, MergeResolution>> = {},
): MergedContext {
  const before = base ? unitsOf(base) : new Map<string, Unit>()
  const theirs = unitsOf(source)
  const ours = unitsOf(target)
  const merged: Unit[] = []
  const conflicts: MergeConflict[] = []
  const changes: ContextChanges = { added: [], changed: [], removed: [] }
  // the target's order stays, and new units follow it
  for (const key of new Set([...ours.keys(), ...theirs.keys()])) {
    const [was, their, our] = [before.get(key), theirs.get(key), ours.get(key)]
    const about = (our ?? their)?.about ?? key
    let next = our
    if (!same(their, our) && !same(their, was)) {
      if (same(our, was)) next = their
      else {
        conflicts.push({ id: key, about, source: their?.text ?? null, target: our?.text ?? null })
        next = resolved(resolutions[key] ?? 'target', their, our)
      }
    }
    if (next) merged.push(next)
    if (next && !our) changes.added.push(`${next.about}: ${next.text}`)
    else if (!next && our) changes.removed.push(`${our.about}: ${our.text}`)
    else if (next && our && !same(next, our)) changes.changed.push(`${next.about}: ${next.text}`)
  }
  const units = (isMemory: boolean) => merged.filter(({ key }) => key.startsWith('memory:') === isMemory)
  return {
    ...changes,
    conflicts,
    fragments: units(false).map(({ value }) => value as SerializedFragment),
    memories: units(true).map(({ value }) => value as Memory),
    off: units(false).flatMap(({ key, isOff }) => (isOff ? [key.slice('fragment:'.length)] : [])),
  }
}

/** The target's setup with the merged parts; everything else in it stays. */
export const mergedSetup = (
  setup: ContextSetup | null | undefined,
  { memories, off }: Pick<MergedContext, 'memories' | 'off'>,
): ContextSetup => ({ ...setup, memories, off })

function resolved(choice: MergeResolution, their: Unit | undefined, our: Unit | undefined): Unit | undefined {
  if (choice === 'source') return their
  if (choice === 'target') return our
  const unit = our ?? their
  if (!unit) return undefined
  const { text } = choice
  if (!('$fragment' in unit.value)) return { ...unit, text, value: { ...unit.value, text, message_id: null } }
  return { ...unit, text, value: { $fragment: { ...unit.value.$fragment, data: text } } }
}

const same = (a: Unit | undefined, b: Unit | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && said(a) === said(b))

/** A memory is compared by its text, without the reply that remembered it. */
const said = ({ value, text, isOff }: Unit): string =>
  '$fragment' in value ? canonicalJson([value, isOff]) : text

function unitsOf({ fragments, setup }: Content): Map<string, Unit> {
  const off = setup?.off ?? []
  const units = (fragments as SerializedFragment[]).map((value, index): Unit => {
    const { id = `fragment-${index + 1}`, name } = value.$fragment as { id?: string; name?: string }
    const isOff = off.includes(id)
    const about = `Fragment ${name ?? ''}`.trim()
    return {
      key: `fragment:${id}`,
      about,
      text: wordsOf(value) + (isOff ? ' (switched off)' : ''),
      value,
      isOff,
    }
  })
  const memories = (setup?.memories ?? []).map(
    (value): Unit => ({
      key: `memory:${value.key}`,
      about: `Memory ${value.key}`,
      text: value.text,
      value,
      isOff: false,
    }),
  )
  return new Map([...units, ...memories].map((unit) => [unit.key, unit]))
}

const renderer = new MarkdownRenderer()

/** A fragment's words for a person; an unreadable fragment gives its JSON. */
function wordsOf(value: SerializedFragment): string {
  const { data } = value.$fragment
  if (typeof data === 'string') return data
  try {
    const section = renderer.render([deserializeFragment(value)])
    return section
      .replace(/^##.*\n+/, '')
      .replaceAll('**', '')
      .trim()
  } catch (error) {
    if (!(error instanceof InvalidSerializedFragmentError)) throw error
    return JSON.stringify(data)
  }
}
