'use client'

import { useState } from 'react'
import { layoutCost } from '@/lib/markdown/layout-cost'
import { budget, markdownCost } from '@/lib/markdown/markdown-cost'

/** The most that is drawn at once with a page, in the unit of a message's budget: a page has more work than that. */
const pageBudget = 80_000
/** A message by itself: its frame, and the beginning of a folded one. */
const perMessage = 600

/** A unit of drawing: a message, or two beside each other. */
export interface Drawing {
  id: string
  texts: readonly { author: string; text: string }[]
}

/** The drawings that come with the page; the rest follow one after another. */
export interface Judged {
  drawings: readonly Drawing[]
  known: ReadonlyMap<string, boolean>
}

/**
 * Decides about the new drawings of a page, from the last one up, within a budget. A decision stays, and the server
 * decides as the browser does.
 */
export function judge(before: ReadonlyMap<string, boolean>, drawings: readonly Drawing[]): Judged {
  const known = new Map<string, boolean>()
  let left = pageBudget
  for (const drawing of drawings.toReversed()) {
    const decided = before.get(drawing.id)
    if (decided === undefined) left -= left > 0 ? costOf(drawing) : 0
    known.set(drawing.id, decided ?? left >= 0)
  }
  return { drawings, known }
}

/** The drawings that come with the page. */
export function useFirstDrawn(drawings: readonly Drawing[]): ReadonlyMap<string, boolean> {
  const [judged, setJudged] = useState(() => judge(new Map(), drawings))
  const isSame =
    judged.drawings.length === drawings.length &&
    drawings.every(({ id }, at) => id === judged.drawings[at]?.id)
  if (isSame) return judged.known
  const next = judge(judged.known, drawings)
  setJudged(next)
  return next.known
}

/** A text too dear to draw is folded, and costs no more than its beginning. */
function costOf({ texts }: Drawing): number {
  let sum = 0
  for (const { author, text } of texts) {
    const cost = author === 'assistant' ? markdownCost(text) : layoutCost(text)
    sum += perMessage + (cost > budget ? 0 : cost)
  }
  return sum
}
