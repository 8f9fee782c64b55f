import { z } from 'zod'
import type { AgentCall } from '../../agent-call'
import { keptPart, keptRole } from '../../kept'
import { CallRefusedError } from '../protocol'
import {
  type AssistantPart,
  fileOf,
  idOf,
  joinedTexts,
  MessageList,
  outputOf,
  partsOf,
  type ReasoningPart,
  readShape,
  said,
  textPart,
  toolWith,
  type UserPart,
} from '../shared/read-call'
import { argumentsOf, type Fields, fieldsOf, given, listOf, textOf } from '../shared/values'

const shape = z.looseObject({ model: z.string().min(1), input: z.union([z.string(), said]).nullish() })

/** A request of OpenAI's responses. Throws `CallRefusedError`. */
export function readCall(body: unknown, list = new MessageList()): AgentCall {
  const {
    model,
    input,
    instructions,
    previous_response_id: previous,
    conversation,
    stream,
    tools,
    ...settings
  } = readShape(shape, body)
  const added: unknown[] = []
  if (textOf(instructions)) list.system.push(String(instructions))
  if (typeof input === 'string') {
    list.from({ role: 'user', content: input })
    list.user(input)
  } else for (const item of input ?? []) take(item, list, added)
  const names = given({
    previousResponseId: idOf(previous),
    conversationId: idOf(conversation) ?? idOf(fieldsOf(conversation).id),
  })
  const saysNothing = list.messages.length === 0 && Object.keys(names).length === 0
  if (saysNothing && settings.prompt === undefined) throw new CallRefusedError('input: it is empty', 'input')
  return {
    protocol: 'responses',
    model,
    system: list.system,
    messages: list.messages,
    ...names,
    streamed: stream === true,
    keepsReply: settings.store !== false,
    tools: [...listOf(tools), ...added].flatMap(toolsOf),
    settings,
  }
}

const joined = { joins: true }

/**
 * One item. Words, thoughts and calls of the model in a row are one message.
 *
 * @param added tools that the input brings before anything is said
 */
function take(item: unknown, list: MessageList, added: unknown[]) {
  const sent = fieldsOf(item)
  const { role, content } = sent
  list.from(item)
  switch (sent.type ?? 'message') {
    case 'message':
      if (role === 'system' || role === 'developer')
        return list.instruct(joinedTexts(partsOf('responses', content, readUserPart)))
      if (role === 'assistant')
        return list.assistant(partsOf<AssistantPart>('responses', content, readReplyPart), joined)
      if (role === 'user')
        return list.user(typeof content === 'string' ? content : partsOf('responses', content, readUserPart))
      return list.user([keptPart('responses', item)])
    case 'reasoning':
      return list.assistant(reasoningPart(sent), joined)
    case 'function_call':
    case 'custom_tool_call': {
      const input = sent.type === 'custom_tool_call' ? sent.input : argumentsOf(sent.arguments)
      const [toolCallId, toolName] = [textOf(sent.call_id) ?? '', textOf(sent.name) ?? '']
      return list.assistant([{ type: 'tool-call', toolCallId, toolName, input }], joined)
    }
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const output = outputOf(partsOf('responses', sent.output, readUserPart), '\n')
      return list.result({ id: textOf(sent.call_id) ?? '', output, name: textOf(sent.name) })
    }
    case 'additional_tools':
      if (list.messages.length > 0) break
      added.push(...listOf(sent.tools))
      return list.aside()
  }
  keep(sent, item, list)
}

function keep(sent: Fields, item: unknown, list: MessageList): void {
  const part = keptPart('responses', item)
  const role = keptRole(sent)
  if (role === 'tool') list.keptResult(part)
  else if (role === 'system') list.instruct([part])
  else if (role === 'user') list.user([part])
  else list.assistant([part], joined)
}

function readReplyPart({ type, text, refusal }: Fields): AssistantPart[] | undefined {
  if (type === 'refusal') return textPart(refusal)
  return textPart(text ?? refusal)
}

function readUserPart(part: Fields): UserPart[] | undefined {
  switch (part.type) {
    case 'input_text':
    case 'text':
    case 'output_text':
      return textPart(part.text)
    case 'input_image': {
      const file = fileOf(part.image_url)
      return file && [file]
    }
    case 'input_file':
      return filePart(part)
    default:
      return undefined
  }
}

/** A file that only the provider holds is not read. */
function filePart({ file_data, file_url, filename }: Fields): UserPart[] | undefined {
  const [data, link] = [textOf(file_data), textOf(file_url)]
  const mediaType = 'application/pdf'
  const url = data === undefined ? link : data.startsWith('data:') ? data : `data:${mediaType};base64,${data}`
  const file = fileOf(url, mediaType)
  return file && [{ ...file, ...given({ filename: textOf(filename) }) }]
}

/** A thought of the model, with the data that the provider wants back with it. */
function reasoningPart({ id, summary, content: thought, encrypted_content }: Fields): ReasoningPart[] {
  const text = [...listOf(summary), ...listOf(thought)]
    .map((part) => textOf(fieldsOf(part).text) ?? '')
    .join('\n')
  const encrypted = textOf(encrypted_content)
  if (text === '' && encrypted === undefined) return []
  const openai = given({ itemId: textOf(id), reasoningEncryptedContent: encrypted }) as Record<string, string>
  return [{ type: 'reasoning', text, providerOptions: { openai } }]
}

/** A tool, or the tools of a group. */
function toolsOf(tool: unknown): AgentCall['tools'] {
  const { type, name, description, parameters, tools } = fieldsOf(tool)
  if (type === 'namespace') return listOf(tools).flatMap(toolsOf)
  // the provider's own tools have no name
  return type === 'function' || type === 'custom' ? toolWith(name, description, parameters ?? {}) : []
}
