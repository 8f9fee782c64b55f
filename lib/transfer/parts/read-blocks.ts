import type { ForeignPart } from '../foreign-chat'
import {
  cleanText,
  idOf,
  isRecord,
  type Json,
  type JsonRecord,
  listAt,
  maybeJson,
  plainValue,
  recordAt,
  textAt,
} from '../json/values'
import type { ToolAnswer } from '../tree/source-node'
import { base64File, fileAt, mediaTypeOf, type ReadContext, textFile } from './files'
import { googleBlock } from './google-parts'
import { itemBlock } from './response-items'

export interface ReadParts {
  parts: ForeignPart[]
  answers: ToolAnswer[]
}

export const textPart = (text: string): ForeignPart[] =>
  text.trim() === '' ? [] : [{ type: 'text', text: cleanText(text) }]

/** The error of a reply as words of it; null: it has none. */
export const errorPart = (reason: string | null): ForeignPart[] =>
  reason === null || reason === '' ? [] : textPart(`Error: ${reason}`)

export const reasoningPart = (text: string): ForeignPart[] =>
  text.trim() === '' ? [] : [{ type: 'reasoning', text: cleanText(text), state: 'done' }]

/** A call of a tool whose answer is still to be found. */
export const callPart = (call: {
  id: string | null
  name: string | null
  input: Json
  place: string
}): ForeignPart => {
  const input = plainValue(maybeJson(call.input) ?? {})
  return {
    type: 'dynamic-tool',
    toolName: call.name ?? 'tool',
    toolCallId: call.id ?? call.place,
    state: 'input-available',
    input,
  }
}

/**
 * Pages that words are based on, each address once: addresses, or records that have one with a title. APIs wrap them once more,
 * as `url_citation` or `details`.
 */
export function sourceParts(given: Json, place: string): ForeignPart[] {
  const found = new Map<string, string | null>()
  for (const item of Array.isArray(given) ? given : []) {
    const inside = isRecord(item)
      ? [item, ...['details', 'url_citation', 'source', 'web', 'metadata'].map((key) => recordAt(item, key))]
      : []
    const url = [item, ...inside.flatMap(({ url, link, uri, href }) => [url, link, uri, href])].find(
      (value): value is string => typeof value === 'string' && /^https?:\/\/\S+$/.test(value),
    )
    if (url === undefined) continue
    const title = inside.map((record) => textAt(record, 'title') ?? textAt(record, 'name')).find(Boolean)
    found.set(url, found.get(url) ?? title ?? null)
  }
  return [...found].map(([url, title], index): ForeignPart => {
    const sourceId = `${place}-source-${index}`
    return title === null
      ? { type: 'source-url', sourceId, url }
      : { type: 'source-url', sourceId, url, title: cleanText(title) }
  })
}

