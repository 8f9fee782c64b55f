import type { ContextDifferences, FragmentPair } from '@/lib/protocol'
import { pairFragments, type ReadableFragment } from './pair-fragments'

/** A context as a person reads it: everything by its name on the screen. */
export interface ReadableContext {
  fragments: readonly ReadableFragment[]
  memories: Readonly<Record<string, string>>
  /** `provider:model` */
  model: string | null
  /** true when a call of each waits for a person; a tool that is not named is not offered */
  tools: Readonly<Record<string, string>>
  /** the chosen ones; a setting that is not named has its default */
  settings: Readonly<Record<string, string>>
}

/** The differences of two contexts, part by part. Common parts are not listed. */
export function pairContexts(left: ReadableContext, right: ReadableContext): ContextDifferences {
  return {
    ...pairFragments(left.fragments, right.fragments),
    memories: pairValues(left.memories, right.memories),
    model: left.model === right.model ? null : { left: left.model, right: right.model },
    tools: pairValues(left.tools, right.tools),
    settings: pairValues(left.settings, right.settings),
  }
}

/** The values that differ, under their names, in alphabetical order. */
function pairValues(
  left: Readonly<Record<string, string>>,
  right: Readonly<Record<string, string>>,
): FragmentPair[] {
  const names = new Set([...Object.keys(left), ...Object.keys(right)])
  return [...names]
    .filter((name) => left[name] !== right[name])
    .sort()
    .map((name) => ({ name, left: left[name] ?? null, right: right[name] ?? null }))
}
