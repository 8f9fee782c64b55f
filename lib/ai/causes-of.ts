/** Everything that led to an error, the latest first. */
export function causesOf(error: unknown): unknown[] {
  const found: unknown[] = []
  for (let cause = error; cause !== undefined && found.length < 10; ) {
    found.push(cause)
    cause = cause instanceof Error ? cause.cause : undefined
  }
  return found
}
