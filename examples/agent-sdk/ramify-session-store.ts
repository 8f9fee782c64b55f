import { createHash } from 'node:crypto'
import {
  foldSessionSummary,
  type SessionKey,
  type SessionStore,
  type SessionStoreEntry,
  type SessionSummaryEntry,
} from '@anthropic-ai/claude-agent-sdk'
import type { ContextStore } from '@ramify/context'
import { type NewMessage, newId, type Step } from '@ramify/context/log'

/** An entry as text: it may hold what Postgres does not, such as NUL. */
interface Body {
  entry: string
}

const entryOf = (data: unknown): SessionStoreEntry => JSON.parse((data as Body).entry)
const sessionOf = ({ projectKey, sessionId }: SessionKey) => JSON.stringify([projectKey, sessionId])
/** A transcript, of a session or of a subagent, is a chat. */
const chatOf = ({ projectKey, sessionId, subpath }: SessionKey) =>
  createHash('sha256')
    .update(JSON.stringify([projectKey, sessionId, subpath]))
    .digest('hex')

/** Entries without an id, such as titles, stand between messages: so many are read to find the last message. */
const LOOK_BACK = 50

/**
 * The transcripts of the Claude Agent SDK on the engine. An entry is a message; one whose `parentUuid` is not the message
 * before it opens a branch there, so a session that was rewound is a graph.
 *
 * @example query({ prompt, options: { sessionStore: new RamifySessionStore(store, 'ada') } })
 */
export class RamifySessionStore implements SessionStore {
  constructor(
    private readonly store: ContextStore,
    private readonly userId: string,
  ) {}

  /** Stores a batch whole. Rejects when another process was quicker, and the SDK tries again. */
  async append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void> {
    if (entries.length === 0) return
    const { projectKey, sessionId, subpath = '' } = key
    const chatId = chatOf(key)
    const place = { projectKey, sessionId, subpath, session: sessionOf(key) }
    const { chat, branch } = await this.store.openChat({ id: chatId, userId: this.userId, metadata: place })
    const named = entries.flatMap(({ uuid, parentUuid }) =>
      [uuid, parentUuid].filter((id) => typeof id === 'string'),
    )
    const [stored, chain] = await Promise.all([
      this.store.getMessagesById(chatId, named, null),
      branch.headMessageId === null
        ? []
        : this.store.getMessageChain(chatId, branch.headMessageId, { last: LOOK_BACK }),
    ])
    const known = new Set(stored.map(({ id }) => id))
    const fresh = entries.filter(({ uuid }, at) => {
      const isFirst = uuid === undefined || entries.findIndex((one) => one.uuid === uuid) === at
      return isFirst && !(uuid && known.has(uuid))
    })
    if (fresh.length === 0) return

    const at = Date.now()
    const steps: Step[] = []
    let line = { branchId: branch.id, expectedHead: branch.headMessageId, messages: [] as NewMessage[] }
    let said = chain.findLast(({ data }) => entryOf(data).uuid)?.id
    const endLine = () => {
      if (line.messages.length > 0) steps.push({ kind: 'append', ...line })
    }
    for (const entry of fresh) {
      const parent = entry.parentUuid
      if (typeof parent === 'string' && parent !== said && known.has(parent)) {
        endLine()
        line = { branchId: newId(), expectedHead: parent, messages: [] }
        const fork = { at: parent, fork: { messageId: parent } }
        steps.push({ kind: 'open-branch', branchId: line.branchId, after: 'main', ...fork, activate: true })
      }
      const message = messageOf(entry, at)
      line.messages.push(message)
      if (entry.uuid) {
        said = entry.uuid
        known.add(entry.uuid)
      }
    }
    endLine()
    const before = chat.metadata.summary as SessionSummaryEntry | undefined
    const summary = foldSessionSummary(before, key, fresh, { mtime: at })
    steps.push({ kind: 'update-chat', metadata: { summary } })
    await this.store.commit({ chatId, at, steps })
  }

  /** All entries, in the order they were written. */
  async load(key: SessionKey): Promise<SessionStoreEntry[] | null> {
    if (!(await this.store.getChat(chatOf(key)))) return null
    const messages = await this.store.getMessages(chatOf(key))
    return messages.map(({ data }) => entryOf(data))
  }

  async listSessions(projectKey: string): Promise<{ sessionId: string; mtime: number }[]> {
    const summaries = await this.listSessionSummaries(projectKey)
    return summaries.map(({ sessionId, mtime }) => ({ sessionId, mtime }))
  }

  async listSessionSummaries(projectKey: string): Promise<SessionSummaryEntry[]> {
    const chats = await this.#chats('projectKey', projectKey)
    return chats
      .filter(({ metadata }) => metadata.subpath === '' && metadata.summary)
      .map(({ metadata }) => metadata.summary as SessionSummaryEntry)
  }

  /** Deletes a transcript; that of a session with those of its subagents. */
  async delete(key: SessionKey): Promise<void> {
    const whole = key.subpath === undefined ? await this.#chats('session', sessionOf(key)) : []
    const ids = key.subpath === undefined ? whole.map(({ id }) => id) : [chatOf(key)]
    await Promise.all(ids.map((id) => this.store.deleteChat(id)))
  }

  async listSubkeys(key: SessionKey): Promise<string[]> {
    const chats = await this.#chats('session', sessionOf(key))
    return chats.map(({ metadata }) => String(metadata.subpath)).filter((subpath) => subpath !== '')
  }

  #chats(key: string, value: string) {
    return this.store.listChats({ userId: this.userId, metadata: { key, value } })
  }
}

function messageOf(entry: SessionStoreEntry, createdAt: number): NewMessage {
  const { message } = entry as { message?: { content?: unknown } }
  const text = typeof message?.content === 'string' ? message.content : entry.type
  const body: Body = { entry: JSON.stringify(entry) }
  const preview = [...text.toWellFormed().replaceAll('\0', '')].slice(0, 160).join('')
  return { id: entry.uuid ?? newId(), name: entry.type, data: body, preview, createdAt }
}
