import type { ChatContext } from '@/lib/protocol'
import type { Parts } from './parts'

/** A draft, and the context it began with. */
interface KeptDraft {
  base: ChatContext
  draft: Parts
}

const keyOf = (place: string) => `ramify-context:${place}`

/** The draft that this tab keeps for a place; anything else that stands there counts as none. */
export function keptDraft(place: string, storage: () => Storage = () => sessionStorage): KeptDraft | null {
  try {
    const value = JSON.parse(storage().getItem(keyOf(place)) ?? 'null') as Partial<KeptDraft> | null
    const isWhole = [value?.base?.fragments, value?.draft?.fragments, value?.draft?.memories].every(
      Array.isArray,
    )
    return isWhole ? (value as KeptDraft) : null
  } catch {
    return null
  }
}

/** Keeps a draft, or forgets it. If the browser forbids to store, it lasts as long as the panel. */
export function keepDraft(
  place: string,
  kept: KeptDraft | null,
  storage: () => Storage = () => sessionStorage,
): void {
  try {
    if (kept) storage().setItem(keyOf(place), JSON.stringify(kept))
    else storage().removeItem(keyOf(place))
  } catch {
    return
  }
}
