import { setImmediate } from 'node:timers/promises'
import { sizeWords } from '@/lib/protocol/file-types'
import { MAX_CHAT_MESSAGES } from '@/lib/transfer/chat-limits'
import { type Refusal, splitJson } from '@/lib/transfer/json/split-json'
import { InvalidRequestError } from '../errors'
import type { UnpackedContents } from './unpacked-contents'

/** Bytes of a chat's file, with the files that are in it. */
const MAX_BYTES = 256 * 1024 * 1024
/** Bytes held of a file: all but the contents of its files. */
const MAX_TEXT = 96 * 1024 * 1024
/** Bytes of one entry, without the content of a file; and of that: the largest that a server may allow, 50 MB, in base64. */
const [MAX_ENTRY, MAX_CONTENT] = [32 * 1024 * 1024, 72 * 1024 * 1024]
/** Values of one entry, which is parsed in one go, and of all: each takes up to 110 bytes of memory. */
const MAX_ENTRY_VALUES = 500_000
const MAX_VALUES = 2_000_000
/** A content that is longer, in base64, is unpacked and not held. */
const HELD_CONTENT = 4096
/** Data is stored as deep as this. */
const MAX_DEPTH = 64
/** Bytes, and values, after which other work of the process has its turn. */
const TURN = { bytes: 1024 * 1024, values: 20_000 }

const MARK = Buffer.from('\ufeff')

const many = (count: number) => count.toLocaleString('en')
const tooLarge = (what: string) =>
  new InvalidRequestError(`${what}. Nothing of it is imported.`, 'invalid_chat_file')

const refusals: Readonly<Record<Refusal, (key: string) => InvalidRequestError>> = {
  size: (key) =>
    tooLarge(
      `An entry under "${key}" is larger than ${sizeWords(key === 'files' ? MAX_CONTENT : MAX_ENTRY)}`,
    ),
  depth: (key) =>
    tooLarge(`The file of this chat cannot be stored: "${key}" is nested deeper than ${MAX_DEPTH} levels`),
  count: (key) =>
    tooLarge(
      `An entry under "${key}" is made of more than ${many(MAX_ENTRY_VALUES)} values, more than a message is`,
    ),
}

/** A member of a chat's file; for a list, one of its elements. */
interface FoundMember {
  key: string
  isElement: boolean
  value: unknown
  /** names of the long texts that were unpacked: the value has empty texts in their place */
  unpacked: string[]
}

/**
 * The members of a chat's file, element by element: no more than one is parsed in one go. A file that is too large is refused
 * where it becomes so, before the values beyond are built.
 *
 * @param contents takes the contents of its files; without it they stay in the values
 * @throws InvalidRequestError
 */
export async function* membersOf(
  text: AsyncIterable<Buffer> | Iterable<Buffer>,
  contents?: UnpackedContents,
): AsyncGenerator<FoundMember> {
  const limits = {
    maxBytes: MAX_ENTRY,
    maxDepth: MAX_DEPTH,
    maxCount: MAX_ENTRY_VALUES,
    ofMembers: true,
    ...(contents && {
      longTexts: {
        of: 'files',
        from: HELD_CONTENT,
        most: MAX_CONTENT,
        take: (piece: Buffer, isLast: boolean) => contents.add(piece, isLast),
      },
    }),
  }
  let [bytes, values, messages] = [0, 0, 0]
  let turn = { bytes: 0, values: 0 }
  for await (const slice of splitJson(within(text), limits)) {
    // a value beside the members, or an end before theirs
    if (slice.kind === 'cut' || !slice.member) throw broken()
    const { key, isElement } = slice.member
    if (slice.kind === 'refused') throw refusals[slice.why](key)
    const size = slice.bytes.length
    bytes += size
    values += slice.count
    messages += key === 'messages' ? 1 : 0
    if (bytes > MAX_TEXT) throw tooLarge(`The chat is longer than ${sizeWords(MAX_TEXT)} without its files`)
    if (values > MAX_VALUES) throw tooLarge(`The chat is made of more than ${many(MAX_VALUES)} values`)
    if (messages > MAX_CHAT_MESSAGES)
      throw tooLarge(`The chat has more than ${many(MAX_CHAT_MESSAGES)} messages`)
    yield { key, isElement, value: parsed(slice.bytes), unpacked: contents?.takeAdded() ?? [] }
    turn = { bytes: turn.bytes + size, values: turn.values + slice.count }
    if (turn.bytes < TURN.bytes && turn.values < TURN.values) continue
    turn = { bytes: 0, values: 0 }
    await setImmediate()
  }
}

/** A byte order mark is passed over. */
async function* within(text: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of text) {
    let mark = 0
    while (size + mark < MARK.length && mark < chunk.length && chunk[mark] === MARK[size + mark]) mark += 1
    size += chunk.length
    if (size > MAX_BYTES)
      throw tooLarge(`The file is larger than ${sizeWords(MAX_BYTES)}, the most that a chat can be`)
    yield chunk.subarray(mark)
  }
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    throw broken()
  }
}

const broken = () =>
  new InvalidRequestError(
    'The file of this chat is cut off or damaged: it is no whole JSON. Export it again.',
    'invalid_chat_file',
  )
