import { createHash } from 'node:crypto'

// The messages of a file by the names that programs usually give to fields. No line of the importer's is used here, so that
// an error of a reader is no error of its test.

type Role = 'user' | 'assistant' | 'system'

/** A message as its file says it. */
export interface SaidMessage {
  texts: string[]
  role?: Role
  at?: number
  model?: string
  id?: string
  /** sha256 of files whose bytes stand in it */
  files: string[]
  /** One of these is the message above; none: it begins a tree; undefined: the file does not say. */
  above?: SaidMessage[]
}

/** A conversation as its file says it. */
export interface SaidChat {
  messages: SaidMessage[]
  created?: number
  updated?: number
  /** the message where the person last was */
  current?: SaidMessage
}

type Fields = Record<string, unknown>
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const roles: Readonly<Record<string, Role>> = {
  user: 'user',
  human: 'user',
  prompter: 'user',
  person: 'user',
  request: 'user',
  assistant: 'assistant',
  model: 'assistant',
  ai: 'assistant',
  bot: 'assistant',
  gpt: 'assistant',
  tool: 'assistant',
  function: 'assistant',
  response: 'assistant',
  system: 'system',
  developer: 'system',
}
const inside = ['message', 'response', 'payload', 'data']
const idKeys = ['id', 'uuid', '_id', 'messageId', 'message_id']
const parentKeys = [
  ...['parent', 'parentId', 'parent_id', 'parentUuid', 'parentMessageId', 'parent_message_id'],
  ...['parent_message_uuid', 'parent_response_id', 'ancestors', 'parents'],
]
const createdKeys = ['created_at', 'createdAt', 'create_time', 'inserted_at', 'created', 'created_date']
const updatedKeys = ['updated_at', 'updatedAt', 'update_time', 'updated']
const timeKeys = [...createdKeys, 'timestamp', 'ts', 'time', 'datetime_utc']
const currentKeys = ['current_node', 'currentId', 'current_leaf_message_uuid', 'headId', 'currentNode']
const modelKey =
  /^(?:model|modelId|model_id|model_slug|modelName|model_name|originLLM|fromModel|model_version)$/
/** Lists in which each message is another attempt at one place. */
const attempts = /^(?:versions|swipes|variants|alternatives)$/
const below = /^(?:children|replies)$/
const spoken = /^(?:text|content|parts|mes|message|thinking)$/
/** Fields that hold no words of the message. */
const bookkeeping =
  /^(?:role|author|sender|from|type|name|handle|is_user|.*[iI]ds?|uuid|status|models?|model_?(?:id|slug|name|version)|fromModel|originLLM|metadata|ancestors|parent.*|.*At|.*_at|.*time.*|media_?type|mime_?type|signature|children)$/
const pairs: readonly (readonly [asked: string, answered: string])[] = [
  ['query', 'answer'],
  ['prompt', 'response'],
]

const firstOf = (fields: Fields, keys: readonly string[]) =>
  keys.map((key) => fields[key]).find((value) => value != null)

function roleOf(fields: Fields): Role | undefined {
  if (typeof fields.is_user === 'boolean')
    return fields.is_system ? undefined : fields.is_user ? 'user' : 'assistant'
  const { author } = fields
  const told = [fields.role, isFields(author) ? author.role : author, fields.sender, fields.from, fields.type]
  const role = told
    .map((name) => (typeof name === 'string' ? roles[name.toLowerCase()] : undefined))
    .find(Boolean)
  const answers = ['tool_result', 'functionResponse']
  const isAnswer = [fields.content, fields.parts].some(
    (list) =>
      Array.isArray(list) &&
      list.length > 0 &&
      list.every((part) => isFields(part) && answers.some((key) => part.type === key || key in part)),
  )
  // instructions that ChatGPT keeps among the messages
  if (isFields(fields.content) && String(fields.content.content_type).endsWith('_editable_context'))
    return 'system'
  return isAnswer ? 'assistant' : role
}

/** A time in ms; undefined: none, or one that does not say its place on earth. */
function timeOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value > 1e11 ? value : value > 1e8 ? value * 1000 : undefined
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT/.test(value)) return undefined
  const time = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(value) ? value : `${value}Z`)
  return Number.isNaN(time) ? undefined : Math.floor(time)
}

