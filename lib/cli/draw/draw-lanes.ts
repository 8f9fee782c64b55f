/** A message of a picture: its parents are those among the drawn messages. */
export interface Drawn {
  id: string
  createdAt: number
  /** ids of the message before it, and of the merged one */
  parents: readonly string[]
}

/** A message with its row of the picture, and the rows that lead to it from the message above. */
export interface LaneRow<Message extends Drawn> {
  message: Message
  /** lines between this message and the one above, as `|/` */
  before: string[]
  /** the row of the message itself, as `| * |` */
  row: string
  /** beside further lines of the message's own text, as `| | |` */
  beside: string
}

/**
 * Messages with the newest first and every reply above its parents; a line of messages stays together until
 * it meets another.
 */
export function newestFirst<Message extends Drawn>(messages: readonly Message[]): Message[] {
  const known = new Map(messages.map((message) => [message.id, message]))
  const following = new Map<string, number>()
  for (const { parents } of messages) {
    for (const parent of parents) following.set(parent, (following.get(parent) ?? 0) + 1)
  }
  const byTime = (a: Message, b: Message) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)
  const ready = messages.filter(({ id }) => !following.has(id)).sort(byTime)
  const ordered: Message[] = []
  for (let next = ready.pop(); next; next = ready.pop()) {
    ordered.push(next)
    const free = next.parents.flatMap((parent) => {
      const left = (following.get(parent) ?? 1) - 1
      following.set(parent, left)
      const message = known.get(parent)
      return left === 0 && message ? [message] : []
    })
    ready.push(...free.sort(byTime))
  }
  return ordered
}

/**
 * Draws lanes beside messages: a column for each line that is under way, and the lines by which they part and meet.
 *
 * @param messages as `newestFirst` orders them
 */
export function drawLanes<Message extends Drawn>(messages: readonly Message[]): LaneRow<Message>[] {
  const drawn = new Set(messages.map(({ id }) => id))
  // the message that each column leads to
  const columns: string[] = []
  // lines that the message before has left to draw
  let left: string[] = []
  return messages.map((message) => {
    const before = left
    if (!columns.includes(message.id)) columns.push(message.id)
    const at = columns.indexOf(message.id)
    const row = columns.map((_, column) => (column === at ? '*' : '|')).join(' ')
    const [parent, merged] = message.parents.filter((id) => drawn.has(id))
    const beside = columns.map((_, column) => (column === at && parent === undefined ? ' ' : '|')).join(' ')
    if (parent === undefined) {
      columns.splice(at, 1)
      left = at < columns.length ? [closing(columns.length, at)] : []
    } else {
      columns[at] = parent
      left = merged === undefined ? [] : [opening(columns.length, at)]
      if (merged !== undefined) columns.splice(at + 1, 0, merged)
    }
    left.push(...join(columns))
    return { message, before, row, beside }
  })
}

/** Joins columns that lead to the same message, and returns the lines by which they meet. */
function join(columns: string[]): string[] {
  const lines: string[] = []
  for (let from = columns.length - 1; from > 0; from -= 1) {
    const at = columns.indexOf(columns[from] ?? '')
    if (at === from) continue
    lines.push(joining(columns.length, at, from))
    columns.splice(from, 1)
  }
  return lines
}

/** A column ends in another one to its left; columns to its right move closer. */
function joining(width: number, at: number, from: number): string {
  const cells = cellsOf(width)
  for (let column = 0; column < from; column += 1) cells[2 * column] = '|'
  for (let column = at + 1; column < from; column += 1) cells[2 * column - 1] = '_'
  for (let column = from; column < width; column += 1) cells[2 * column - 1] = '/'
  return written(cells)
}

/** A column opens beside another; columns to its right move away. */
function opening(width: number, at: number): string {
  const cells = cellsOf(width + 1)
  for (let column = 0; column <= at; column += 1) cells[2 * column] = '|'
  for (let column = at; column < width; column += 1) cells[2 * column + 1] = '\\'
  return written(cells)
}

/** A column has ended; columns to its right move closer. */
function closing(width: number, at: number): string {
  const cells = cellsOf(width + 1)
  for (let column = 0; column < at; column += 1) cells[2 * column] = '|'
  for (let column = at + 1; column <= width; column += 1) cells[2 * column - 1] = '/'
  return written(cells)
}

const cellsOf = (width: number): string[] => Array.from({ length: 2 * width }, () => ' ')
const written = (cells: readonly string[]): string => cells.join('').trimEnd()
