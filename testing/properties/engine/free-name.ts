export interface Named {
  name: string
}

/** `{base}-v2`, or the next number that is free; bases beyond 180 characters are cut (DESIGN.md §5). */
export function freeNameOf(taken: readonly Named[], base: string): string {
  const letters = Array.from(base)
  const stem = letters.length > 180 ? `${letters.slice(0, 180).join('')}…` : base
  const names = new Set(taken.map(({ name }) => name))
  for (let n = 2; ; n += 1) {
    const name = `${stem}-v${n}`
    if (!names.has(name)) return name
  }
}
