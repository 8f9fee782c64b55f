import type { ChatContext } from '@/lib/protocol'
import { type Edit, edited, isSame, type Parts, partsOf } from './parts'

/** What the panel holds of a branch's context. */
export interface Held {
  /** the context in force as it was when the draft began; null until it has loaded */
  base: ChatContext | null
  /** what is changed and not saved; null without a change */
  draft: Parts | null
  /** the context in force, where another tab or the model has changed it and the draft does not fit on it */
  theirs: ChatContext | null
  /** the draft before a step that takes something away */
  undo: { draft: Parts | null; words: string } | null
  /** the draft was saved, and nothing was changed since */
  saved: boolean
}

export type HeldAction =
  /** the context in force, as the server told it now */
  | { type: 'loaded'; context: ChatContext }
  /** @param words of a step that takes something away: what it took */
  | { type: 'edit'; edit: Edit; words?: string }
  | { type: 'undo' }
  | { type: 'discard' }
  /** the server took what was sent */
  | { type: 'saved'; context: ChatContext; sent: Parts }
  /** what saving did has been read */
  | { type: 'seen' }
  /** the draft that both sides became */
  | { type: 'resolve'; draft: Parts }

export const nothingHeld: Held = { base: null, draft: null, theirs: null, undo: null, saved: false }

/** The reducer of the panel. No step loses a draft that the next one could not bring back. */
export function changeHeld(held: Held, action: HeldAction): Held {
  switch (action.type) {
    case 'loaded':
      return withLoaded(held, action.context)
    case 'edit': {
      const now = shownParts(held)
      if (!held.base || !now) return held
      const next = edited(now, action.edit)
      const undo = action.words === undefined ? held.undo : { draft: held.draft, words: action.words }
      return { ...held, draft: isSame(partsOf(held.base), next) ? null : next, undo, saved: false }
    }
    case 'undo':
      return held.undo ? { ...held, draft: held.undo.draft, undo: null, saved: false } : held
    case 'discard':
      return {
        ...held,
        base: held.theirs ?? held.base,
        ...{ draft: null, theirs: null, saved: false },
        undo: held.draft && { draft: held.draft, words: 'Your changes are discarded.' },
      }
    case 'saved': {
      // what was typed meanwhile stays a draft
      const isWhole = held.draft === null || isSame(held.draft, action.sent)
      return {
        ...{ base: action.context, theirs: null, undo: null, saved: isWhole },
        draft: isWhole ? null : held.draft,
      }
    }
    case 'seen':
      return { ...held, saved: false }
    case 'resolve':
      return { ...held, base: held.theirs ?? held.base, theirs: null, draft: action.draft, undo: null }
  }
}

/** What the panel shows: the draft, else what is in force. */
export const shownParts = ({ base, draft }: Pick<Held, 'base' | 'draft'>): Parts | null =>
  draft ?? (base && partsOf(base))

function withLoaded(held: Held, context: ChatContext): Held {
  const { base, draft } = held
  if (!base || !draft) {
    const isNews = base !== null && base.context_id !== context.context_id
    return { ...held, base: context, theirs: null, saved: held.saved && !isNews }
  }
  const draftOn = rebased(base, draft, context)
  if (!draftOn) return { ...held, theirs: context }
  const isIn = isSame(draftOn, partsOf(context))
  return { ...held, base: context, theirs: null, draft: isIn ? null : draftOn }
}

/**
 * A draft on another context than it began with; null where a person has to look. A turn changes the model, and a model
 * remembers: such a change is taken where the draft does not touch memories itself.
 */
function rebased(base: ChatContext, draft: Parts, context: ChatContext): Parts | null {
  const [before, now] = [partsOf(base), partsOf(context)]
  if (isSame(before, now) || isSame(draft, now)) return draft
  const isOnlyRemembered = isSame({ ...before, memories: now.memories }, now)
  const isUntouched = isSame({ ...draft, memories: before.memories }, draft)
  return isOnlyRemembered && isUntouched ? { ...draft, memories: now.memories } : null
}
