import { type CopiedRows, quoted, type WholeDatabase } from '@/lib/db'

// Events and followers carry the number of a transaction of their server (DESIGN.md §9), which means nothing
// on another server: that server may be far behind it for years, and its own events would come before. A
// backup has smaller numbers of the same order, fit for any server: first the events that every follower has
// taken in, then the events that all but the furthest ones have, and so on. Within each, the events of one
// transaction in a chat have the place of its first one.

/** A follower that waits for `db:rebuild` stands there (follow-log.ts). */
const NEVER = '18446744073709551615'

export interface LogPlaces {
  /** every number is below */
  transactions: number
  /** copied columns of events: the first three are for `renumber` */
  events(columns: readonly string[]): CopiedRows
  followers(columns: readonly string[]): CopiedRows
  /** the columns of the renumbered events */
  eventColumns(columns: readonly string[]): string[]
  renumber(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
}

/** Reads the places of the followers of the log. */
export async function readPlaces(database: WholeDatabase): Promise<LogPlaces> {
  const places = await database.run<{ place: string }>(
    `select format('(%L::xid8, %L, %L::bigint)', txid, at_chat, at_seq) as place
    from followers where txid <> '${NEVER}'::xid8 group by txid, at_chat, at_seq order by followers.txid, at_chat, at_seq`,
  )
  const [row] = await database.run<{ most: string }>('select coalesce(max(seq), 0)::text as most from events')
  const stride = Number(row?.most ?? 0) + 1
  const after = places.map(({ place }) => `((txid, chat_id, seq) > ${place})::int`)
  const stretch = after.length > 0 ? after.join(' + ') : '0'
  const others = (columns: readonly string[]) => columns.filter((column) => !FIRST.includes(column))
  return {
    transactions: (places.length + 1) * stride,
    events: (columns) => ({
      table: 'events',
      select: [`((${stretch}) * ${stride})::text`, ...FIRST, ...others(columns).map(quoted)],
      by: ['chat_id', 'seq'],
    }),
    eventColumns: (columns) => [...FIRST, ...others(columns)],
    followers: (columns) => ({
      table: 'followers',
      select: columns.map((column) => followerValue(column, places, stride)),
    }),
    renumber,
  }
}

/** The columns an event begins with. */
const FIRST = ['txid', 'chat_id', 'seq']

/** A follower's place is the beginning of its stretch. */
function followerValue(column: string, places: readonly { place: string }[], stride: number): string {
  if (column === 'txid') {
    const stands = places.map(
      ({ place }, at) => `when (txid, at_chat, at_seq) = ${place} then '${(at + 1) * stride}'`,
    )
    return stands.length > 0 ? `case ${stands.join(' ')} else txid::text end` : 'txid'
  }
  const waits = `txid = '${NEVER}'::xid8`
  if (column === 'at_chat') return `case when ${waits} then at_chat else '' end`
  if (column === 'at_seq') return `case when ${waits} then at_seq else 0 end`
  return quoted(column)
}

const TAB = 9
const NEWLINE = 10

/**
 * Gives each event its new number: rows `stretch, number, chat, seq, …` become `new number, chat, seq, …`. Rows come in the order of
 * chat and seq, and those of one transaction follow each other, since a chat is locked while it is written.
 */
async function* renumber(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let group = ''
  let first = 0
  for await (const piece of pieces) {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
    const parts: Buffer[] = []
    for (let at = 0; at < bytes.length; ) {
      const tabs = [at - 1]
      for (let n = 0; n < 4; n += 1) tabs.push(bytes.indexOf(TAB, (tabs.at(-1) ?? 0) + 1))
      const [, one = 0, two = 0, three = 0, four = 0] = tabs
      const end = bytes.indexOf(NEWLINE, four) + 1
      // stretch, number and chat: the number of a transaction that two followers split differs from itself
      const own = bytes.toString('latin1', at, three)
      if (own !== group) {
        group = own
        first = Number(bytes.toString('latin1', three + 1, four))
      }
      const stretch = Number(bytes.toString('latin1', at, one))
      parts.push(Buffer.from(`${stretch + first}`), bytes.subarray(two, end))
      at = end
    }
    yield Buffer.concat(parts)
  }
}
