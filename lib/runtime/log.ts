import { onOneLine, outlineError } from './outline-error'
import { telemetry } from './telemetry/telemetry'

/**
 * Writes an error, with what was being done, to the process's error log, and counts it. Never shown to a person. The
 * line has no text of a conversation, no values of a statement and no keys (`outlineError`).
 */
export function logError(what: string, error: unknown): void {
  telemetry()?.countError(kindOf(what))
  console.error(`[ramify] ${onOneLine(what)}: ${outlineError(error)}`)
}

/** The work without its ids: a counter may have few different values. */
const kindOf = (what: string): string => what.replace(/ (?:of \S+|[\da-f]{8}-[\da-f-]{27})/g, '').slice(0, 60)
