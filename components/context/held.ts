import type { ChatContext } from '@/lib/protocol'
import {
  changedParts,
  type Edit,
  edited,
  fitParts,
  isSame,
  isTyped,
  type Memory,
  memoryProblem,
  type Parts,
  partsOf,
  placeOf,
  tidyParts,
} from './parts'

/** The panel's state of a branch's context. */
export interface Held {
  /** the context in force, as it was when the draft began; null until it has loaded */
  base: ChatContext | null
  /** the changed parts that are not saved yet; null without a change */
  draft: Parts | null
  /** the context in force, where another tab or the model has changed it and the draft does not fit on it */
  theirs: ChatContext | null
  /** the change that Undo takes back */
  last: LastChange | null
  /** a change came into force, which is still said */
  saved: boolean
}

/** The last change of a person: all that was typed in one field is one. */
interface LastChange {
  before: Parts
  place: string
  /** the words of the things that a step removed */
  words?: string | undefined
  /** another key in the same field still belongs to it */
  goesOn: boolean
  /** its move in the log of the chat, once it is saved */
  moveSeq?: number | undefined
}

export type HeldAction =
  /** the context in force, as the server told it now */
  | { type: 'loaded'; context: ChatContext }
  /** @param words name the things that a step removed */
  | { type: 'edit'; edit: Edit; words?: string | undefined }
  | { type: 'undo' }
  | { type: 'discard' }
  /** the field was left */
  | { type: 'left' }
  /** the server took the parts that were sent */
  | { type: 'saved'; context: ChatContext; sent: Parts }
  /** the note about the saved change has been read */
  | { type: 'seen' }
  /** the draft that both sides became */
  | { type: 'resolve'; draft: Parts }

export const nothingHeld: Held = { base: null, draft: null, theirs: null, last: null, saved: false }

/** The reducer of the panel. No step loses a draft that the next one could not bring back. */
export function changeHeld(held: Held, action: HeldAction): Held {
  const { base, draft, theirs, last } = held
  switch (action.type) {
    case 'loaded':
      return withLoaded(held, action.context)
    case 'edit': {
      const { edit, words } = action
      const now = shownParts(held)
      if (!base || !now) return held
      const place = placeOf(edit)
      const isMore = last?.goesOn && last.place === place && words === undefined
      const change = { before: now, place, words, goesOn: isTyped(edit) }
      return { ...held, draft: unlessSame(base, edited(now, edit)), last: isMore ? last : change }
    }
    case 'undo':
      return base && last ? { ...held, draft: unlessSame(base, last.before), last: null } : held
    case 'discard': {
      const change = draft && { before: draft, place: 'discard', words: 'Discarded.', goesOn: false }
      return { base: theirs ?? base, draft: null, theirs: null, last: change, saved: false }
    }
    case 'left': {
      const rested = last && { ...last, goesOn: false }
      return { ...held, draft: base && draft && unlessSame(base, tidyParts(draft)), last: rested }
    }
    case 'saved': {
      // keys and undos meanwhile stay a draft; without one, the shown parts are the base from before
      const shown = shownParts(held)
      const isWhole = shown === null || isSame(shown, action.sent)
      const moveSeq = action.context.move_seq ?? last?.moveSeq
      return {
        base: action.context,
        draft: isWhole ? null : shown,
        theirs: null,
        last: last && { ...last, moveSeq },
        saved: true,
      }
    }
    case 'seen':
      return { ...held, saved: false, last: last && { ...last, words: undefined } }
    case 'resolve':
      return { ...held, base: theirs ?? base, theirs: null, draft: action.draft, last: null }
  }
}

/** The parts on the panel: the draft, else the context in force. */
export const shownParts = ({ base, draft }: Pick<Held, 'base' | 'draft'>): Parts | null =>
  draft ?? (base && partsOf(base))

/**
 * The parts to send so that the shown ones are in force; null where they are, or where a person has to look first.
 */
export function unsent({ base, draft, theirs }: Pick<Held, 'base' | 'draft' | 'theirs'>): Parts | null {
  if (!base || !draft || theirs) return null
  const fit = fitParts(draft)
  return isSame(partsOf(base), fit) ? null : fit
}

/** The position of the move that the next change joins: the move of the change that still goes on. */
export const joinedMove = ({ last }: Pick<Held, 'last'>): number | undefined =>
  last?.goesOn ? last.moveSeq : undefined

const unlessSame = (base: ChatContext, parts: Parts): Parts | null =>
  isSame(partsOf(base), parts) ? null : parts

function withLoaded(held: Held, context: ChatContext): Held {
  const { base, draft } = held
  const isNews = base !== null && base.context_id !== context.context_id
  const last = isNews ? null : held.last
  if (!base || !draft) {
    return { ...held, base: context, theirs: null, last, saved: held.saved && !isNews }
  }
  const draftOn = rebased(base, draft, context)
  if (!draftOn) return { ...held, theirs: context }
  return { ...held, base: context, theirs: null, last, draft: unlessSame(context, draftOn) }
}

/**
 * A draft on another context than it began with; null where a person has to look. A turn changes the model, and a model
 * remembers: such a change is taken where the draft does not touch memories itself.
 */
function rebased(base: ChatContext, draft: Parts, context: ChatContext): Parts | null {
  const [before, now] = [partsOf(base), partsOf(context)]
  if (isSame(before, now) || isSame(draft, now)) return draft
  // nothing is changed but memories that are not whole yet
  if (isSame(before, fitParts(draft))) {
    return { ...now, memories: [...now.memories, ...unfitMemories(draft.memories)] }
  }
  const isOnlyRemembered = isSame({ ...before, memories: now.memories }, now)
  const isUntouched = changedParts(before, draft).memories === undefined
  return isOnlyRemembered && isUntouched ? { ...draft, memories: now.memories } : null
}

const unfitMemories = (memories: readonly Memory[]): Memory[] =>
  memories.filter((_, at) => memoryProblem(memories, at) !== null)
