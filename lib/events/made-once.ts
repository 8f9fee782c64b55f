/** Makes a value when it is first asked for: to make a formatter takes a slow browser 10 ms, and most pages need few. */
export function madeOnce<T extends object>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
