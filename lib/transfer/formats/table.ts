import type { ForeignChat, ForeignPart } from '../foreign-chat'
import { idOf, isRecord, type Json, type JsonRecord } from '../json/values'
import { type ReadParts, readBlocks, reasoningPart, sourceParts } from '../parts/read-blocks'
import { type Entry, entriesOf, type TreeKeys } from '../tree/entries'
import { Problems } from '../tree/problems'
import { dateIn, type SourceNode } from '../tree/source-node'
import { type ChatContext, type ChatFormat, chatOf, madeId } from './format'
import { roles as usualRoles } from './plain-message'

/** The place of a field: `a.b`, the first of several places that has something, or a function that looks for it. */
export type Field = string | readonly string[] | ((record: JsonRecord) => Json)

/** The fields of a message by their meaning. */
interface MessageFields {
  /** In lower case it is looked up in `roles`, and then among the usual ones. */
  role: Field
  roles?: Readonly<Record<string, SourceNode['role']>>
  /** A text, or blocks as APIs have them. */
  content?: Field
  /** Thoughts: a text. */
  reasoning?: Field
  /** Pages that a reply is based on: a list of addresses, or of records with `url` and `title`. */
  sources?: Field
  createdAt?: Field
  model?: Field
  /** The name of the speaker, where there are more than a person and a model. */
  speaker?: Field
  /** Its program does not show it. */
  isHidden?: Field
  /** The program shows it in one reply with the next message. */
  readsOn?: Field
  /** Before the words: files. */
  files?(message: JsonRecord, context: ChatContext, id: string): ForeignPart[]
  /** All that it says but for files, in place of `content`, `reasoning` and `sources`. */
  parts?(message: JsonRecord, context: ChatContext, id: string): ReadParts
}

/** The fields of a chat by their meaning, with the place of its messages. */
interface ChatTable {
  id?: Field
  title?: Field
  instructions?: Field
  createdAt?: Field
  updatedAt?: Field
  /** The message that was read last, by its id. */
  current?: Field
  /** The model of replies that name none. */
  model?: Field
  origin?: Field
  isPinned?: Field
  isArchived?: Field
  tags?: Field
  messages: Field
  /** Keys of the tree, where they are not the usual ones. */
  tree?: TreeKeys
  /** Entries in place of the entries that `messages` and `tree` make. */
  entries?(
    value: JsonRecord,
    context: ChatContext,
  ): {
    entries: Entry[]
    skipped?: number
    current?: string | null
    branches?: { name: string; headId: string }[]
  }
  message: MessageFields
}

/** The fields of a program's files. */
export type SourceTable = ChatTable & { source: string }

/** A format whose values are chats, told by a table of their fields. */
export function tableFormat({
  source,
  program,
  silent,
  recognises,
  chats,
  ...table
}: Omit<ChatFormat, 'read' | 'holdsMany'> &
  ChatTable & {
    /** Finds the records of the chats, in a value that holds several. */
    chats?(value: JsonRecord): readonly Json[]
  }): ChatFormat {
  return {
    source,
    program,
    ...(silent && { silent }),
    ...(table.beside && { beside: table.beside }),
    recognises,
    ...(chats && { holdsMany: true }),
    read: (value, context) =>
      chats
        ? chatsByTable(chats(value).filter(isRecord), { ...table, source }, context)
        : chatByTable(value, { ...table, source }, context),
  }
}

/** Chats out of their records. Problems of one chat are not told of the next ones. */
export const chatsByTable = (
  values: readonly JsonRecord[],
  table: SourceTable,
  context: ChatContext,
): ForeignChat[] =>
  values.map((value, index) =>
    chatByTable(value, table, index === 0 ? context : { ...context, problems: new Problems() }),
  )

/** A chat out of its record. */
export function chatByTable(value: JsonRecord, table: SourceTable, context: ChatContext): ForeignChat {
  const { problems } = context
  const found = table.entries?.(value, context) ?? entriesOf(at(value, table.messages), problems, table.tree)
  const { entries, skipped = 0 } = found
  const model = textIn(value, table.model)
  const nodes = entries.map((entry) => nodeByTable(entry, table.message, model, context))
  const own = idOf(at(value, table.id))
  const title = textIn(value, table.title)
  const tags = at(value, table.tags)
  const facts = {
    id: own ?? madeId(table.source, context.fileName, context.place, entries[0]?.id ?? null),
    isNamedByFile: own === null,
    title,
    origin: textIn(value, table.origin),
    instructions: textIn(value, table.instructions),
    createdAt: dateIn(problems, at(value, table.createdAt)),
    updatedAt: dateIn(problems, at(value, table.updatedAt)),
    isPinned: isTrue(at(value, table.isPinned)),
    isArchived: isTrue(at(value, table.isArchived)),
    tags: Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [],
  }
  const current = idOf(at(value, table.current)) ?? ('current' in found ? (found.current ?? null) : null)
  const branches = 'branches' in found ? found.branches : []
  return chatOf(facts, nodes, problems, { current, skipped, branches })
}

function nodeByTable(
  { id, parentId, message }: Entry,
  fields: MessageFields,
  model: string | null,
  context: ChatContext,
): SourceNode {
  const given = textIn(message, fields.role)?.toLowerCase() ?? ''
  const role = fields.roles?.[given] ?? usualRoles[given]
  if (!role) context.problems.count('unknown role')
  const said = fields.parts?.(message, context, id) ?? partsByTable(message, fields, context, id)
  const isReply = role === undefined || role === 'assistant' || role === 'tool'
  return {
    id,
    parentId,
    role: role ?? 'assistant',
    parts: [...(fields.files?.(message, context, id) ?? []), ...said.parts],
    answers: said.answers,
    createdAt: dateIn(context.problems, at(message, fields.createdAt)),
    model: textIn(message, fields.model) ?? (isReply ? model : null),
    speaker: textIn(message, fields.speaker),
    isHidden: isTrue(at(message, fields.isHidden)),
    readsOn: isTrue(at(message, fields.readsOn)),
  }
}

function partsByTable(
  message: JsonRecord,
  { content, reasoning, sources }: MessageFields,
  context: ChatContext,
  id: string,
): ReadParts {
  const { parts, answers } = readBlocks(at(message, content), context, id)
  const thoughts = reasoningPart(textIn(message, reasoning) ?? '')
  return { parts: [...thoughts, ...parts, ...sourceParts(at(message, sources), id)], answers }
}

const isTrue = (value: Json): boolean => value === true || value === 1

/** The text at a field; null where there is none or only blanks. */
export function textIn(record: JsonRecord, field: Field | undefined): string | null {
  const fields = typeof field === 'string' || typeof field === 'function' ? [field] : (field ?? [])
  for (const one of fields) {
    const value = at(record, one)
    if (typeof value === 'string' && value.trim() !== '') return value
  }
  return null
}

/** The value at a field; undefined where there is none. */
export function at(record: JsonRecord, field: Field | undefined): Json {
  if (field === undefined) return undefined
  if (typeof field === 'function') return field(record)
  for (const path of typeof field === 'string' ? [field] : field) {
    let value: Json = record
    for (const key of path.split('.')) value = isRecord(value) ? value[key] : undefined
    if (value !== undefined && value !== null && value !== '') return value
  }
  return undefined
}
