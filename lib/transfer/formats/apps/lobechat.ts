import {
  idOf,
  isRecord,
  type Json,
  type JsonRecord,
  jsonText,
  listAt,
  recordAt,
  textAt,
} from '../../json/values'
import { filesAt } from '../../parts/files'
import { errorPart, type ReadParts, reasoningPart, sourceParts } from '../../parts/read-blocks'
import { type Entry, entriesOf } from '../../tree/entries'
import type { ChatContext } from '../format'
import { plainParts } from '../plain-message'
import { tableFormat } from '../table'

/**
 * LobeChat: lists of sessions, topics and messages in `state`, or in `data` as its database has them. A topic is a chat, and so
 * is what a session has outside of topics.
 */
export const lobechat = tableFormat({
  source: 'lobechat',
  program: 'LobeChat',
  silent: ['settings', 'sessionGroups', 'extra', 'pluginState', 'tts', 'schemaHash', 'usage', 'performance'],
  recognises: (value) => {
    const tables = tablesOf(value)
    return (
      Array.isArray(tables.messages) &&
      (Array.isArray(tables.sessions) || Array.isArray(tables.topics)) &&
      ('exportType' in value || 'schemaHash' in value || 'mode' in value)
    )
  },
  chats: chatsIn,
  id: 'id',
  title: 'title',
  instructions: 'instructions',
  createdAt: 'createdAt',
  updatedAt: 'updatedAt',
  isPinned: 'isPinned',
  tags: 'tags',
  model: 'model',
  messages: 'messages',
  entries: entriesIn,
  message: {
    role: 'role',
    createdAt: ['createdAt', 'created_at'],
    model: ['model', 'extra.fromModel'],
    files: (message, context) => filesAt(message, ['files', 'fileList', 'imageList'], context),
    parts: partsOf,
  },
})

const tablesOf = (value: JsonRecord): JsonRecord =>
  isRecord(value.state) ? value.state : recordAt(value, 'data')

const byId = (rows: readonly Json[]): Map<string | null, JsonRecord> =>
  new Map(rows.filter(isRecord).map((row) => [idOf(row.id), row]))

function chatsIn(value: JsonRecord): readonly Json[] {
  const tables = tablesOf(value)
  const sessions = byId(listAt(tables, 'sessions'))
  const topics = byId(listAt(tables, 'topics'))
  const agents = byId(listAt(tables, 'agents'))
  const plugins = byId(listAt(tables, 'messagePlugins'))
  const agentOf = new Map(
    listAt(tables, 'agentsToSessions')
      .filter(isRecord)
      .map((row) => [idOf(row.sessionId), agents.get(idOf(row.agentId))]),
  )
  const chats = Map.groupBy(
    listAt(tables, 'messages'),
    (message) =>
      ['topicId', 'sessionId', 'groupId', 'agentId'].flatMap((key) => textAt(message, key) ?? [])[0] ??
      'inbox',
  )
  return [...chats].map(([id, messages]): JsonRecord => {
    const topic = topics.get(id) ?? {}
    const sessionId =
      idOf(topic.sessionId) ?? messages.map((message) => textAt(message, 'sessionId'))[0] ?? id
    const session = sessions.get(sessionId) ?? {}
    const agent = agentOf.get(sessionId) ?? agents.get(id) ?? recordAt(session, 'config')
    const meta = recordAt(session, 'meta')
    const name = textAt(meta, 'title') ?? textAt(session, 'title') ?? textAt(agent, 'title')
    const title = textAt(topic, 'title')
    return {
      id,
      title: title ?? name,
      tags: title === null || name === null ? [] : [name],
      instructions: textAt(agent, 'systemRole'),
      model: textAt(agent, 'model'),
      createdAt: topic.createdAt ?? session.createdAt,
      updatedAt: topic.updatedAt ?? session.updatedAt,
      isPinned: topic.favorite ?? session.pinned,
      threads: listAt(tables, 'threads'),
      messages: messages.map((message) =>
        isRecord(message) ? { ...message, plugin: message.plugin ?? plugins.get(idOf(message.id)) } : message,
      ),
    }
  })
}

const goneParent = 'Some messages follow one that is deleted. Each follows the one before it in the file.'

/** A question of an older version does not name the message before it, and answers of tools all follow their call. */
function entriesIn(chat: JsonRecord, { problems }: ChatContext) {
  const sourceOf = new Map(
    listAt(chat, 'threads').map((thread) => [textAt(thread, 'id'), textAt(thread, 'sourceMessageId')]),
  )
  const { entries: all, skipped } = entriesOf(chat.messages, problems, { children: [], ancestors: [] })
  const known = new Set(all.map(({ id }) => id))
  const lastIn = new Map<string | null, string>()
  /** The last answer of a tool to the calls of a message, by the message and by each answer. */
  const lastAnswer = new Map<string, string>()
  const callerOf = new Map<string, string>()
  const entries = all.map(({ id, message }): Entry => {
    const thread = textAt(message, 'threadId')
    const named = idOf(message.parentId)
    const before = lastIn.get(thread) ?? sourceOf.get(thread) ?? null
    const given = named !== null && known.has(named) ? named : before
    if (named !== null && given !== named) problems.say(goneParent)
    const caller = given === null ? null : (callerOf.get(given) ?? given)
    const parentId =
      caller !== null && (message.role === 'tool' || caller !== given)
        ? (lastAnswer.get(caller) ?? given)
        : given
    if (message.role === 'tool' && caller !== null) {
      callerOf.set(id, caller)
      lastAnswer.set(caller, id)
    }
    lastIn.set(thread, id)
    return { id, parentId, message }
  })
  return { entries, skipped }
}

function partsOf(message: JsonRecord, context: ChatContext, id: string): ReadParts {
  const { tools, reasoning, plugin, files, search, error, ...said } = message
  const calls = (Array.isArray(tools) ? tools : []).filter(isRecord).map((call) => ({
    id: call.id,
    name: [call.identifier, call.apiName].filter((name) => typeof name === 'string').join('.'),
    arguments: call.arguments,
  }))
  const toolCallId = textAt(message, 'tool_call_id') ?? textAt(plugin, 'toolCallId')
  const read = plainParts({ ...said, tool_calls: calls, tool_call_id: toolCallId }, context, id)
  const thoughts = textAt(reasoning, 'content') ?? (typeof reasoning === 'string' ? reasoning : '')
  const reason = isRecord(error) ? (textAt(error, 'message') ?? textAt(error, 'type') ?? jsonText(error)) : ''
  return {
    parts: [
      ...reasoningPart(thoughts),
      ...read.parts,
      ...sourceParts(listAt(search, 'citations'), id),
      ...errorPart(reason),
    ],
    answers: read.answers,
  }
}
