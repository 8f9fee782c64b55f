import type { Route } from 'next'
import type { BranchId, MessageId } from '@/lib/events'

/** The place of a message on the page of a link. */
export const messageAnchor = (id: MessageId): string => `m-${id}`

/** A part of what a link opens, on a branch or at a message where it opens the graph; `anchor` is a message of the part. */
export function sharedPath(
  token: string,
  place: { branch?: BranchId | undefined; at?: MessageId; part?: number; anchor?: MessageId } = {},
): Route {
  const query = new URLSearchParams({
    ...(place.branch !== undefined && { branch: place.branch }),
    ...(place.at !== undefined && { at: place.at }),
    ...(place.part !== undefined && place.part > 1 && { part: `${place.part}` }),
  }).toString()
  const shown = place.at ?? place.anchor
  const anchor = shown === undefined ? '' : `#${encodeURIComponent(messageAnchor(shown))}`
  return `/s/${token}${query && `?${query}`}${anchor}` as Route
}
