import { isRecord } from '@/lib/events/is-record'

/** Bytes of the router's header that the framework reads. */
const MAX_STATE = 40_000
const MAX_DEPTH = 60

/**
 * True when the framework can read this `next-router-state-tree` header; it answers any other with a 500. Its own router
 * sends the header on navigation: a tree of `[segment, children by slot, …]`, percent-encoded.
 */
export function isRouterState(header: string): boolean {
  if (header.length > MAX_STATE) return false
  try {
    return isTree(JSON.parse(decodeURIComponent(header)), 0)
  } catch {
    return false
  }
}

function isTree(value: unknown, depth: number): boolean {
  if (!Array.isArray(value) || depth > MAX_DEPTH || value.length < 2 || value.length > 6) return false
  const [segment, slots, place, marker, hints, cache] = value
  return (
    isSegment(segment) &&
    isRecord(slots) &&
    Object.values(slots).every((slot) => isTree(slot, depth + 1)) &&
    (place == null || (isTexts(place) && place.length === 2)) &&
    (marker == null || markers.has(marker)) &&
    (hints == null || typeof hints === 'number') &&
    (cache === undefined || typeof cache === 'string')
  )
}

const markers: ReadonlySet<unknown> = new Set(['refetch', 'inside-shared-layout', 'metadata-only'])
const kinds: ReadonlySet<unknown> = new Set(
  ['c', 'oc', 'd', 'ci', 'di'].flatMap((kind) =>
    kind.endsWith('i') ? ['(..)(..)', '(.)', '(..)', '(...)'].map((way) => `${kind}${way}`) : [kind],
  ),
)

function isSegment(value: unknown): boolean {
  if (typeof value === 'string') return true
  if (!Array.isArray(value) || value.length !== 4) return false
  const [name, key, kind, siblings] = value
  return isTexts([name, key]) && kinds.has(kind) && (siblings === null || isTexts(siblings))
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')
