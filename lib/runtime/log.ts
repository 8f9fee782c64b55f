/**
 * Writes an error, with what was being done, to the process's log. Never shown to a person. Only stacks are written:
 * the other properties of a provider's error hold the conversation, and sometimes a key.
 */
export function logError(what: string, error: unknown): void {
  const causes: string[] = []
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    causes.push(cause.stack ?? cause.message)
  console.error(`[ramify] ${what}: ${causes.length ? causes.join('\n  because: ') : String(error)}`)
}
