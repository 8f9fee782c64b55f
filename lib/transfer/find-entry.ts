import type { FindEntry } from './parts/files'

/** Ids that names of files begin with: ids of ChatGPT, and UUIDs. */
const leadingId = /^(file[-_][A-Za-z0-9]+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/i

/** Finds entries of an archive by their path, their name, or the id that their name begins with. */
export function entryFinder(names: readonly string[]): FindEntry {
  const byKey = new Map<string, string>()
  const add = (key: string | undefined, entry: string) => {
    if (key && !byKey.has(key)) byKey.set(key, entry)
  }
  for (const entry of names) {
    const base = entry.split('/').at(-1) ?? entry
    add(entry, entry)
    add(base, entry)
    add(base.replace(/\.[^.]*$/, ''), entry)
    add(leadingId.exec(base)?.[1], entry)
  }
  return (wanted) => {
    for (const name of wanted) {
      const found = name ? (byKey.get(name) ?? byKey.get(name.replace(/^\/+/, ''))) : undefined
      if (found !== undefined) return found
    }
    return null
  }
}
