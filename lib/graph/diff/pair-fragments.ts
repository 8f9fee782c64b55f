import type { FragmentPair } from '@/lib/protocol'

/** A fragment of a context as a person reads it. */
export interface ReadableFragment {
  name: string
  text: string
}

/**
 * The differences of two contexts. Equal fragments are not listed, in any order; the others are set side by side in
 * order, name by name.
 */
export function pairFragments(
  left: readonly ReadableFragment[],
  right: readonly ReadableFragment[],
): { same: number; differing: FragmentPair[] } {
  const isIn = (others: ReadableFragment[]) => (fragment: ReadableFragment) => {
    const at = others.findIndex(({ name, text }) => name === fragment.name && text === fragment.text)
    if (at >= 0) others.splice(at, 1)
    return at >= 0
  }
  const rightRest = [...right]
  const shared = left.filter(isIn(rightRest))
  const leftRest = [...left].filter((fragment) => !shared.includes(fragment))
  const differing = leftRest.map(({ name, text }): FragmentPair => {
    const at = rightRest.findIndex((other) => other.name === name)
    const [other] = at >= 0 ? rightRest.splice(at, 1) : []
    return { name, left: text, right: other?.text ?? null }
  })
  const alone = rightRest.map(({ name, text }): FragmentPair => ({ name, left: null, right: text }))
  return { same: shared.length, differing: [...differing, ...alone] }
}
