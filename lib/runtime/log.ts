import { onOneLine, outlineError } from './outline-error'
import { telemetry } from './telemetry/telemetry'

/**
 * Writes an error, with what was being done, to the process's error log, and counts it. Never shown to a person. What it
 * writes holds no words of a conversation, no values of a statement and no keys (`outlineError`).
 */
export function logError(what: string, error: unknown): void {
  telemetry()?.countError(kindOf(what))
  console.error(`[ramify] ${onOneLine(what)}: ${outlineError(error)}`)
}

/** What was being done, without the ids in it: as few values as a counter may have. */
const kindOf = (what: string): string => what.replace(/ (?:of \S+|[\da-f]{8}-[\da-f-]{27})/g, '').slice(0, 60)
