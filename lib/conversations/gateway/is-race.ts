import { ContextMovedError, HeadConflictError, MessageExistsError, NameTakenError } from '@/lib/context'

/** True when another request has changed the state that this one was planned on. */
export const isRace = (error: unknown): boolean =>
  error instanceof HeadConflictError ||
  error instanceof ContextMovedError ||
  error instanceof NameTakenError ||
  error instanceof MessageExistsError