/** The texts of a value but those of the messages in it, with what is in files. */
function* leavesOf(value: unknown, key = ''): Generator<[key: string, text: string]> {
  if (typeof value === 'string') yield [key, value]
  else if (Array.isArray(value)) for (const item of value) yield* leavesOf(item, key)
  else if (isFields(value))
    for (const [name, item] of Object.entries(value))
      if (!(below.test(name) && Array.isArray(item) && item.some(isFields))) yield* leavesOf(item, name)
}

const base64 = /^(?:data:[^,]*;base64,)?([A-Za-z0-9+/]{40,}={0,2})$/
/** The first letters of PNG, JPEG, GIF, WebP and PDF in base64. */
const fileStart = /^(?:iVBOR|\/9j\/|R0lGOD|UklGR|JVBER)/

/** The hash of a file that stands in a text. */
export function fileIn(text: string): string | undefined {
  const [, bytes] = base64.exec(text) ?? []
  if (bytes === undefined || !(text.startsWith('data:') || fileStart.test(bytes))) return undefined
  return createHash('sha256').update(Buffer.from(bytes, 'base64')).digest('hex')
}

function messageFrom(fields: Fields, role: Role | undefined, words: unknown = fields): SaidMessage {
  const texts: string[] = []
  const files: string[] = []
  const models = new Set<string>()
  for (const [key, text] of leavesOf(words)) {
    const file = fileIn(text)
    if (file !== undefined) files.push(file)
    else if (modelKey.test(key) && text !== '') models.add(text)
    else if (
      !bookkeeping.test(key) &&
      /\p{L}/u.test(text) &&
      (spoken.test(key) || words !== fields || /\S \S+ \S/.test(text))
    )
      texts.push(text)
  }
  const at = timeOf(firstOf(fields, timeKeys))
  const [model] = models
  const id = firstOf(fields, idKeys)
  const isId = typeof id === 'string' || typeof id === 'number'
  return {
    texts,
    files,
    ...(role && { role }),
    ...(at !== undefined && { at }),
    ...(models.size === 1 && role !== 'user' && { model }),
    ...(isId && { id: String(id) }),
  }
}

/** The fields of a record that is a message, also where its words stand one level down. */
function messageFields(value: unknown): Fields | undefined {
  if (!isFields(value)) return undefined
  for (const key of inside) {
    const inner = value[key]
    if (isFields(inner) && (roleOf(inner) || parentKeys.some((name) => name in value)))
      return {
        ...inner,
        ...value,
        id: firstOf(value, idKeys) ?? firstOf(inner, idKeys),
        type: inner.type,
        role: inner.role ?? value.role,
        [key]: undefined,
        ...textsOf(inner),
      }
  }
  const holdsMessages = ['messages', 'chat_messages', 'conversations', 'mapping', 'history'].some(
    (key) => typeof value[key] === 'object',
  )
  if (holdsMessages) return undefined
  const isNode = parentKeys.some((key) => key in value) && idKeys.some((key) => key in value)
  return roleOf(value) || isNode ? value : undefined
}
const textsOf = ({ content, text, parts }: Fields) => ({ content, text, parts })

/** All conversations that a value of a file holds. */
export function chatsSaidIn(value: unknown): SaidChat[] {
  const chats: SaidChat[] = []
  const walk = (at: unknown): void => {
    if (!isFields(at) && !Array.isArray(at)) return
    const reader = new ListReader()
    const items = Array.isArray(at) ? at : Object.values(at)
    if (items.some((item) => reader.holds(item))) {
      reader.read(items)
      chats.push({ messages: reader.messages })
      return
    }
    if (isFields(at)) {
      const pair = pairs.find(
        ([asked, answered]) => typeof at[asked] === 'string' && typeof at[answered] === 'string',
      )
      if (pair) {
        const [asked, answered] = pair.map((key) =>
          messageFrom(at, key === pair[0] ? 'user' : 'assistant', { [key]: at[key] }),
        )
        if (asked && answered)
          chats.push({
            messages: [
              asked,
              { ...answered, above: [asked], ...(typeof at.model === 'string' && { model: at.model }) },
            ],
          })
        return
      }
    }
    const before = chats.length
    for (const item of items) walk(item)
    const inThis = chats.slice(before)
    const [only] = inThis
    if (!isFields(at) || inThis.length !== 1 || !only) return
    only.created ??= timeOf(firstOf(at, createdKeys))
    only.updated ??= timeOf(firstOf(at, updatedKeys))
    const current = firstOf(at, currentKeys)
    only.current ??= only.messages.find(({ id }) => id !== undefined && id === current)
  }
  walk(value)
  return chats
}

