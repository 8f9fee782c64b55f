interface Reads {
  begun: Map<string, Promise<unknown>>
  /** not begun yet */
  next: Map<string, Promise<unknown>>
}

const readsOf = new WeakMap<object, Reads>()

/**
 * A read that all callers with the same key share while it waits for its turn: a hundred watchers of a chat
 * cost two reads of a change, not a hundred. The shared read always begins after the call, so it includes all
 * earlier writes.
 *
 * @param source the object to read; reads of two sources are separate
 * @param key names the question and the person
 */
export function readTogether<Result>(
  source: object,
  key: string,
  read: () => Promise<Result>,
): Promise<Result> {
  const reads = readsOf.get(source) ?? { begun: new Map(), next: new Map() }
  readsOf.set(source, reads)
  const waiting = reads.next.get(key)
  // one key is always asked with one kind of read
  if (waiting) return waiting as Promise<Result>
  const before = reads.begun.get(key)
  if (!before) return begin(reads.begun, key, read)
  const next = before.then(ignore, ignore).then(() => {
    reads.next.delete(key)
    return begin(reads.begun, key, read)
  })
  reads.next.set(key, next)
  return next
}

function begin<Result>(begun: Reads['begun'], key: string, read: () => Promise<Result>): Promise<Result> {
  const reading = read()
  begun.set(key, reading)
  const end = () => {
    if (begun.get(key) === reading) begun.delete(key)
  }
  reading.then(end, end)
  return reading
}

/** The error of the read before belongs to its own callers. */
const ignore = () => undefined
