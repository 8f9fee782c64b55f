import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import {
  type ContextData,
  messagePreview,
  type NewMessage,
  role as roleFragment,
  serializeFragment,
  type TreeMessage,
} from '@/lib/context'
import type { MessageId } from '@/lib/events'
import type { ForeignChat, ForeignFile, ForeignMessage } from '@/lib/transfer'
import { contextFor, contextOf } from '../turns/context-value'
import { type Holding, holdingOf, holdingText, isNews } from './content-digest'

/**
 * Letters of all contexts of a conversation, and of one message more than its text: each branch of instructions makes a
 * context of all that stands above it.
 */
const MAX_CONTEXTS = 4_000_000
const PER_TEXT = 100
/** Messages after which other work of the process has its turn. */
const TURN = 500

/** A conversation of another program as messages of ours. */
export interface ImportedTree {
  messages: TreeMessage[]
  currentId: MessageId | null
  branches: { name: string; headId: MessageId }[]
  contexts: ContextData[]
  /** context of the first branch */
  contextId: string | undefined
  /** number of the file's messages that each message stands for */
  held: ReadonlyMap<MessageId, number>
  /** messages of the file that are part of a context */
  instructions: number
}

/** Stores a file of a message; returns its part, or a reason in its place. */
export type KeepFile = (file: ForeignFile) => Promise<{ part: object; fileId?: string }>

/** A stable id for an import: a UUID made from its names. */
export function idFor(...names: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(names)).digest('hex')
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}

/**
 * A conversation as stored messages. Instructions above the first word become the context of the branches
 * below them; instructions further down, or too long for contexts, stay messages.
 *
 * @param input.named the model that the conversation names, which its branches keep
 * @param input.defaultModel of contexts without it
 * @param input.at the date of a message without a date or a dated parent
 */
export async function importedTree(
  chat: ForeignChat,
  {
    chatId,
    named,
    defaultModel,
    at,
    keepFile,
    stored,
  }: {
    chatId: string
    named: string | undefined
    defaultModel: string
    at: number
    keepFile: KeepFile
    /** The content of the messages that are stored already. */
    stored: ReadonlyMap<MessageId, Holding>
  },
): Promise<ImportedTree> {
  const ids = new MessageIds(chatId, stored)
  const idOf = (foreign: string): MessageId => ids.of(foreign)
  const contexts = new Map<string, ContextData>()
  /** texts of the instructions down to a message, when only instructions are above it */
  const above = new Map<string, string[]>()
  const contextOfTexts = new Map<string[], ContextData>()
  let letters = 0
  const dates = new Map<string, number>()
  const held = new Map<MessageId, number>()
  const messages: TreeMessage[] = []
  const plain = named === undefined ? undefined : contextFor(named, null)
  const contextOfRoot = (instructions: readonly string[]) =>
    instructions.length > 0 ? contextFrom(instructions, named ?? defaultModel) : plain
  const begun = chat.instructions?.trim() ? [chat.instructions] : []
  let instructions = 0

  for (const [place, foreign] of chat.messages.entries()) {
    if (place % TURN === TURN - 1) await setImmediate()
    const { id, parentId } = foreign
    const inherited = parentId === null ? begun : above.get(parentId)
    const createdAt = foreign.createdAt?.getTime() ?? dates.get(parentId ?? '') ?? at
    dates.set(id, createdAt)
    if (foreign.role === 'system' && inherited && letters < MAX_CONTEXTS) {
      const texts = [...inherited, ...textsOf(foreign)]
      letters += texts.reduce((sum, text) => sum + text.length + PER_TEXT, 0)
      above.set(id, texts)
      instructions += foreign.held
      continue
    }
    let context = inherited && contextOfTexts.get(inherited)
    if (inherited && !context) {
      context = contextOfRoot(inherited)
      if (context) {
        contextOfTexts.set(inherited, context)
        contexts.set(context.id, context)
      }
    }
    const messageId = ids.add(foreign)
    held.set(messageId, foreign.held)
    messages.push({
      message: await messageOf(foreign, {
        messageId,
        createdAt,
        keepFile,
        isStored: stored.has(messageId),
      }),
      parentId: inherited ? null : idOf(parentId ?? ''),
      contextId: context?.id,
    })
  }
  const current = chat.currentId === null ? undefined : idOf(chat.currentId)
  const currentId =
    current !== undefined && held.has(current) ? current : (messages.at(-1)?.message.id ?? null)
  return {
    messages,
    currentId,
    branches: chat.branches.map(({ name, headId }) => ({ name, headId: idOf(headId) })),
    contexts: [...contexts.values()],
    contextId: contextAt(messages, currentId),
    held,
    instructions,
  }
}

