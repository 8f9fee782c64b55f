import type { ForeignPart } from '../../foreign-chat'
import {
  cleanText,
  idOf,
  isRecord,
  type Json,
  type JsonRecord,
  jsonText,
  listAt,
  maybeJson,
  plainValue,
  recordAt,
  textAt,
} from '../../json/values'
import { fileAt, filePart, type ReadContext, textFile } from '../../parts/files'
import { unescapeHtml } from '../../parts/html-markdown'
import {
  callPart,
  errorPart,
  type ReadParts,
  readBlocks,
  reasoningPart,
  sourceParts,
  textPart,
} from '../../parts/read-blocks'
import { dateIn, type SourceNode } from '../../tree/source-node'
import { type ChatFormat, chatOf, madeId } from '../format'

/**
 * A chat of Open WebUI: `history.messages` by id, `history.currentId`. It stands alone or in `chat`, with the facts
 * of its list.
 */
export const openWebui: ChatFormat = {
  source: 'open-webui',
  program: 'Open WebUI',
  recognises: (value) => isRecord(recordAt(chatIn(value), 'history').messages),
  read(value, context) {
    const { problems } = context
    const chat = chatIn(value)
    const history = recordAt(chat, 'history')
    const entries = Object.entries(recordAt(history, 'messages'))
    const messages = entries.flatMap(([key, message]) => (isRecord(message) ? [{ key, message }] : []))
    const skipped = entries.length - messages.length
    if (skipped > 0) problems.count('no message', skipped)
    const nodes = messages.flatMap(({ key, message }) => readMessage(message, key, context))
    const facts = {
      id:
        idOf(value.id) ?? idOf(chat.id) ?? madeId('open-webui', textAt(chat, 'title'), nodes[0]?.id ?? null),
      title: textAt(value, 'title') ?? textAt(chat, 'title'),
      instructions: textAt(chat, 'system') ?? textAt(recordAt(chat, 'params'), 'system'),
      createdAt: dateIn(problems, value.created_at ?? chat.timestamp),
      updatedAt: dateIn(problems, value.updated_at),
      isPinned: value.pinned === true,
      isArchived: value.archived === true,
      tags: [...listAt(value.meta, 'tags'), ...listAt(chat, 'tags')].flatMap(
        (tag) => (typeof tag === 'string' ? tag : textAt(tag, 'name')) ?? [],
      ),
    }
    const current = idOf(history.currentId) ?? idOf(history.current_id)
    return chatOf({ ...facts, tags: [...new Set(facts.tags)] }, nodes, problems, { current, skipped })
  },
}

const chatIn = (value: JsonRecord): JsonRecord => (isRecord(value.chat) ? value.chat : value)

function readMessage(message: JsonRecord, key: string, context: ReadContext): SourceNode[] {
  const { problems } = context
  const given = textAt(message, 'role')
  const role = given === 'user' || given === 'system' || given === 'tool' ? given : 'assistant'
  if (role === 'assistant' && given !== 'assistant') problems.count('unknown role')
  const { parts, answers } = contentOf(message, key, context)
  const error = message.error === true ? null : (textAt(message.error, 'content') ?? textAt(message, 'error'))
  const node: SourceNode = {
    id: key,
    parentId: idOf(message.parentId),
    role,
    parts: [
      ...filesOf(message, context),
      ...statusOf(message, key),
      ...parts,
      ...executionsOf(message, key),
      ...errorPart(error),
      ...sourcesOf(message, key),
    ],
    answers,
    createdAt: dateIn(problems, message.timestamp),
    model: textAt(message, 'model') ?? textAt(message, 'modelName'),
  }
  // the reply that was put together out of several models' replies
  const merged = textAt(recordAt(message, 'merged'), 'content')
  if (!merged) return [node]
  return [node, { ...node, id: `${key}-merged`, parts: textPart(merged), answers: [], isExtra: true }]
}

function contentOf(message: JsonRecord, key: string, context: ReadContext): ReadParts {
  const output = listAt(message, 'output').filter(isRecord)
  if (output.length === 0) return detailsOf(message.content, key, context)
  const read: ReadParts = { parts: [], answers: [] }
  for (const [index, item] of output.entries()) {
    // the words of an item are blocks of its own; a call and its answer are blocks themselves
    const blocks =
      item.type === 'message' ? item.content : item.type === 'reasoning' ? reasoningOf(item) : [item]
    readBlocks(blocks, context, `${key}-${index}`, read)
  }
  return read
}

const reasoningOf = (item: JsonRecord): Json[] => {
  const blocks = Array.isArray(item.content) ? item.content : listAt(item, 'summary')
  return blocks.map((block) => ({ type: 'reasoning', text: textAt(block, 'text') ?? '' }))
}

const closing = '</details>'

/** Elements with their type, attributes and body. An element without an end stops the search. */
function* detailsIn(content: string) {
  const opening = /<details\s{1,9}type="(reasoning|tool_calls|code_interpreter)"/g
  for (let match = opening.exec(content); match; match = opening.exec(content)) {
    const head = content.indexOf('>', opening.lastIndex)
    const close = content.indexOf(closing, head)
    if (head === -1 || close === -1) return
    const attributes = content.slice(opening.lastIndex, head)
    opening.lastIndex = close + closing.length
    yield {
      type: match[1],
      attributes,
      body: content.slice(head + 1, close),
      index: match.index,
      end: opening.lastIndex,
    }
  }
}

function withoutSummary(body: string): string {
  const begin = body.indexOf('<summary>')
  const end = body.indexOf('</summary>', begin)
  return begin === -1 || end === -1 ? body : body.slice(0, begin) + body.slice(end + '</summary>'.length)
}

