import { chatsSaidIn, type SaidChat, type SaidMessage } from './said-in-file'
import { isKept, lettersOf } from './stored-letters'

/** A chat in the file that Ramify exports of it, as far as it is compared. */
export interface StoredChat {
  chat: { activeBranchId?: string; createdAt: string; updatedAt: string }
  contexts: { id: string; fragments: unknown }[]
  branches: { id: string; headId?: string | null }[]
  messages: StoredMessage[]
  files: { id: string; name: string; sha256: string; content?: string; mediaType: string }[]
}

interface StoredMessage {
  id: string
  parentId: string | null
  role: string
  model?: string | null
  createdAt: string
  contextId?: string
  data: { parts: { type: string; url?: string }[]; metadata?: { hidden?: string; model?: string } }
}

/** Where a message of the file is stored: as a message, or in the context of a branch. */
interface Place {
  chat: StoredChat
  /** null: in the context */
  message: StoredMessage | null
  letters: string
}

/**
 * Compares what a file says of its messages with what is stored: who said it, after what, when, by which model, with which
 * files, and where the person last was. Answers the differences in words.
 */
export function saidDifferences(values: unknown, stored: readonly StoredChat[]): string[] {
  const comparison = new Comparison(stored)
  return comparison.differencesOf(chatsSaidIn(values))
}

class Comparison {
  readonly #places: Place[]
  readonly #found = new Map<SaidMessage, Place[]>()
  /** the dates that the file gives to what is stored as one message */
  #datesAt = new Map<StoredMessage | null, { date: number | undefined }[]>()

