import type { ForeignPart } from '../foreign-chat'
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
} from '../json/values'
import { filesAt, type ReadContext } from '../parts/files'
import {
  answerOf,
  callPart,
  type ReadParts,
  readBlocks,
  reasoningPart,
  sourceParts,
  textPart,
} from '../parts/read-blocks'
import { isAnswerItem, isResponseItem } from '../parts/response-items'
import { dateIn, type SourceNode, type ToolAnswer } from '../tree/source-node'

/** Roles of messages, as programs write them in lower case. */
export const roles: Readonly<Record<string, SourceNode['role'] | undefined>> = {
  user: 'user',
  human: 'user',
  assistant: 'assistant',
  ai: 'assistant',
  model: 'assistant',
  bot: 'assistant',
  gpt: 'assistant',
  gemini: 'assistant',
  prompter: 'user',
  system: 'system',
  developer: 'system',
  tool: 'tool',
  function: 'tool',
}

/** The role of a message of an API; undefined: this is none. */
export const plainRole = (value: Json): SourceNode['role'] | undefined => {
  if (!isRecord(value)) return undefined
  if (isResponseItem(value)) return isAnswerItem(value) ? 'tool' : 'assistant'
  const given = textAt(value, 'role') ?? textAt(value, 'type') ?? textAt(value, 'from')
  return given === null ? undefined : roles[given.toLowerCase()]
}

/**
 * A message in the forms of OpenAI, Anthropic, Google, LangChain and the AI SDK. The answers of tools that Anthropic puts into a
 * person's message come as a node of their own before it.
 */
export function readPlainMessage(
  message: JsonRecord,
  { id, parentId, context }: { id: string; parentId: string | null; context: ReadContext },
): SourceNode[] {
  const { problems } = context
  const role = plainRole(message)
  if (!role) problems.count('unknown role')
  const isItem = isResponseItem(message)
  const content = isItem
    ? [message]
    : Array.isArray(message.parts)
      ? message.parts
      : (message.content ?? message.text ?? message.value)
  const metadata = recordAt(message, 'metadata')
  const common = {
    parentId,
    role: role ?? 'assistant',
    createdAt: dateIn(
      problems,
      message.createdAt ?? message.created_at ?? message.timestamp ?? message.ts ?? metadata.createdAt,
    ),
    model:
      textAt(message, 'model') ??
      textAt(metadata, 'model') ??
      textAt(recordAt(message, 'response_metadata'), 'model_name') ??
      textAt(recordAt(message, 'response_metadata'), 'model'),
    speaker: role === 'user' || role === 'assistant' ? textAt(message, 'name') : null,
  }
  if (role === 'tool')
    return [{ ...common, id, parts: [], answers: answersOf(message, content, context, id) }]
  const { parts, answers } = readBlocks(content, context, id)
  // thoughts and calls are items before the words that they lead to
  if (isItem) return [{ ...common, id, parts, answers, readsOn: true }]
  const files = [
    ...filesAt(message, ['experimental_attachments', 'attachments', 'files'], context),
    ...filesAt(message, ['images'], context, 'Picture'),
  ]
  const thoughts = thoughtsOf(message)
  const hasThoughts = parts.some((part) => part.type === 'reasoning')
  const node: SourceNode = {
    ...common,
    id,
    parts: [
      ...files,
      ...reasoningPart(hasThoughts ? '' : thoughts),
      ...parts,
      ...textPart(textAt(message, 'refusal') ?? ''),
      ...callsOf(message, id, parts),
      ...['sources', 'citations', 'annotations', 'search_results'].flatMap((key) =>
        sourceParts(message[key], `${id}-${key}`),
      ),
    ],
    answers,
  }
  if (role !== 'user' || answers.length === 0) return [node]
  const answering: SourceNode = { ...node, role: 'tool', parts: [], answers }
  if (node.parts.length === 0) return [answering]
  const answeringId = `${id}-answers`
  return [
    { ...answering, id: answeringId, isExtra: true },
    { ...node, parentId: answeringId, answers: [] },
  ]
}

