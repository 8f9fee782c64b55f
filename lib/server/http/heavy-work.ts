import 'server-only'
import { type Ports, Turns } from '@/lib/conversations'
import { onBehalfOf } from '@/lib/runtime'
import { WorkLine } from '@/lib/store'

/** One at a time per person; how many wait, fewer than a person's requests at a time; and how long at most, in ms. */
const WAITING = { perPerson: 1, waitingPerPerson: 5, waitingInAll: 200, longestWait: 20_000 }

const makeLines = () => ({
  /**
   * Requests whose work grows with a chat: each holds its data in memory, and the process has one thread for
   * all.
   */
  heavy: new WorkLine({ ...WAITING, work: 'heavy requests', inAll: 2 }),
  /** Bodies above `LONG_BODY`, from then until they have been understood: each is held in memory. */
  bodies: new WorkLine({ ...WAITING, work: 'long bodies', inAll: 4, waitingPerPerson: 16 }),
  /**
   * Calls of agents, from their parsing until they are stored: calls wait when they come faster than the
   * database stores them.
   */
  calls: new WorkLine({
    work: 'calls of agents',
    perPerson: 32,
    inAll: 128,
    waitingPerPerson: 250,
    waitingInAll: 2000,
    longestWait: 20_000,
  }),
  /** Exports that have begun: each holds the outline of a chat until its client has read it. */
  exports: new WorkLine({ ...WAITING, work: 'exports', perPerson: 2, inAll: 16 }),
  /** Their pages. A begun export is not broken off: it waits as long as it takes. */
  pages: new WorkLine({ ...WAITING, work: 'exports', inAll: 2, longestWait: undefined }),
})

// routes and pages have copies of this module
const shared = globalThis as typeof globalThis & { __ramifyLines?: ReturnType<typeof makeLines> }

/** The lines of costly work of this process. */
export function workLines(): ReturnType<typeof makeLines> {
  shared.__ramifyLines ??= makeLines()
  return shared.__ramifyLines
}

/** A chat with more events is long: its page opens with a part of it. */
export const LONG_CHAT = 600

/**
 * Runs work that grows with a chat. For a long one it waits in the line of heavy requests; for any other it begins at once.
 *
 * @param called the chat or a branch of it; undefined where it is another person's, and counts as long
 * @throws GateFullError, QueryAbandonedError
 */
export async function heavily<Result>(
  { ports, ownerId, signal }: { ports: Pick<Ports, 'reads'>; ownerId: string; signal?: AbortSignal },
  called: string | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  if (called !== undefined && !(await ports.reads.isLong(called, ownerId, LONG_CHAT))) return work()
  return workLines().heavy.run(ownerId, work, signal)
}

/** A shorter body is taken at once, in bytes. */
export const LONG_BODY = 1_000_000

/**
 * Resolves when a person's body may be read, with a function that ends its turn. A body of undeclared length
 * may be long, and so may a compressed one.
 */
export async function enterWithBody(request: Request, ownerId: string): Promise<() => void> {
  const { headers, body } = request
  const length = headers.get('content-length')
  const isSmall = length === null ? body === null : Number(length) <= LONG_BODY
  const isShort = isSmall && !headers.has('content-encoding')
  return isShort ? () => undefined : workLines().bodies.enter(ownerId, request.signal)
}

/** The bytes of a page, about: a body of many small pieces is slow. */
const PAGE = 32_768

/**
 * The bytes of a long text, page by page, each as soon as its reader wants it. A page is heavy work of its own: a slow reader
 * keeps no one waiting.
 */
export async function* inPages(
  ownerId: string,
  text: AsyncIterable<string | Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const reading = text[Symbol.asyncIterator]()
  let isOver = false
  const page = async () => {
    const turns = new Turns()
    const pieces: Uint8Array[] = []
    for (let length = 0; length < PAGE; ) {
      const { done, value } = await reading.next()
      isOver = done === true
      if (done) break
      const piece = typeof value === 'string' ? Buffer.from(value) : value
      pieces.push(piece)
      length += piece.length
      await turns.next()
    }
    return Buffer.concat(pieces)
  }
  try {
    while (!isOver) {
      const bytes = await workLines().pages.run(ownerId, () => onBehalfOf(ownerId, page))
      if (bytes.length > 0) yield bytes
    }
  } finally {
    await reading.return?.()
  }
}
