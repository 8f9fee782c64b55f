import type { History, Movement, PackedHistory } from '@/lib/protocol'

type Field = 'branchId' | 'from' | 'checkpointId' | 'name' | 'place'

/** Letters of a packed history: each stands for a kind of movement, and its fields besides `seq` and `at`. */
const shapes: Record<string, [kind: Movement['kind'], ...fields: Field[]]> = {
  m: ['message', 'branchId', 'place'],
  // a branch that opens before the first message has no place, nor has a branch that goes back there: `letters` has
  // the later letter
  e: ['opened', 'branchId', 'from', 'name'],
  o: ['opened', 'branchId', 'from', 'name', 'place'],
  z: ['headed', 'branchId'],
  h: ['headed', 'branchId', 'place'],
  n: ['renamed', 'branchId', 'name'],
  a: ['archived', 'branchId'],
  r: ['restored', 'branchId'],
  s: ['switched', 'branchId'],
  k: ['saved', 'checkpointId', 'name', 'place'],
  v: ['moved', 'name', 'place'],
  x: ['removed', 'name'],
}
/** Kinds that may have no place, and their letter then. */
const empty: Partial<Record<Movement['kind'], string>> = { opened: 'e', headed: 'z' }
const letters = new Map(Object.entries(shapes).map(([letter, [kind]]) => [kind, letter]))

/** Puts a history into columns. Linear. */
export function packHistory({ chatId, seq, movements }: History): PackedHistory {
  const packed: PackedHistory = {
    chatId,
    seq,
    kinds: '',
    seqs: [],
    times: [],
    places: [],
    refs: [],
    ids: [],
    names: [],
  }
  const numbers = new Map<string, number>()
  const refTo = (id: string | null): number => {
    if (id === null) return -1
    const known = numbers.get(id)
    if (known !== undefined) return known
    numbers.set(id, packed.ids.length)
    return packed.ids.push(id) - 1
  }
  const last = { seq: 0, at: 0, lane: 0, depth: 0 }
  const distance = (of: keyof typeof last, value: number): number => {
    const before = last[of]
    last[of] = value
    return value - before
  }
  for (const movement of movements) {
    const isEmpty = 'place' in movement && movement.place === null
    packed.kinds += isEmpty ? empty[movement.kind] : letters.get(movement.kind)
    packed.seqs.push(distance('seq', movement.seq))
    packed.times.push(distance('at', movement.at))
    if ('place' in movement && movement.place) {
      packed.places.push(distance('lane', movement.place.lane), distance('depth', movement.place.depth))
    }
    if ('branchId' in movement) packed.refs.push(refTo(movement.branchId))
    if (movement.kind === 'opened') packed.refs.push(refTo(movement.from))
    if (movement.kind === 'saved') packed.refs.push(refTo(movement.checkpointId))
    if ('name' in movement) packed.names.push(movement.name)
  }
  return packed
}

/**
 * The history that was packed.
 *
 * @throws Error when the columns do not belong together
 */
export function unpackHistory(packed: PackedHistory): History {
  const { chatId, seq, ids } = packed
  const [times, seqs, places] = [taking(packed.times), taking(packed.seqs), taking(packed.places)]
  const [refs, names] = [taking(packed.refs), taking(packed.names)]
  const last = { seq: 0, at: 0, lane: 0, depth: 0 }
  const further = (of: keyof typeof last, by: number): number => {
    last[of] += by
    return last[of]
  }
  const idOrNone = () => ids[refs()] ?? null
  const read: Record<Field, () => unknown> = {
    branchId: () => idOrNone() ?? broken(),
    from: idOrNone,
    checkpointId: idOrNone,
    name: names,
    place: () => ({ lane: further('lane', places()), depth: further('depth', places()) }),
  }
  const movements = Array.from(packed.kinds, (letter): Movement => {
    const [kind, ...fields] = shapes[letter] ?? broken()
    const position = { seq: further('seq', seqs()), at: further('at', times()) }
    const movement: Record<string, unknown> = { kind, ...position }
    if (kind in empty) movement.place = null
    for (const field of fields) movement[field] = read[field]()
    // `shapes` gives each kind its fields
    return movement as Movement
  })
  return { chatId, seq, movements }
}

/** A history with the movements that came after it. */
export function joinHistories(earlier: History, later: History): History {
  const missing = later.movements.filter(({ seq }) => seq > earlier.seq)
  return {
    chatId: earlier.chatId,
    seq: Math.max(earlier.seq, later.seq),
    movements: [...earlier.movements, ...missing],
  }
}

/** Takes the next value of a column with each call. */
function taking<T>(column: readonly T[]): () => T {
  let at = 0
  return () => column[at++] ?? broken()
}

function broken(): never {
  throw new Error('This history is broken: its columns do not belong together')
}