export const codeFence = (code: string, language = ''): string => {
  let longest = 2
  for (const [run] of code.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${code}\n${fence}`
}

/** Blocks that say nothing to a reader. */
const silent: ReadonlySet<string> = new Set([
  'token_budget',
  'redacted_thinking',
  'cache_edits',
  'flag',
  'step_start',
])

/**
 * The content of a message in the forms of OpenAI, Anthropic, Google, LangChain, LibreChat and the AI SDK: a text, or
 * blocks that say their type. A block of a type that is not known stays in the text as JSON.
 *
 * @param read takes the parts of the blocks, after the parts it holds already
 */
export function readBlocks(
  content: Json,
  context: ReadContext,
  place: string,
  read: ReadParts = { parts: [], answers: [] },
): ReadParts {
  const blocks = Array.isArray(content) ? content : content === null || content === undefined ? [] : [content]
  for (const [index, block] of blocks.entries()) {
    if (typeof block === 'string') read.parts.push(...textPart(block))
    else if (isRecord(block)) readBlock(block, context, `${place}-${index}`, read)
    else unknownBlock(block, context, read)
  }
  return read
}

function readBlock(given: JsonRecord, context: ReadContext, place: string, read: ReadParts): void {
  const known = typeof given.type === 'string' ? itemBlock(given) : googleBlock(given)
  const block = known ?? given
  const type = typeof block.type === 'string' ? block.type : 'text' in block ? 'text' : ''
  const reader = readers[type]
  if (reader) reader(block, context, place, read)
  else if (type.startsWith('tool-') && 'toolCallId' in block)
    readers['dynamic-tool']?.(block, context, place, read)
  else if (!silent.has(type)) unknownBlock(block, context, read)
}

function unknownBlock(block: Json, context: ReadContext, { parts }: ReadParts): void {
  parts.push(...unknownPart(block, context))
}

/** Content of a kind that is not known: its JSON stays in the text. */
export function unknownPart(part: Json, { problems }: ReadContext): ForeignPart[] {
  problems.count('unknown content')
  return textPart(codeFence(JSON.stringify(plainValue(part), null, 2), 'json'))
}

/** Parts of a message whose program keeps the calls of tools beside the words: the calls came before them. */
export const callsFirst = (parts: readonly ForeignPart[]): ForeignPart[] => [
  ...parts.filter(({ type }) => type === 'dynamic-tool'),
  ...parts.filter(({ type }) => type !== 'dynamic-tool'),
]

type BlockReader = (block: JsonRecord, context: ReadContext, place: string, read: ReadParts) => void

const asText: BlockReader = (block, _context, place, { parts }) => {
  // LibreChat wraps the text once more
  const text =
    typeof block.text === 'string'
      ? block.text
      : (textAt(block.text, 'value') ?? textAt(block, 'content') ?? '')
  parts.push(
    ...textPart(text),
    ...sourceParts([...listAt(block, 'citations'), ...listAt(block, 'annotations')], place),
  )
}

const asReasoning: BlockReader = (block, _context, _place, { parts }) => {
  const text =
    textAt(block, 'thinking') ?? textAt(block, 'think') ?? textAt(block, 'text') ?? textAt(block, 'reasoning')
  const summaries = [...listAt(block, 'summary'), ...listAt(block, 'content')].map(
    (item) => textAt(item, 'text') ?? '',
  )
  // Claude's page shows these of the thoughts
  const headings = listAt(block, 'summaries').flatMap((item) => textAt(item, 'summary') ?? [])
  parts.push(...reasoningPart([...headings, text ?? summaries.join('\n\n')].join('\n\n')))
}

const asPicture: BlockReader = (block, context, _place, { parts }) => {
  const { image_url: named, source, image } = block
  const url =
    typeof named === 'string'
      ? named
      : (textAt(named, 'url') ?? textAt(source, 'url') ?? textAt(block, 'url'))
  const data = textAt(source, 'data') ?? textAt(block, 'data') ?? (typeof image === 'string' ? image : null)
  const given =
    textAt(source, 'media_type') ??
    textAt(block, 'mediaType') ??
    textAt(block, 'mimeType') ??
    textAt(block, 'mime_type')
  if (data && !/^(data|https?):/.test(data))
    parts.push(base64File(data, mediaTypeOf(given, null, 'image/png')))
  else {
    const address =
      url ?? data ?? textAt(source, 'file_id') ?? textAt(recordAt(block, 'image_file'), 'file_id') ?? ''
    parts.push(fileAt(context, address, { mediaType: given, kind: 'Picture' }))
  }
}

const asFile: BlockReader = (block, context, _place, { parts }) => {
  const file = isRecord(block.file) ? block.file : block
  const name = textAt(file, 'filename') ?? textAt(file, 'name') ?? textAt(block, 'title')
  const given = textAt(file, 'mediaType') ?? textAt(file, 'mimeType') ?? textAt(block.source, 'media_type')
  const source = recordAt(block, 'source')
  const text = source.type === 'text' ? textAt(source, 'data') : null
  if (text) parts.push(textFile(text, name))
  else if (textAt(source, 'data'))
    parts.push(base64File(textAt(source, 'data') ?? '', mediaTypeOf(given, name), name))
  else {
    const data =
      textAt(file, 'file_data') ?? textAt(file, 'data') ?? textAt(file, 'url') ?? textAt(source, 'url')
    const isBare = data !== null && !/^[a-z][a-z0-9+.-]*:|^\//i.test(data) && data.length > 200
    parts.push(
      isBare
        ? base64File(data, mediaTypeOf(given, name), name)
        : fileAt(context, data ?? textAt(file, 'file_id') ?? name ?? '', { name, mediaType: given }),
    )
  }
}

const asCall: BlockReader = (block, _context, place, { parts, answers }) => {
  // LibreChat keeps the answer with the call
  const call = isRecord(block.tool_call) ? block.tool_call : block
  const definition = recordAt(call, 'function')
  const id = idOf(call.call_id) ?? idOf(call.toolCallId) ?? idOf(call.id)
  const name = textAt(call, 'name') ?? textAt(call, 'toolName') ?? textAt(definition, 'name')
  const input = call.input ?? call.args ?? call.arguments ?? definition.arguments
  parts.push(callPart({ id, name, input, place }))
  const output = call.output ?? definition.output ?? call.result
  if (output === undefined || output === null) return
  answers.push({
    callId: id ?? place,
    toolName: name,
    output: plainValue(maybeJson(output)),
    failed: call.isError === true,
    files: [],
  })
}

const asAnswer: BlockReader = (block, context, place, { answers }) => {
  const callId = idOf(block.tool_use_id) ?? idOf(block.toolCallId) ?? idOf(block.call_id)
  const failed =
    block.is_error === true || block.isError === true || recordAt(block, 'output').type === 'error-text'
  const given = block.content ?? block.output ?? block.result
  answers.push({
    callId,
    toolName: textAt(block, 'name') ?? textAt(block, 'toolName'),
    failed,
    ...answerOf(given, context, place),
  })
}

/** True: a block of an answer says no more than its text. */
const isOnlyText = (item: Json): item is { text: string } =>
  isRecord(item) &&
  typeof item.text === 'string' &&
  !['url', 'title', 'citations', 'annotations'].some((key) => item[key])

/**
 * The output of a tool: its text where it is made of text, else the value as it is; with its pictures and the pages
 * it found.
 */
export function answerOf(
  whole: Json,
  context: ReadContext,
  place: string,
): Pick<ToolAnswer, 'output' | 'files'> {
  // the AI SDK says what kind of output it is
  const given = isRecord(whole) && 'value' in whole && typeof whole.type === 'string' ? whole.value : whole
  const isBlocks =
    Array.isArray(given) && given.length > 0 && given.every((item) => isRecord(item) && 'type' in item)
  if (!isBlocks) return { output: plainValue(typeof given === 'string' ? given : (given ?? '')), files: [] }
  const files: ForeignPart[] = []
  const texts: string[] = []
  const rest: Json[] = []
  for (const item of given) {
    if (isOnlyText(item)) texts.push(item.text)
    else if (isRecord(item) && ['image', 'image_url'].includes(String(item.type)))
      files.push(...readBlocks([item], context, '').parts)
    else rest.push(item)
  }
  const output = rest.length === 0 ? texts.join('\n') : given
  return { output: plainValue(output), files: [...files, ...sourceParts(given, place)] }
}

/** A tool part of the AI SDK, which has the answer in it. */
const asToolPart: BlockReader = (block, _context, place, { parts }) => {
  const toolName = textAt(block, 'toolName') ?? String(block.type).replace(/^tool-/, '')
  const toolCallId = idOf(block.toolCallId) ?? place
  const common = {
    type: 'dynamic-tool' as const,
    toolName,
    toolCallId,
    input: plainValue(block.input ?? block.rawInput ?? {}),
  }
  if (block.state === 'output-available')
    parts.push({ ...common, state: 'output-available', output: plainValue(block.output ?? null) })
  else if (block.state === 'output-error' || block.state === 'output-denied')
    parts.push({
      ...common,
      state: 'output-error',
      errorText: textAt(block, 'errorText') ?? 'The tool did not answer.',
    })
  else parts.push({ ...common, state: 'input-available' })
}

/** The form of AI SDK 4: a call and its answer under one key. */
const asInvocation: BlockReader = (block, context, place, read) => {
  const { toolInvocation } = block
  if (!isRecord(toolInvocation)) return unknownBlock(block, context, read)
  const { toolName, toolCallId, args, result, state } = toolInvocation
  const isDone = state === 'result'
  asToolPart(
    {
      type: 'dynamic-tool',
      toolName,
      toolCallId,
      input: args,
      output: result,
      state: isDone ? 'output-available' : 'call',
    },
    context,
    place,
    read,
  )
}

const asLink: BlockReader = (block, _context, place, { parts }) => {
  const url = textAt(block, 'url')
  if (url)
    parts.push({
      type: 'source-url',
      sourceId: idOf(block.sourceId) ?? place,
      url,
      title: textAt(block, 'title') ?? undefined,
    })
}

const asSound: BlockReader = (block, _context, _place, { parts }) => {
  const { data, format } = recordAt(block, 'input_audio')
  if (typeof data === 'string') parts.push(base64File(data, `audio/${format === 'mp3' ? 'mpeg' : 'wav'}`))
}

const asError: BlockReader = (block, _context, _place, { parts }) => {
  const text = textAt(block, 'error') ?? textAt(block, 'text') ?? textAt(recordAt(block, 'error'), 'message')
  parts.push(...errorPart(text ?? 'unknown'))
}

const asRefusal: BlockReader = (block, _context, _place, { parts }) => {
  parts.push(...textPart(textAt(block, 'refusal') ?? ''))
}

const readers: Readonly<Record<string, BlockReader | undefined>> = {
  text: asText,
  input_text: asText,
  output_text: asText,
  voice_note: asText,
  refusal: asRefusal,
  thinking: asReasoning,
  reasoning: asReasoning,
  think: asReasoning,
  image: asPicture,
  image_url: asPicture,
  input_image: asPicture,
  image_file: asPicture,
  file: asFile,
  input_file: asFile,
  document: asFile,
  media: asFile,
  input_audio: asSound,
  tool_use: asCall,
  server_tool_use: asCall,
  tool_call: asCall,
  'tool-call': asCall,
  function_call: asCall,
  tool_result: asAnswer,
  'tool-result': asAnswer,
  web_search_tool_result: asAnswer,
  function_call_output: asAnswer,
  'dynamic-tool': asToolPart,
  'tool-invocation': asInvocation,
  'source-url': asLink,
  source: (block, context, place, read) =>
    asLink(isRecord(block.source) ? block.source : block, context, place, read),
  error: asError,
  'step-start': () => undefined,
}
