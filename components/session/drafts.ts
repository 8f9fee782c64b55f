import { listenersOf } from '@/components/ui/listeners'
import type { BranchId, ChatId, MessageId } from '@/lib/events'
import { type AttachedFile, sameFiles } from './messages'
import type { NextMessage, SentMessage } from './next-message'

/** Text, files and waiting messages of a branch that are not sent yet. */
export interface Draft {
  readonly text: string
  readonly files?: readonly AttachedFile[]
  /** the messages that wait, in the order in which they leave */
  readonly next: readonly NextMessage[]
  /** the message that was sent last, until the server is known to have stored it */
  readonly sent?: SentMessage & {
    readonly chatId: ChatId
    /** its words and files are in the box again */
    readonly isBack?: true
  }
}

/** The place of a draft: a branch of a chat, or the chat that is not stored yet. */
export type DraftPlace = string

export const draftPlace = (chatId: ChatId, branchId: BranchId, unsaved: boolean): DraftPlace =>
  unsaved ? 'new' : `${chatId}/${branchId}`

/** The part of `Storage` that drafts use. */
export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

const prefix = 'ramify-draft:'
/** A browser keeps so many drafts; the oldest goes first. */
const most = 100

export const noDraft: Draft = { text: '', next: [] }
const isNone = ({ text, files, next, sent }: Draft): boolean =>
  text === '' && next.length === 0 && sent === undefined && (files ?? []).length === 0

/**
 * The drafts of one person, kept in the browser: a reload or a visit elsewhere loses none of them. If the browser
 * forbids to store, or has no room, a draft lasts as long as the page.
 */
export class Drafts {
  readonly #held = new Map<DraftPlace, Draft>()
  /** the places whose drafts the browser could not store */
  readonly #unstored = new Set<DraftPlace>()
  readonly #listeners = listenersOf()
  /** the messages that this page sends: they are not lost while it is open */
  readonly #leaving = new Set<MessageId>()
  readonly #storage: () => DraftStorage
  readonly #now: () => number
  #owner: string

  /** @param owner the person; another person in this browser sees none of the drafts */
  constructor(owner: string, storage: () => DraftStorage = () => localStorage, now = Date.now) {
    this.#owner = owner
    this.#storage = storage
    this.#now = now
  }

  readonly subscribe = this.#listeners.subscribe

  /** The draft at a place: the same object until it changes. */
  at(place: DraftPlace): Draft {
    const held = this.#held.get(place)
    if (held) return held
    const stored = this.#stored(place) ?? noDraft
    this.#held.set(place, stored)
    return stored
  }

  /** The places visited on this page where messages wait, each with the message that leaves first. */
  waiting(): [DraftPlace, NextMessage][] {
    return [...this.#held].flatMap(
      ([
        place,
        {
          next: [first],
        },
      ]) => (first ? [[place, first]] : []),
    )
  }

  /** True while the server has not said that it stored, or refused, the message that left from a place. */
  isLeaving(place: DraftPlace): boolean {
    const { sent } = this.at(place)
    return sent !== undefined && this.#leaving.has(sent.id)
  }

  change(place: DraftPlace, change: Partial<Draft>): void {
    this.#keep(place, { ...this.at(place), ...change })
    this.#tell()
  }

