import { v7 } from 'uuid'

/**
 * Ids are strings that remember the kind of thing they name, so that a branch id cannot pass for a message id. The
 * mark is optional: a plain string from a caller of the library is accepted as it is.
 */
type Id<Name extends string> = string & { readonly __names?: Name }

export type ChatId = Id<'chat'>
export type MessageId = Id<'message'>
export type BranchId = Id<'branch'>
export type CheckpointId = Id<'checkpoint'>
export type ContextId = Id<'context'>
export type RunId = Id<'run'>
export type ReplayId = Id<'replay'>
export type BisectId = Id<'bisect'>
export type ShareId = Id<'share'>
export type UserId = Id<'user'>

/** A new id that sorts by the time it was made (UUIDv7, RFC 9562). */
export const newId = (): string => v7()

/** The id that all ids made from a moment on, in ms, are greater than. */
export const idAt = (ms: number): string => v7({ msecs: ms, seq: 0, random: new Uint8Array(16) })

/** The time an id was made, in milliseconds since 1970; null for an id that does not tell. */
export function timeOfId(id: string): number | null {
  const [, high, low] = /^([0-9a-f]{8})-([0-9a-f]{4})-7/i.exec(id) ?? []
  return high === undefined ? null : Number.parseInt(`${high}${low}`, 16)
}
