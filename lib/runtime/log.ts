/**
 * Writes an error, with what was being done, to the process's log. Never shown to a person. Of each cause only the first
 * line and the frames are written: what stands between, and the other properties, hold a statement's values, the
 * conversation, and sometimes a key.
 */
export function logError(what: string, error: unknown): void {
  const causes: string[] = []
  for (let cause = error; cause instanceof Error; cause = cause.cause) causes.push(outlineOf(cause))
  console.error(`[ramify] ${what}: ${causes.length ? causes.join('\n  because: ') : String(error)}`)
}

function outlineOf(error: Error): string {
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return [`${error.name}: ${error.message.split('\n')[0]}`, ...frames].join('\n')
}
