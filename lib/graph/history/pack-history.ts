import type { History, Movement, PackedHistory, Place } from '@/lib/protocol'

type Kind = Movement['kind']

/** A branch that opens before the first message is a kind of its own: it has no place. */
const letters = {
  message: 'm',
  opened: 'o',
  'opened empty': 'e',
  renamed: 'n',
  archived: 'a',
  restored: 'r',
  switched: 's',
  saved: 'k',
  moved: 'v',
  removed: 'x',
} as const satisfies Record<Kind | 'opened empty', string>

const kindOf: ReadonlyMap<string, keyof typeof letters> = new Map(
  Object.entries(letters).map(([kind, letter]) => [letter, kind as keyof typeof letters]),
)

/** Puts a history into columns. Linear. */
export function packHistory({ chatId, seq, movements }: History): PackedHistory {
  const packed: PackedHistory = {
    ...{ chatId, seq, kinds: '' },
    ...{ seqs: [], times: [], places: [], refs: [], ids: [], names: [] },
  }
  const numbers = new Map<string, number>()
  const refTo = (id: string | null): number => {
    if (id === null) return -1
    const known = numbers.get(id)
    if (known !== undefined) return known
    numbers.set(id, packed.ids.length)
    return packed.ids.push(id) - 1
  }
  const columns = { seq: new Distances(), at: new Distances(), lane: new Distances(), depth: new Distances() }
  const kinds: string[] = []
  for (const movement of movements) {
    const isEmpty = movement.kind === 'opened' && movement.place === null
    kinds.push(letters[isEmpty ? 'opened empty' : movement.kind])
    packed.seqs.push(columns.seq.to(movement.seq))
    packed.times.push(columns.at.to(movement.at))
    if ('place' in movement && movement.place) {
      packed.places.push(columns.lane.to(movement.place.lane), columns.depth.to(movement.place.depth))
    }
    if ('branchId' in movement) packed.refs.push(refTo(movement.branchId))
    if (movement.kind === 'opened') packed.refs.push(refTo(movement.from))
    if (movement.kind === 'saved') packed.refs.push(refTo(movement.checkpointId))
    if ('name' in movement) packed.names.push(movement.name)
  }
  return { ...packed, kinds: kinds.join('') }
}

/**
 * The history that was packed.
 *
 * @throws Error when the columns do not belong together
 */
export function unpackHistory(packed: PackedHistory): History {
  const reader = new Reader(packed)
  return {
    chatId: packed.chatId,
    seq: packed.seq,
    movements: Array.from(packed.kinds, (letter) => nextMovement(reader, letter)),
  }
}

function nextMovement(reader: Reader, letter: string): Movement {
  const base = { seq: reader.seq(), at: reader.at() }
  const kind = kindOf.get(letter) ?? broken()
  switch (kind) {
    case 'message':
      return { ...base, kind, branchId: reader.id(), place: reader.place() }
    case 'opened':
    case 'opened empty': {
      const opened = { branchId: reader.id(), from: reader.idOrNone(), name: reader.name() }
      return { ...base, kind: 'opened', ...opened, place: kind === 'opened' ? reader.place() : null }
    }
    case 'renamed':
      return { ...base, kind, branchId: reader.id(), name: reader.name() }
    case 'archived':
    case 'restored':
    case 'switched':
      return { ...base, kind, branchId: reader.id() }
    case 'saved':
      return { ...base, kind, name: reader.name(), checkpointId: reader.idOrNone(), place: reader.place() }
    case 'moved':
      return { ...base, kind, name: reader.name(), place: reader.place() }
    case 'removed':
      return { ...base, kind, name: reader.name() }
    default: {
      const unknown: never = kind
      throw new Error(`no meaning is given to ${unknown}`)
    }
  }
}

/** Takes the next value of each column. */
class Reader {
  readonly #ids: readonly string[]
  readonly #seqs: Iterator<number>
  readonly #times: Iterator<number>
  readonly #places: Iterator<number>
  readonly #refs: Iterator<number>
  readonly #names: Iterator<string>
  readonly #last = { seq: 0, at: 0, lane: 0, depth: 0 }

  constructor({ ids, seqs, times, places, refs, names }: PackedHistory) {
    this.#ids = ids
    this.#seqs = seqs[Symbol.iterator]()
    this.#times = times[Symbol.iterator]()
    this.#places = places[Symbol.iterator]()
    this.#refs = refs[Symbol.iterator]()
    this.#names = names[Symbol.iterator]()
  }

  seq(): number {
    this.#last.seq += next(this.#seqs)
    return this.#last.seq
  }

  at(): number {
    this.#last.at += next(this.#times)
    return this.#last.at
  }

  place(): Place {
    this.#last.lane += next(this.#places)
    this.#last.depth += next(this.#places)
    const { lane, depth } = this.#last
    return { lane, depth }
  }

  idOrNone(): string | null {
    return this.#ids[next(this.#refs)] ?? null
  }

  id(): string {
    return this.idOrNone() ?? broken()
  }

  name(): string {
    return next(this.#names)
  }
}

/** A history with what came after it. */
export function joinHistories(earlier: History, later: History): History {
  const missing = later.movements.filter(({ seq }) => seq > earlier.seq)
  return {
    chatId: earlier.chatId,
    seq: Math.max(earlier.seq, later.seq),
    movements: [...earlier.movements, ...missing],
  }
}

/** Numbers as the distance from the one before. */
class Distances {
  #last = 0

  to(value: number): number {
    const distance = value - this.#last
    this.#last = value
    return distance
  }
}

function next<T>(column: Iterator<T>): T {
  const { value, done } = column.next()
  return done ? broken() : value
}

function broken(): never {
  throw new Error('This history is broken: its columns do not belong together')
}