/** The words of a message of an API, where a table reads who said it and when. */
export function plainParts(message: JsonRecord, context: ReadContext, id: string): ReadParts {
  const { createdAt, created_at, timestamp, metadata, ...said } = message
  const role = plainRole(message) ?? 'assistant'
  const nodes = readPlainMessage({ ...said, role }, { id, parentId: null, context })
  return {
    parts: nodes.flatMap(({ parts }) => parts),
    answers: nodes.flatMap(({ answers }) => answers ?? []),
  }
}

/** Thoughts beside the content: a text, or a list of them with their headings. */
function thoughtsOf(message: JsonRecord): string {
  const keys = ['reasoning_content', 'reasoning', 'thinking', 'thoughts']
  for (const from of [message, recordAt(message, 'additional_kwargs')]) {
    for (const key of keys) {
      const texts = (Array.isArray(from[key]) ? from[key] : [from[key]]).map((thought: Json) =>
        typeof thought === 'string'
          ? thought
          : ['subject', 'summary', 'description', 'content', 'text', 'thought']
              .flatMap((name) => textAt(thought, name) ?? [])
              .join('\n\n'),
      )
      const said = texts.filter((text) => text.trim() !== '')
      if (said.length > 0) return said.join('\n\n')
    }
  }
  return ''
}

/** Calls beside the content, without the calls that stand in it too. */
function callsOf(message: JsonRecord, id: string, parts: readonly ForeignPart[]): ForeignPart[] {
  const known = new Set(parts.flatMap((part) => (part.type === 'dynamic-tool' ? [part.toolCallId] : [])))
  const calls = ['tool_calls', 'toolCalls', 'toolInvocations']
    .flatMap((key) => listAt(message, key))
    .filter(isRecord)
  const old = isRecord(message.function_call) ? [{ function: message.function_call }] : []
  return [...calls, ...old].flatMap((call: JsonRecord, index) => {
    const definition = recordAt(call, 'function')
    const callId = idOf(call.id) ?? idOf(call.toolCallId)
    if (callId !== null && known.has(callId)) return []
    const name = textAt(definition, 'name') ?? textAt(call, 'name') ?? textAt(call, 'toolName')
    const input = definition.arguments ?? call.args ?? call.arguments
    const place = `${id}-call-${index}`
    const part = callPart({ id: callId, name, input, place })
    const output = call.result ?? call.resultDisplay ?? call.output ?? call.response
    const isAnswered = call.state === 'result' || (output !== undefined && output !== null)
    if (!isAnswered || part.type !== 'dynamic-tool') return [part]
    const { type, toolName, toolCallId } = part
    const common = { type, toolName, toolCallId, input: part.input }
    if (call.status === 'error' || call.isError === true)
      return [{ ...common, state: 'output-error', errorText: cleanText(jsonOrText(output)) }]
    return [{ ...common, state: 'output-available', output: plainValue(output ?? null) }]
  })
}

const jsonOrText = (output: Json): string => (typeof output === 'string' ? output : jsonText(output))

const isAnswer = (block: Json): boolean =>
  isRecord(block) &&
  (block.type === 'tool-result' ||
    isRecord(block.functionResponse ?? block.function_response) ||
    (isResponseItem(block) && isAnswerItem(block)))

function answersOf(message: JsonRecord, content: Json, context: ReadContext, id: string): ToolAnswer[] {
  // several answers may stand in one message
  const inside = readBlocks(Array.isArray(content) ? content.filter(isAnswer) : [], context, id)
  if (inside.answers.length > 0) return inside.answers
  const callId = idOf(message.tool_call_id) ?? idOf(message.toolCallId)
  const failed = message.status === 'error' || message.is_error === true
  return [{ callId, toolName: textAt(message, 'name'), failed, ...answerOf(content, context, id) }]
}

/** Counts the definitions of tools: they are no part of a chat, and a request has each again. */
export function countTools(value: JsonRecord, { problems }: ReadContext): void {
  const tools = ['tools', 'functions'].flatMap((key) => {
    const given = maybeJson(value[key])
    return Array.isArray(given) ? given : []
  })
  const count = tools.reduce<number>((sum, tool) => {
    const declared = [...listAt(tool, 'functionDeclarations'), ...listAt(tool, 'function_declarations')]
    return sum + Math.max(1, declared.length)
  }, 0)
  if (count > 0) problems.count('tool definition', count)
}
