import type { FinishReason, LanguageModelUsage } from 'ai'
import { type ExplainedError, explainError } from '../explain-error'

export type EndStatus = 'completed' | 'stopped' | 'failed'

/** How a reply ended. The first ending counts; nothing that arrives later changes it. */
export class Verdict {
  status: EndStatus | undefined
  error: ExplainedError | undefined
  /** the error as it was thrown, for the log only */
  cause: unknown
  finishReason: FinishReason | undefined
  usage: LanguageModelUsage | undefined

  complete(finishReason: FinishReason): void {
    if (this.status !== undefined) return
    this.status = 'completed'
    this.finishReason = finishReason
  }

  stop(): void {
    this.status ??= 'stopped'
  }

  fail(cause: unknown): void {
    if (this.status !== undefined) return
    this.status = 'failed'
    this.cause = cause
    this.error = explainError(cause)
  }
}