/** Thoughts and calls stand in the text of older chats as elements of HTML. */
function detailsOf(content: Json, key: string, context: ReadContext): ReadParts {
  if (typeof content !== 'string' || !content.includes('<details')) return readBlocks(content, context, key)
  const read: ReadParts = { parts: [], answers: [] }
  let from = 0
  for (const { type, attributes, body, index, end } of detailsIn(content)) {
    read.parts.push(...textPart(content.slice(from, index)))
    from = end
    const words = withoutSummary(body).trim()
    if (type === 'reasoning') {
      read.parts.push(...reasoningPart(unescapeHtml(words).replace(/^> ?/gm, '')))
      continue
    }
    const attribute = (name: string) => {
      const found = new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)
      return found ? unescapeHtml(found[1] ?? '') : null
    }
    const place = `${key}-${index}`
    if (type === 'code_interpreter') {
      const { code, language } = codeIn(unescapeHtml(words))
      const output = maybeJson(attribute('output') ?? '')
      read.parts.push(codeRun({ place, language, code, output, failed: false }))
      continue
    }
    const callId = attribute('id') || place
    const toolName = attribute('name')
    read.parts.push(
      callPart({ id: callId, name: toolName, input: maybeJson(attribute('arguments') ?? '{}'), place }),
    )
    const result = attribute('result') ?? unescapeHtml(words)
    if (result !== '')
      read.answers.push({ callId, toolName, output: maybeJson(result), failed: false, files: [] })
  }
  read.parts.push(...textPart(content.slice(from)))
  return read
}

/** A piece of code that was run, with its output. */
function codeRun(run: {
  place: string
  language: string
  code: string
  output: Json
  failed: boolean
}): ForeignPart {
  const common = {
    type: 'dynamic-tool' as const,
    toolName: 'code_interpreter',
    toolCallId: run.place,
    input: { language: run.language, code: cleanText(run.code) },
  }
  return run.failed
    ? {
        ...common,
        state: 'output-error',
        errorText: cleanText(typeof run.output === 'string' ? run.output : jsonText(run.output)),
      }
    : { ...common, state: 'output-available', output: plainValue(run.output) }
}

function codeIn(words: string): { code: string; language: string } {
  const begin = words.indexOf('```')
  const end = words.lastIndexOf('```')
  if (begin === -1 || end === begin) return { code: words, language: '' }
  const line = words.indexOf('\n', begin)
  if (line === -1 || line > end) return { code: words, language: '' }
  return { code: words.slice(line + 1, end).trimEnd(), language: words.slice(begin + 3, line).trim() }
}

/** Code that the reply had run. */
const executionsOf = (message: JsonRecord, key: string): ForeignPart[] =>
  listAt(message, 'code_executions')
    .filter(isRecord)
    .map((run, index) => {
      const result = recordAt(run, 'result')
      const error = textAt(result, 'error')
      return codeRun({
        place: idOf(run.id) ?? `${key}-run-${index}`,
        language: textAt(run, 'language') ?? '',
        code: textAt(run, 'code') ?? '',
        output: error ?? (Object.keys(result).length === 1 ? (result.output ?? '') : result),
        failed: error !== null,
      })
    })

/** The states that the page showed, as steps of the reply: a search with its pages. */
const statusOf = (message: JsonRecord, key: string): ForeignPart[] =>
  listAt(message, 'statusHistory')
    .filter(isRecord)
    .flatMap((status, index): ForeignPart[] => {
      const place = `${key}-status-${index}`
      const { action, urls, items, done: _, hidden: __, ...input } = status
      const pages = sourceParts([...listAt({ urls }, 'urls'), ...listAt({ items }, 'items')], place)
      return [
        {
          type: 'dynamic-tool',
          toolName: typeof action === 'string' && action !== '' ? action : 'status',
          toolCallId: place,
          state: 'output-available',
          input: plainValue(input),
          output: plainValue(urls ?? items ?? ''),
        },
        ...pages,
      ]
    })

function filesOf(message: JsonRecord, context: ReadContext): ForeignPart[] {
  return listAt(message, 'files').flatMap((file) => {
    if (!isRecord(file)) return []
    const inner = recordAt(file, 'file')
    const name = textAt(file, 'name') ?? textAt(inner, 'filename')
    const content = textAt(recordAt(inner, 'data'), 'content') ?? textAt(file, 'content')
    const mediaType = textAt(recordAt(inner, 'meta'), 'content_type') ?? textAt(file, 'content_type')
    if (content) return [textFile(content, name)]
    const kind = file.type === 'image' ? 'Picture' : 'File'
    const url = textAt(file, 'url')
    if (url) return [fileAt(context, url, { name, mediaType, kind })]
    return [filePart(context, { ids: [idOf(file.id)], name, mediaType, kind })]
  })
}

/** The pages that a reply is based on. */
function sourcesOf(message: JsonRecord, key: string): ForeignPart[] {
  const sources = Array.isArray(message.sources) ? message.sources : listAt(message, 'citations')
  const links = sources.flatMap((source) => {
    const { url, name } = recordAt(source, 'source')
    const from = listAt(source, 'metadata').flatMap((item) => textAt(item, 'source') ?? [])
    const address = [url, ...from, name].find((item) => typeof item === 'string' && /^https?:\/\//.test(item))
    return typeof address === 'string'
      ? [{ address, title: typeof name === 'string' ? name : undefined }]
      : []
  })
  return links.map(({ address, title }, index) => ({
    type: 'source-url',
    sourceId: `${key}-source-${index}`,
    url: address,
    title,
  }))
}
