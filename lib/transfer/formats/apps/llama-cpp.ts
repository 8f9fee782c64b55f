import type { ForeignPart } from '../../foreign-chat'
import {
  idOf,
  isRecord,
  type Json,
  type JsonRecord,
  listAt,
  maybeJson,
  recordAt,
  textAt,
} from '../../json/values'
import { base64File, fileAt, mediaTypeOf, type ReadContext, textFile } from '../../parts/files'
import { callPart, readBlocks, reasoningPart } from '../../parts/read-blocks'
import { Problems } from '../../tree/problems'
import { dateIn, type SourceNode } from '../../tree/source-node'
import { type ChatFormat, chatOf, type GatheredFormat, madeId, type Surroundings } from '../format'

/** An export of llama.cpp's page: `conv` says where it was read last, and messages name their parents. */
export const llamaCpp: ChatFormat = {
  source: 'llama.cpp',
  program: 'llama.cpp',
  recognises: (value) => isRecord(value.conv) && Array.isArray(value.messages),
  read: (value, context) => readSession(recordAt(value, 'conv'), listAt(value, 'messages'), context),
}

/** The same as lines: a header, then a line for each message. Another header begins another chat. */
export const llamaCppLines: GatheredFormat = {
  source: 'llama.cpp',
  program: 'llama.cpp',
  recognises: (first) =>
    isRecord(first) && first.type === 'session' && ('harness' in first || 'currNode' in first),
  gather(surroundings) {
    let header: JsonRecord | null = null
    let messages: Json[] = []
    let problems = new Problems()
    let held = 0
    const take = () => {
      if (!header) return null
      const chat = readSession(header, messages, { ...surroundings, problems })
      header = null
      messages = []
      problems = new Problems()
      held = 0
      return chat
    }
    return {
      get problems() {
        return problems
      },
      get held() {
        return held
      },
      add(value, bytes) {
        if (isRecord(value) && value.type === 'session') {
          const chat = take()
          header = value
          return chat
        }
        header ??= {}
        held += bytes
        messages.push(isRecord(value) && isRecord(value.message) ? value.message : value)
        return null
      },
      end: () => {
        const chat = take()
        return chat ? [chat] : []
      },
    }
  },
}

function readSession(conv: JsonRecord, given: readonly Json[], context: ReadContext & Surroundings) {
  const { problems } = context
  const messages = given.filter(isRecord)
  const skipped = given.length - messages.length
  if (skipped > 0) problems.count('no message', skipped)
  const own = idOf(conv.id)
  const id = own ?? madeId('llama.cpp', context.fileName, textAt(conv, 'name'))
  const hasTree = messages.some((message) => 'parent' in message || 'children' in message)
  let before: string | null = null
  const nodes = messages.map((message, index) => {
    const own = idOf(message.id) ?? `${id}:${index}`
    const named = idOf(message.parent)
    const parentId = hasTree ? (named === '-1' ? null : named) : before
    before = own
    return readMessage(message, own, parentId, context)
  })
  const facts = {
    id,
    isNamedByFile: own === null,
    title: textAt(conv, 'name'),
    createdAt: nodes.find(({ createdAt }) => createdAt)?.createdAt ?? null,
    updatedAt: dateIn(problems, conv.lastModified),
    isPinned: conv.pinned === true,
  }
  const current = idOf(conv.currNode) ?? (hasTree ? null : before)
  return chatOf(facts, nodes, problems, { current, skipped })
}

function readMessage(
  message: JsonRecord,
  id: string,
  parentId: string | null,
  context: ReadContext,
): SourceNode {
  const given = textAt(message, 'role')
  const role: SourceNode['role'] =
    given === 'user' || given === 'system' || given === 'tool' ? given : 'assistant'
  const isRoot = message.type === 'root'
  if (given !== role && !isRoot) context.problems.count('unknown role')
  const said = readBlocks(message.content, context, id)
  const thoughts =
    textAt(message, 'reasoningContent') ?? textAt(message, 'thinking') ?? textAt(message, 'reasoning_content')
  const extras = listAt(message, 'extra').flatMap((extra) => readExtra(extra, context))
  const common = {
    id,
    parentId,
    role,
    createdAt: dateIn(context.problems, message.timestamp),
    model: role === 'assistant' ? textAt(message, 'model') : null,
    isRoot,
  }
  if (role === 'tool') {
    const output = said.parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
    return {
      ...common,
      parts: [],
      answers: [{ callId: idOf(message.toolCallId), toolName: null, output, failed: false, files: extras }],
    }
  }
  return {
    ...common,
    parts: [...extras, ...reasoningPart(thoughts ?? ''), ...said.parts, ...callsOf(message, id)],
  }
}

function callsOf(message: JsonRecord, id: string): ForeignPart[] {
  const calls = maybeJson(message.toolCalls)
  if (!Array.isArray(calls)) return []
  return calls.filter(isRecord).map((call, index) => {
    const definition = recordAt(call, 'function')
    return callPart({
      id: idOf(call.id),
      name: textAt(definition, 'name'),
      input: definition.arguments,
      place: `${id}-${index}`,
    })
  })
}

function readExtra(extra: Json, context: ReadContext): ForeignPart[] {
  if (!isRecord(extra)) return []
  const name = textAt(extra, 'name')
  const pages = listAt(extra, 'images').flatMap((page) =>
    typeof page === 'string' ? [fileAt(context, page, { kind: 'Picture' })] : [],
  )
  const url = textAt(extra, 'base64Url')
  if (url) return [fileAt(context, url, { name, kind: 'Picture' })]
  const data = textAt(extra, 'base64Data')
  if (data) return [base64File(data, mediaTypeOf(textAt(extra, 'mimeType'), name), name), ...pages]
  const content = textAt(extra, 'content')
  if (content) return [textFile(content, name), ...pages]
  if (pages.length === 0) context.problems.count('missing file')
  return pages
}