/**
 * The ids under which the messages of a conversation are stored. A message that is stored with other content is another
 * attempt at it, under an id of its own; so is all that follows it, because a stored message keeps the parent that it has.
 */
class MessageIds {
  readonly #ids = new Map<string, MessageId>()

  constructor(
    private readonly chatId: string,
    private readonly stored: ReadonlyMap<MessageId, Holding>,
  ) {}

  /** Parents come before their children. */
  add({ id, parentId, parts }: ForeignMessage): MessageId {
    const plain = idFor(this.chatId, id)
    const above = parentId === null ? undefined : this.#ids.get(parentId)
    const isBelowNews = parentId !== null && above !== undefined && above !== idFor(this.chatId, parentId)
    const found = holdingOf(parts)
    const known = this.stored.get(plain)
    const isOther = known !== undefined && isNews(known, found)
    const made = isBelowNews
      ? idFor(this.chatId, id, above, ...(isOther ? [holdingText(found)] : []))
      : isOther
        ? idFor(this.chatId, id, holdingText(found))
        : plain
    this.#ids.set(id, made)
    return made
  }

  of(foreign: string): MessageId {
    return this.#ids.get(foreign) ?? idFor(this.chatId, foreign)
  }
}

const textsOf = ({ parts }: ForeignMessage): string[] =>
  parts.flatMap((part) => (part.type === 'text' && part.text.trim() !== '' ? [part.text] : []))

const contextFrom = (instructions: readonly string[], model: string): ContextData =>
  contextOf({
    fragments: instructions.map((text) => serializeFragment(roleFragment(text))),
    model,
    setup: null,
  })

/** The context in force at a message: that of its root. */
function contextAt(messages: readonly TreeMessage[], id: MessageId | null): string | undefined {
  const byId = new Map(messages.map((message) => [message.message.id, message]))
  let found = byId.get(id ?? '')
  for (let up = found; up; up = byId.get(up.parentId ?? '')) found = up
  return found?.contextId
}

/** A message in its stored form. For a stored message only the id is known. */
async function messageOf(
  { role, parts: given, model, speaker, isHidden }: ForeignMessage,
  {
    messageId: id,
    createdAt,
    keepFile,
    isStored,
  }: {
    messageId: MessageId
    createdAt: number
    keepFile: KeepFile
    isStored: boolean
  },
): Promise<NewMessage> {
  // words that its own program did not show belong to the system here
  const name = isHidden ? 'system' : role
  if (isStored) return { id, name, type: 'message', data: {}, preview: '', createdAt }
  const parts: object[] = []
  const files: string[] = []
  for (const part of given) {
    if (part.type !== 'file') {
      parts.push(part)
      continue
    }
    const kept = await keepFile(part)
    parts.push(kept.part)
    if (kept.fileId !== undefined) files.push(kept.fileId)
  }
  const metadata = {
    createdAt,
    imported: holdingText(holdingOf(given)),
    ...(model !== null && { model }),
    ...(speaker !== null && { speaker }),
    ...(isHidden && { hidden: role }),
  }
  const data = { id, role: name, parts, metadata }
  return {
    id,
    name,
    type: 'message',
    data,
    preview: messagePreview(data),
    createdAt,
    ...(files.length > 0 && { files }),
    ...(name === 'assistant' && { reply: { model, usage: null, imported: true as const } }),
  }
}