  /**
   * Moves a draft from one place to another that has nothing.
   *
   * @param withNext also the messages that wait there
   */
  carry(from: DraftPlace, to: DraftPlace, withNext: boolean): void {
    const before = this.at(from)
    const there = this.at(to)
    const takesFiles = (there.files ?? []).length === 0
    const moved = {
      text: there.text === '' ? before.text : there.text,
      next: withNext && there.next.length === 0 ? before.next : there.next,
      ...filesIn(takesFiles ? before : there),
      ...sentIn(there),
    }
    if (moved.text === there.text && moved.next === there.next && moved.files === there.files) return
    this.#keep(to, moved)
    this.#keep(from, {
      text: moved.text === before.text ? '' : before.text,
      next: moved.next === before.next ? [] : before.next,
      ...(takesFiles ? {} : filesIn(before)),
      ...sentIn(before),
    })
    this.#tell()
  }

  /**
   * Takes the first waiting message to send it; null where another tab has done so.
   *
   * @param head of the branch, below which the message goes: the messages behind it wait for a reply below that
   */
  take(place: DraftPlace, id: string, chatId: ChatId, head: MessageId | null): NextMessage | null {
    const stored = this.#unstored.has(place) ? this.at(place) : this.#stored(place)
    const [first, ...rest] = this.at(place).next
    const taken = first?.id === id && stored?.next[0]?.id === id ? first : null
    if (taken) this.send(place, taken, chatId, { next: rest.map((next) => ({ ...next, after: head })) })
    else this.change(place, { next: stored?.next ?? [] })
    return taken
  }

  /** Keeps a message that leaves from a place until it is known to be stored: see {@link settle}. */
  send(place: DraftPlace, message: SentMessage, chatId: ChatId, change: Partial<Draft>): void {
    const { id, text, files } = message
    this.#leaving.add(id)
    this.change(place, { ...change, sent: { id, text, chatId, ...(files && { files }) } })
  }

  /** A message that was sent is stored: where its words were put back into the box they go, unless they have changed. */
  settle(id: MessageId): void {
    this.#leaving.delete(id)
    for (const [place, draft] of this.#held) {
      const { sent } = draft
      if (sent?.id === id) this.change(place, { ...(sent.isBack && without(draft, sent)), sent: undefined })
    }
  }

  /** The message that was sent from a place and did not arrive, as far as is known: its page was left, or the server not reached. */
  lost(place: DraftPlace): Draft['sent'] {
    const { sent } = this.at(place)
    return sent && this.#leaving.has(sent.id) ? undefined : sent
  }

  /**
   * Puts words and files back into the box of a place, before its present content.
   *
   * @param id of the message that they are, where it was sent: see {@link idOf}
   */
  putBack(place: DraftPlace, { text, files = [] }: Pick<Draft, 'text' | 'files'>, id?: MessageId): void {
    const { text: now, files: others = [], sent } = this.at(place)
    if (id) this.#leaving.delete(id)
    this.change(place, {
      text: joined(text, now),
      files: [...files, ...others.filter(({ url }) => files.every((file) => file.url !== url))],
      ...(sent && sent.id === id && { sent: { ...sent, isBack: true } }),
    })
  }

  /** The id of a message that was sent from a place and came back, if it is sent again as it was: it is never stored twice. */
  idOf(place: DraftPlace, { text, files = [] }: Pick<Draft, 'text' | 'files'>): MessageId | undefined {
    const { sent } = this.at(place)
    const isSame = sent?.isBack && sent.text === text && sameFiles(sent.files ?? [], files)
    return isSame ? sent.id : undefined
  }

  /** A visitor has become a person: the drafts are theirs. */
  giveTo(owner: string): void {
    if (owner === this.#owner) return
    const held = [...this.#held]
    for (const [place] of held) this.#remove(this.#key(place))
    this.#owner = owner
    for (const [place, draft] of held) this.#keep(place, draft)
  }

  #tell(): void {
    this.#listeners.tell()
  }

  #key(place: DraftPlace): string {
    return `${prefix}${this.#owner}:${place}`
  }

  #keep(place: DraftPlace, draft: Draft): void {
    this.#held.set(place, draft)
    const key = this.#key(place)
    this.#unstored.delete(place)
    if (isNone(draft)) this.#remove(key)
    else if (!this.#store(key, JSON.stringify({ ...draft, at: this.#now() }))) this.#unstored.add(place)
  }

  /** Stores a draft; where there is no room the oldest drafts make it. */
  #store(key: string, value: string): boolean {
    const isNew = this.#read(null, (storage) => storage.getItem(key)) === null
    const others = isNew ? this.#keysByAge() : []
    for (const old of others.slice(0, Math.max(0, others.length - most + 1))) this.#remove(old)
    if (this.#set(key, value)) return true
    const removed: [string, string][] = []
    for (const old of this.#keysByAge().filter((other) => other !== key)) {
      removed.push([old, this.#read(null, (storage) => storage.getItem(old)) ?? ''])
      this.#remove(old)
      if (this.#set(key, value)) return true
    }
    // it is not the other drafts that take the room
    for (const [old, before] of removed) this.#set(old, before)
    return false
  }

  #keysByAge(): string[] {
    return this.#read([], (storage) => {
      const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '')
      const ages = new Map(
        keys
          .filter((key) => key.startsWith(prefix))
          .map((key) => [key, parsed(storage.getItem(key))?.at ?? 0]),
      )
      return [...ages.keys()].sort((a, b) => (ages.get(a) ?? 0) - (ages.get(b) ?? 0))
    })
  }

  #stored(place: DraftPlace): Draft | null {
    const found = this.#read(null, (storage) => parsed(storage.getItem(this.#key(place))))
    return found && { text: found.text, next: found.next, ...filesIn(found), ...sentIn(found) }
  }

  #set(key: string, value: string): boolean {
    return this.#read(false, (storage) => {
      storage.setItem(key, value)
      return true
    })
  }

  #remove(key: string): void {
    this.#read(undefined, (storage) => storage.removeItem(key))
  }

  /** A browser that forbids the storage, or has no room in it, throws. */
  #read<T>(otherwise: T, read: (storage: DraftStorage) => T): T {
    try {
      return read(this.#storage())
    } catch {
      return otherwise
    }
  }
}

const gap = '\n\n'
const joined = (...texts: string[]): string => texts.filter((text) => text.trim() !== '').join(gap)

/** The draft without a message that was put back before it; all of it when that has changed. */
function without({ text, files = [] }: Draft, sent: SentMessage): Pick<Draft, 'text' | 'files'> {
  const stood = sent.text.trim() === '' ? '' : sent.text
  const before = stood === '' || text === stood ? stood : `${stood}${gap}`
  if (!text.startsWith(before)) return { text, files }
  const urls = new Set(sent.files?.map(({ url }) => url))
  return { text: text.slice(before.length), files: files.filter(({ url }) => !urls.has(url)) }
}

const filesIn = ({ files }: Draft): Pick<Draft, 'files'> => (files ? { files } : {})
const sentIn = ({ sent }: Draft): Pick<Draft, 'sent'> => (sent ? { sent } : {})

type StoredDraft = Partial<
  Omit<Draft, 'next'> & { next: NextMessage | readonly NextMessage[] | null; at: number }
>

/** A stored draft; null for anything else. */
function parsed(value: string | null): (Draft & { at: number }) | null {
  if (value === null) return null
  try {
    // a draft of an earlier version has one message that waits, or null
    const { text, files, next, sent, at } = JSON.parse(value) as StoredDraft
    if (typeof text !== 'string') return null
    return {
      text,
      next: next ? [next].flat() : [],
      at: Number(at) || 0,
      ...(sent && { sent }),
      ...(Array.isArray(files) && files.length > 0 && { files: files.filter(isFile) }),
    }
  } catch {
    return null
  }
}

const isFile = (value: unknown): value is AttachedFile =>
  typeof value === 'object' &&
  value !== null &&
  ['url', 'filename', 'mediaType'].every((key) => typeof value[key as keyof typeof value] === 'string')