/** The same value without the last message of its first list of messages and what follows it; null: there is no list with more than one. */
export function withoutLastMessage(value: unknown): unknown {
  if (!isFields(value) && !Array.isArray(value)) return null
  const reader = new ListReader()
  const entries = Object.entries(value)
  const messages = entries.filter(([, item]) => reader.holds(item))
  if (messages.length > 0) {
    if (messages.length < 2) return null
    const rest = entries.slice(0, entries.lastIndexOf(messages.at(-1) as [string, unknown]))
    return Array.isArray(value) ? rest.map(([, item]) => item) : Object.fromEntries(rest)
  }
  for (const [key, item] of entries) {
    const shorter = withoutLastMessage(item)
    if (shorter === null) continue
    return Array.isArray(value) ? value.with(Number(key), shorter) : { ...value, [key]: shorter }
  }
  return null
}

/** The messages of one list: who is above whom is said by ids, by lists in each other, or by the order. */
class ListReader {
  readonly messages: SaidMessage[] = []
  readonly #parents = new Map<SaidMessage, unknown>()
  readonly #children = new Map<SaidMessage, unknown[]>()

  holds(item: unknown): boolean {
    return messageFields(item) !== undefined || this.#attemptsIn(item) !== undefined
  }

  read(items: readonly unknown[]): void {
    this.#list(items, [])
    const byId = Map.groupBy(this.messages, ({ id }) => id)
    if (this.#parents.size === 0)
      for (const [parent, children] of this.#children)
        for (const id of children)
          for (const child of byId.get(String(id)) ?? []) this.#parents.set(child, parent.id)
    if (this.#parents.size === 0) return
    for (const message of this.messages) delete message.above
    for (const [message, parent] of this.#parents) {
      const id = Array.isArray(parent) ? parent.at(-1) : parent
      message.above = id == null ? [] : (byId.get(String(id)) ?? [])
    }
  }

  #attemptsIn(item: unknown): unknown[] | undefined {
    if (!isFields(item)) return undefined
    const list = Object.entries(item).find(
      ([key, value]) => attempts.test(key) && Array.isArray(value),
    )?.[1] as unknown[] | undefined
    return list?.some((one) => messageFields(one)) ? list : undefined
  }

  #list(items: readonly unknown[], above: SaidMessage[]): void {
    let last = above
    for (const item of items) {
      const some = this.#attemptsIn(item)
      const found = some ? some.flatMap((one) => this.#one(one, last)) : this.#one(item, last)
      if (found.length > 0) last = found
    }
  }

  #one(item: unknown, above: SaidMessage[]): SaidMessage[] {
    const fields = messageFields(item)
    if (!fields || !isFields(item)) return []
    // a list that begins with a reply may go on after another
    const isFirst = above.length === 0
    const role = roleOf(fields)
    const message: SaidMessage = {
      ...messageFrom(fields, role),
      ...(!(isFirst && role === 'assistant') && { above }),
    }
    this.messages.push(message)
    const key = parentKeys.find((name) => name in fields)
    if (key) this.#parents.set(message, fields[key])
    for (const [name, list] of Object.entries(item))
      if (below.test(name) && Array.isArray(list)) {
        this.#children.set(
          message,
          list.filter((child) => !isFields(child)),
        )
        for (const child of list) this.#below(child, message)
      }
    return [message]
  }

  #below(child: unknown, parent: SaidMessage): void {
    const [message] = this.#one(child, [parent])
    // a list of children in each other is as good as ids
    if (message && parent.id !== undefined) this.#parents.set(message, parent.id)
    if (message && !this.#parents.has(parent)) this.#parents.set(parent, null)
  }
}
