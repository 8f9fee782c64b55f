import { z } from 'zod'
import type { AgentCall } from '../../agent-call'
import { keptPart } from '../../kept'
import {
  type AssistantPart,
  fileOf,
  idOf,
  MessageList,
  outputOf,
  partsOf,
  type ReadBlock,
  type ReasoningPart,
  readShape,
  said,
  textPart,
  toolWith,
  type UserPart,
} from '../shared/read-call'
import { type Fields, fieldsOf, given, listOf, textOf } from '../shared/values'

const shape = z.looseObject({ model: z.string().min(1), messages: said })

/** A request of Anthropic's messages. Throws `CallRefusedError`. */
export function readCall(body: unknown, list = new MessageList()): AgentCall {
  const { model, messages: sent, system: told, stream, tools, ...settings } = readShape(shape, body)
  const thread = fieldsOf(settings.thread)
  list.instruct(partsOf('messages', told, readText))
  for (const message of sent) take(message, list)
  return {
    protocol: 'messages',
    model,
    system: list.system,
    messages: list.messages,
    ...given({ previousResponseId: idOf(thread.previous_message_id) }),
    streamed: stream === true,
    keepsReply: thread.type !== undefined,
    tools: listOf(tools).flatMap(toolOf),
    settings,
  }
}

function take(message: unknown, list: MessageList) {
  const { role, content } = fieldsOf(message)
  list.from(message)
  if (role === 'assistant') list.assistant(partsOf<AssistantPart>('messages', content, readReplyPart))
  else if (role === 'system') list.instruct(partsOf('messages', content, readText))
  else if (role === 'user') takeUser(fieldsOf(message), list)
  else list.user([keptPart('messages', message)])
}

/** A message of the user: the results of tools in it, and then what the user says. */
function takeUser(message: Fields, list: MessageList) {
  const { content } = message
  if (typeof content === 'string') return list.user(content)
  const isResult = (block: unknown) => fieldsOf(block).type === 'tool_result'
  const results = listOf(content).filter(isResult).map(fieldsOf)
  const rest = Array.isArray(content) ? content.filter((block) => !isResult(block)) : content
  const isBoth = results.length > 0 && listOf(rest).length > 0
  if (isBoth) list.from({ ...message, content: results })
  for (const block of results)
    list.result({ id: textOf(block.tool_use_id) ?? '', output: resultOutput(block) })
  if (isBoth) list.from({ ...message, content: rest })
  const parts = partsOf('messages', rest, readUserPart)
  if (parts.length > 0 || results.length === 0) list.user(parts)
}

const readText: ReadBlock<UserPart> = ({ type, text }) => (type === 'text' ? textPart(text) : undefined)

function readUserPart(block: Fields): UserPart[] | undefined {
  if (block.type === 'text') return textPart(block.text)
  if (block.type === 'image') return filePart(block, 'image')
  if (block.type === 'document') return filePart(block, 'application/pdf')
  return undefined
}

/** A file that is sent or linked; a file that the provider holds, or that is made of blocks, is not read. */
function filePart({ source, title }: Fields, mediaType: string): UserPart[] | undefined {
  const { type, data, media_type, url } = fieldsOf(source)
  if (type === 'url') {
    const file = fileOf(url, mediaType)
    return file && [file]
  }
  if (type === 'text') return textPart(data)
  if (type !== 'base64' || typeof data !== 'string') return undefined
  return [
    {
      type: 'file',
      data,
      mediaType: textOf(media_type) ?? mediaType,
      ...given({ filename: textOf(title) }),
    },
  ]
}

function resultOutput({ content, is_error }: Fields): ReturnType<typeof outputOf> {
  const parts = partsOf('messages', content, readUserPart)
  const output = outputOf(parts, '\n')
  return is_error === true && output.type === 'text' ? { type: 'error-text', value: output.value } : output
}

function readReplyPart(block: Fields): AssistantPart[] | undefined {
  switch (block.type) {
    case 'text':
      return textPart(block.text)
    case 'thinking':
      return [thought(textOf(block.thinking) ?? '', { signature: textOf(block.signature) })]
    case 'redacted_thinking':
      return [thought('', { redactedData: textOf(block.data) })]
    case 'tool_use': {
      const [toolCallId, toolName] = [textOf(block.id) ?? '', textOf(block.name) ?? '']
      return [{ type: 'tool-call', toolCallId, toolName, input: block.input ?? {} }]
    }
    default:
      return undefined
  }
}

/** A thought of the model, with the data that the provider wants back with it. */
function thought(text: string, kept: Record<string, string | undefined>): ReasoningPart {
  const options = given(kept) as Record<string, string>
  return {
    type: 'reasoning',
    text,
    ...(Object.keys(options).length > 0 && { providerOptions: { anthropic: options } }),
  }
}

function toolOf(tool: unknown): AgentCall['tools'] {
  const { name, description, input_schema } = fieldsOf(tool)
  // the provider's own tools have no schema
  return input_schema === undefined ? [] : toolWith(name, description, input_schema)
}
