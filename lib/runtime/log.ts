/** Writes an error with what was being done, whole, to the process's log. Never shown to a person. */
export function logError(what: string, error: unknown): void {
  console.error(`[ramify] ${what}:`, error)
}
