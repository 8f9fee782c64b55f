import { ContextMovedError, HeadConflictError, MessageExistsError, NameTakenError } from '@/lib/context'

/** Another request has written what this one was planned on. */
export const isRace = (error: unknown): boolean =>
  error instanceof HeadConflictError ||
  error instanceof ContextMovedError ||
  error instanceof NameTakenError ||
  error instanceof MessageExistsError