  constructor(stored: readonly StoredChat[]) {
    this.#places = stored.flatMap((chat) => [
      ...chat.messages.map((message): Place => ({ chat, message, letters: lettersOfMessage(message, chat) })),
      ...chat.contexts.map(
        (context): Place => ({
          chat,
          message: null,
          letters: lettersOf(JSON.stringify(context.fragments)),
        }),
      ),
    ])
  }

  differencesOf(chats: readonly SaidChat[]): string[] {
    const said = chats.flatMap(({ messages }) => messages)
    this.#datesAt = Map.groupBy(
      said.flatMap((message) => this.#at(message).map(({ message: at }) => ({ at, date: message.at }))),
      ({ at }) => at,
    )
    const chatsOf = chats.map(
      (chat) => new Set(chat.messages.flatMap((message) => this.#at(message).map((place) => place.chat))),
    )
    return [
      ...said.flatMap((message) => this.#messageDiffers(message)),
      ...chats.flatMap((chat, at) => {
        const [stored, ...more] = chatsOf[at] ?? []
        // several lists of a file may make one chat
        const isAlone = chatsOf.filter((some) => stored && some.has(stored)).length === 1
        return stored && more.length === 0 && isAlone ? this.#chatDiffers(chat, stored) : []
      }),
    ]
  }

  #chatDiffers(said: SaidChat, chat: StoredChat): string[] {
    const differences: string[] = []
    const told = (what: string, said: number | undefined, kept: string) =>
      said === undefined || said === Date.parse(kept)
        ? []
        : [`the chat was ${what} at ${said}, not ${Date.parse(kept)}`]
    differences.push(...told('begun', said.created, chat.chat.createdAt))
    differences.push(...told('changed', said.updated, chat.chat.updatedAt))
    if (said.current && this.#at(said.current).length > 0 && !this.#isOnBranch(said.current, chat))
      differences.push(`the active branch does not hold ${wordsOf(said.current)}`)
    return differences
  }

  /** Where all its words are: the same words alone before those that stand among others. */
  #at(said: SaidMessage): Place[] {
    const known = this.#found.get(said)
    if (known) return known
    const texts = said.texts.filter((text) => lettersOf(text) !== '')
    const counted = this.#places.map((place) => ({
      place,
      count: texts.filter((text) => isKept(text, place.letters)).length,
    }))
    const most = Math.max(0, ...counted.map(({ count }) => count))
    const all = most === 0 ? [] : counted.filter(({ count }) => count === most).map(({ place }) => place)
    const letters = lettersOf(texts.join(''))
    const same = all.filter((place) => place.letters === letters)
    const places = same.length > 0 ? same : all
    this.#found.set(said, places)
    return places
  }

  #messageDiffers(said: SaidMessage): string[] {
    const places = this.#at(said)
    // what has no words is compared with what is around it
    if (places.length === 0)
      return said.texts.length === 0 ? [] : [`${wordsOf(said)} is stored in no message`]
    const each = places.map((place) => this.#differencesAt(said, place))
    return each.toSorted((one, other) => one.length - other.length)[0] ?? []
  }

  #differencesAt(said: SaidMessage, { chat, message }: Place): string[] {
    const who = wordsOf(said)
    if (!message) return said.role === 'system' ? [] : [`${who} is stored as instructions`]
    const differences: string[] = []
    const role = message.data.metadata?.hidden ?? message.role
    if (said.role && said.role !== role) differences.push(`${who} is said by ${said.role}, not ${role}`)
    // one message is as old as the first of those that it is made of
    const dates = [...(this.#datesAt.get(message) ?? []).map(({ date }) => date), ...this.#datesAbove(said)]
    if (said.at !== undefined && !dates.includes(Date.parse(message.createdAt)))
      differences.push(`${who} is of ${said.at}, not ${Date.parse(message.createdAt)}`)
    const model = message.model ?? message.data.metadata?.model
    if (said.model !== undefined && role === 'assistant' && said.model !== model)
      differences.push(`${who} is by ${said.model}, not ${model}`)
    const files = new Set(filesOf(message, chat).map(({ sha256 }) => sha256))
    for (const file of said.files) if (!files.has(file)) differences.push(`${who} has lost a file`)
    if (said.above && !this.#isBelow(message, said.above, chat))
      differences.push(`${who} does not follow ${said.above.map(wordsOf).join(' or ') || 'nothing'}`)
    return differences
  }

  /** Whether a message hangs on one of these, or is one message with it. */
  #isBelow(message: StoredMessage, above: readonly SaidMessage[], chat: StoredChat): boolean {
    const parent = chat.messages.find(({ id }) => id === message.parentId)
    if (above.length === 0) return !parent || (parent.role === 'system' && this.#isBelow(parent, above, chat))
    return above.some((said) => {
      const places = this.#at(said)
      // a message without words passes what follows it on
      if (places.length === 0)
        return (
          !said.above ||
          parent?.data.parts.some(({ type }) => type === 'file') ||
          this.#isBelow(message, said.above, chat)
        )
      return places.some((place) =>
        place.message ? place.message === message || place.message === parent : !parent,
      )
    })
  }

  /** The dates of the messages without words right above. */
  #datesAbove({ above = [] }: SaidMessage): (number | undefined)[] {
    return above
      .filter((said) => this.#at(said).length === 0)
      .flatMap((said) => [said.at, ...this.#datesAbove(said)])
  }

  #isOnBranch(said: SaidMessage, chat: StoredChat): boolean {
    const ids = new Set(this.#at(said).map(({ message }) => message?.id))
    let at = chat.branches.find(({ id }) => id === chat.chat.activeBranchId)?.headId
    while (at) {
      if (ids.has(at)) return true
      at = chat.messages.find(({ id }) => id === at)?.parentId
    }
    return false
  }
}

const filesOf = ({ data }: StoredMessage, { files }: StoredChat) =>
  data.parts.flatMap(({ url }) => files.filter(({ id }) => url?.endsWith(id)))

/** The letters of a message, with those of its files of text. */
function lettersOfMessage(message: StoredMessage, chat: StoredChat): string {
  const texts = filesOf(message, chat).flatMap(({ content, mediaType }) =>
    content && mediaType.startsWith('text/') ? [Buffer.from(content, 'base64').toString('utf8')] : [],
  )
  return lettersOf([...valuesOf(message.data.parts), ...texts].join(' '))
}

function valuesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) =>
    key === 'type' || key === 'state' ? [] : valuesOf(item),
  )
}

const wordsOf = ({ texts, id, role }: SaidMessage) => `“${(texts.join(' ') || `${role} ${id}`).slice(0, 40)}”`
