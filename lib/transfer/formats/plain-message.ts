import type { ForeignPart } from '../foreign-chat'
import { idOf, isRecord, type Json, type JsonRecord, listAt, recordAt, textAt } from '../json/values'
import type { ReadContext } from '../parts/files'
import { answerOf, callPart, readBlocks, reasoningPart, textPart } from '../parts/read-blocks'
import { dateIn, type SourceNode, type ToolAnswer } from '../tree/source-node'

const roles: Readonly<Record<string, SourceNode['role'] | undefined>> = {
  user: 'user',
  human: 'user',
  assistant: 'assistant',
  ai: 'assistant',
  model: 'assistant',
  bot: 'assistant',
  gpt: 'assistant',
  system: 'system',
  developer: 'system',
  tool: 'tool',
  function: 'tool',
}

/** The role of a message of an API; undefined: this is none. */
export const plainRole = (value: Json): SourceNode['role'] | undefined => {
  if (!isRecord(value)) return undefined
  const given = textAt(value, 'role') ?? textAt(value, 'type') ?? textAt(value, 'from')
  return given === null ? undefined : roles[given.toLowerCase()]
}

/**
 * A message in the forms of OpenAI, Anthropic, LangChain and the AI SDK. The answers of tools that Anthropic puts into a
 * person's message come as a node of their own before it.
 */
export function readPlainMessage(
  message: JsonRecord,
  { id, parentId, context }: { id: string; parentId: string | null; context: ReadContext },
): SourceNode[] {
  const { problems } = context
  const role = plainRole(message)
  if (!role) problems.count('unknown role')
  const content = Array.isArray(message.parts)
    ? message.parts
    : (message.content ?? message.text ?? message.value)
  const metadata = recordAt(message, 'metadata')
  const common = {
    parentId,
    role: role ?? 'assistant',
    createdAt: dateIn(
      problems,
      message.createdAt ?? message.created_at ?? message.timestamp ?? metadata.createdAt,
    ),
    model:
      textAt(message, 'model') ??
      textAt(metadata, 'model') ??
      textAt(recordAt(message, 'response_metadata'), 'model_name') ??
      textAt(recordAt(message, 'response_metadata'), 'model'),
    isHidden: role === 'system',
  }
  if (role === 'tool')
    return [{ ...common, id, parts: [], answers: answersOf(message, content, context, id) }]
  const { parts, answers } = readBlocks(content, context, id)
  const files = listAt(message, 'experimental_attachments').flatMap(
    (file) =>
      readBlocks(
        [{ ...(isRecord(file) ? file : {}), type: 'file', mediaType: textAt(file, 'contentType') }],
        context,
        id,
      ).parts,
  )
  const thoughts =
    textAt(message, 'reasoning_content') ??
    textAt(message, 'reasoning') ??
    textAt(recordAt(message, 'additional_kwargs'), 'reasoning_content')
  const hasThoughts = parts.some((part) => part.type === 'reasoning')
  const node: SourceNode = {
    ...common,
    id,
    parts: [
      ...files,
      ...reasoningPart(hasThoughts ? '' : (thoughts ?? '')),
      ...parts,
      ...textPart(textAt(message, 'refusal') ?? ''),
      ...callsOf(message, id, parts),
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

/** Calls beside the content, but for those that stand in it too. */
function callsOf(message: JsonRecord, id: string, parts: readonly ForeignPart[]): ForeignPart[] {
  const known = new Set(parts.flatMap((part) => (part.type === 'dynamic-tool' ? [part.toolCallId] : [])))
  const calls = [...listAt(message, 'tool_calls'), ...listAt(message, 'toolInvocations')].filter(isRecord)
  const old = isRecord(message.function_call) ? [{ function: message.function_call }] : []
  return [...calls, ...old].flatMap((call: JsonRecord, index) => {
    const definition = recordAt(call, 'function')
    const callId = idOf(call.id) ?? idOf(call.toolCallId)
    if (callId !== null && known.has(callId)) return []
    const name = textAt(definition, 'name') ?? textAt(call, 'name') ?? textAt(call, 'toolName')
    const input = definition.arguments ?? call.args ?? call.arguments
    const place = `${id}-call-${index}`
    const part = callPart({ id: callId, name, input, place })
    if (call.state !== 'result' || part.type !== 'dynamic-tool') return [part]
    const { type, toolName, toolCallId } = part
    return [
      {
        type,
        toolName,
        toolCallId,
        input: part.input,
        state: 'output-available',
        output: call.result ?? null,
      },
    ]
  })
}

function answersOf(message: JsonRecord, content: Json, context: ReadContext, id: string): ToolAnswer[] {
  // the AI SDK puts several answers into one message
  const inside = readBlocks(
    Array.isArray(content) ? content.filter((block) => textAt(block, 'type') === 'tool-result') : [],
    context,
    id,
  )
  if (inside.answers.length > 0) return inside.answers
  const callId = idOf(message.tool_call_id) ?? idOf(message.toolCallId)
  const failed = message.status === 'error' || message.is_error === true
  return [{ callId, toolName: textAt(message, 'name'), failed, ...answerOf(content, context) }]
}
