import { idOf, isRecord, type Json, type JsonRecord } from '../json/values'
import type { Problems } from './problems'
import { chainId } from './source-node'

/** A message of a file, with its place in the tree. */
export interface Entry {
  id: string
  /** Null: it begins a branch. */
  parentId: string | null
  message: JsonRecord
}

/**
 * Entries of a file without ids, made one by one: the id of a message is made of its words and its place, so that it
 * is taken once.
 */
export class MadeEntries {
  readonly entries: Entry[] = []
  readonly #known = new Set<string>()

  /** Adds a message after another one; answers its id. */
  add(parentId: string | null, message: JsonRecord): string {
    const id = chainId(parentId, String(message.role), message.content ?? message)
    if (!this.#known.has(id)) this.entries.push({ id, parentId, message })
    this.#known.add(id)
    return id
  }
}

/** Keys by which the messages of a file name themselves and each other; a list of keys is tried in its order. */
export interface TreeKeys {
  id?: readonly string[]
  /** The message that it follows: its id, or a list that begins with it. */
  parent?: readonly string[]
  /** Messages that follow it, in it or by their ids. */
  children?: readonly string[]
  /** The ids of all messages above it, the nearest last. */
  ancestors?: readonly string[]
  /** Ids of nothing, which first messages are said to follow. */
  noParent?: RegExp
  /** An id for a message without one: the same in every export of the chat. */
  made?(message: JsonRecord, parentId: string | null): string
}

/** Messages that follow one another in the order of the file, whatever they name. */
export const noLinks: TreeKeys = { parent: [], children: [], ancestors: [] }

type UsedKeys = Required<TreeKeys>

const usual: UsedKeys = {
  id: ['id', '_id', 'uuid', 'message_id', 'messageId'],
  parent: [
    ...['parentId', 'parent_id', 'parentUuid', 'parent_uuid', 'parentMessageId', 'parent_message_id'],
    ...['parent_message_uuid', 'parent_response_id', 'parent', 'parents'],
  ],
  children: ['children', 'replies'],
  ancestors: ['ancestors'],
  made: (message, parentId) => chainId(parentId, String(message.role ?? message.type ?? ''), message),
  noParent: /^(?:0{8}-0{4}-[04]0{3}-[08]0{3}-0{12}|-1)?$/,
}

/**
 * The messages of a list as entries of a tree. It is seen in the messages themselves how they hang together: by the id of the
 * message above, by all ids above, by those below, nested into each other, or one after the other.
 *
 * @param list messages; or an object that has them by their ids
 */
export function entriesOf(
  list: Json,
  problems: Problems,
  keys: TreeKeys = {},
): { entries: Entry[]; skipped: number; isFlat: boolean } {
  const used = { ...usual, ...keys }
  const { found, skipped, isNested } = flatten(list, used.children)
  if (skipped > 0) problems.count('no message', skipped)
  const ownIds = found.map(({ message, key }) => firstId(message, used.id) ?? key)
  const known = new Set(ownIds)
  const parents = found.map(({ message, above }) => ({
    named: parentIn(message, used, known),
    // a message inside of another one follows that
    around: above === null ? null : (ownIds[above] ?? null),
    above,
  }))
  const byChildren = parentsByChildren(found, ownIds, used.children)
  const isFlat =
    !isNested && byChildren.size === 0 && parents.every(({ named }) => named === null || named === '')
  const entries: Entry[] = []
  let before: string | null = null
  for (const [index, { message }] of found.entries()) {
    const { named, around, above } = parents[index] ?? { named: null, around: null, above: null }
    const own: string | null = ownIds[index] ?? null
    const inside: string | null = above === null ? null : (around ?? entries[above]?.id ?? null)
    const linked = named ?? inside ?? (own === null ? null : (byChildren.get(own) ?? null))
    const parentId: string | null = isFlat ? before : linked === '' ? null : linked
    const id: string = own ?? used.made(message, parentId)
    entries.push({ id, parentId, message })
    before = id
  }
  return { entries, skipped, isFlat }
}

/** The id that a message says it follows; empty: that it follows none. Null: it says nothing. */
function parentIn(message: JsonRecord, keys: UsedKeys, known: ReadonlySet<unknown>): string | null {
  for (const key of keys.parent) {
    const value = message[key]
    const id = idOf(Array.isArray(value) ? value[0] : isRecord(value) ? value.id : value)
    if (id !== null) return keys.noParent.test(id) && !known.has(id) ? '' : id
  }
  for (const key of keys.ancestors) {
    const value = message[key]
    if (Array.isArray(value)) return idOf(value.at(-1)) ?? ''
  }
  return null
}

const firstId = (message: JsonRecord, keys: readonly string[]): string | null => {
  for (const key of keys) {
    const value = message[key]
    // some wrap the id once more
    const id = idOf(isRecord(value) ? (value.$oid ?? value.value) : value)
    if (id !== null) return id
  }
  return null
}

interface Found {
  message: JsonRecord
  /** Its key in an object of messages. */
  key: string | null
  /** The place of the message around it. */
  above: number | null
}

/** The messages with the messages nested into them, each after the one around it. */
function flatten(list: Json, children: readonly string[]) {
  const found: Found[] = []
  let [skipped, isNested] = [0, false]
  const waiting: { value: Json; key: string | null; above: number | null }[] = []
  const push = (values: Json, above: number | null) => {
    const entries: [string | null, Json][] = Array.isArray(values)
      ? values.map((value) => [null, value])
      : isRecord(values)
        ? Object.entries(values)
        : []
    for (const [key, value] of entries.toReversed()) waiting.push({ value, key, above })
  }
  push(list, null)
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, key, above } = next
    if (!isRecord(value)) {
      // ids of messages that stand elsewhere
      if (above === null || idOf(value) === null) skipped += 1
      continue
    }
    found.push({ message: value, key, above })
    isNested ||= above !== null
    for (const name of children) if (Array.isArray(value[name])) push(value[name], found.length - 1)
  }
  return { found, skipped, isNested }
}

function parentsByChildren(
  found: readonly Found[],
  ids: readonly (string | null)[],
  children: readonly string[],
): Map<string, string> {
  const parents = new Map<string, string>()
  for (const [index, { message }] of found.entries()) {
    const own = ids[index]
    if (own === null || own === undefined) continue
    for (const name of children) {
      const list = message[name]
      if (!Array.isArray(list)) continue
      for (const child of list) {
        const id = idOf(child)
        if (id !== null && id !== own && !parents.has(id)) parents.set(id, own)
      }
    }
  }
  return parents
}
