import { z } from 'zod'
import type { AgentCall } from '../../agent-call'
import { type KeptPart, keptPart } from '../../kept'
import {
  type AssistantPart,
  fileOf,
  joinedTexts,
  MessageList,
  outputOf,
  partsOf,
  type ReadBlock,
  readShape,
  said,
  textPart,
  toolWith,
  type UserPart,
} from '../shared/read-call'
import { argumentsOf, type Fields, fieldsOf, given, listOf, textOf } from '../shared/values'

const shape = z.looseObject({ model: z.string().min(1), messages: said.min(1) })

/** A request of chat completions. Throws `CallRefusedError`. */
export function readCall(body: unknown, list = new MessageList()): AgentCall {
  const { model, messages: sent, stream, tools, ...settings } = readShape(shape, body)
  for (const message of sent) take(message, list)
  return {
    protocol: 'chat-completions',
    model,
    system: list.system,
    messages: list.messages,
    streamed: stream === true,
    keepsReply: false,
    tools: listOf(tools).flatMap(toolOf),
    settings,
  }
}

const kept = (item: unknown): KeptPart => keptPart('chat-completions', item)

function take(message: unknown, list: MessageList) {
  const sent = fieldsOf(message)
  list.from(message)
  switch (sent.role) {
    case 'system':
    case 'developer':
      return list.instruct(joinedTexts(partsOf('chat-completions', sent.content, readText)))
    case 'user':
      return list.user(
        typeof sent.content === 'string'
          ? sent.content
          : partsOf('chat-completions', sent.content, readUserPart),
      )
    case 'assistant':
      return list.assistant(assistantParts(sent))
    case 'tool':
    case 'function': {
      const output = outputOf(partsOf('chat-completions', sent.content, readUserPart), '')
      const name = textOf(sent.name)
      return list.result({ id: textOf(sent.tool_call_id) ?? name ?? '', name, output })
    }
    default:
      return list.user([kept(message)])
  }
}

const readText: ReadBlock<UserPart> = ({ type, text }) => (type === 'text' ? textPart(text) : undefined)

function readUserPart(part: Fields): UserPart[] | undefined {
  switch (part.type) {
    case 'text':
      return textPart(part.text)
    case 'image_url': {
      const file = fileOf(textOf(fieldsOf(part.image_url).url) ?? part.image_url, 'image')
      return file && [file]
    }
    case 'input_audio': {
      const { data, format } = fieldsOf(part.input_audio)
      if (typeof data !== 'string') return undefined
      return [{ type: 'file', data, mediaType: `audio/${textOf(format) ?? 'wav'}` }]
    }
    case 'file':
      return filePart(fieldsOf(part.file))
    default:
      return undefined
  }
}

/** A file that only the provider holds is not read. */
function filePart({ file_data, filename }: Fields): UserPart[] | undefined {
  const data = textOf(file_data)
  if (data === undefined) return undefined
  const file = fileOf(data.startsWith('data:') ? data : `data:application/pdf;base64,${data}`)
  return file && [{ ...file, ...given({ filename: textOf(filename) }) }]
}

function assistantParts({
  content,
  refusal,
  reasoning_content,
  tool_calls,
  function_call,
  audio,
}: Fields): AssistantPart[] {
  const thought = textOf(reasoning_content)
  return [
    ...(thought ? [{ type: 'reasoning' as const, text: thought }] : []),
    ...partsOf<AssistantPart>('chat-completions', content, (part) => textPart(part.text ?? part.refusal)),
    ...(textPart(refusal) ?? []),
    ...(audio === undefined || audio === null ? [] : [kept(audioItem(audio))]),
    ...listOf(tool_calls).map(callPart),
    ...(textOf(fieldsOf(function_call).name) === undefined ? [] : [callPart({ function: function_call })]),
  ]
}

/** A reply that was spoken; it is named by its id when it is sent back. */
export const audioItem = (audio: unknown) => ({ type: 'audio', audio: { id: fieldsOf(audio).id } })

function callPart(call: unknown): AssistantPart {
  const { id, function: called, custom } = fieldsOf(call)
  const { name, arguments: sent, input } = fieldsOf(called ?? custom)
  const toolName = textOf(name)
  if (toolName === undefined) return kept(call)
  return {
    type: 'tool-call',
    toolCallId: textOf(id) ?? toolName,
    toolName,
    input: argumentsOf(called === undefined || called === null ? input : sent),
  }
}

function toolOf(tool: unknown): AgentCall['tools'] {
  const { function: described, custom } = fieldsOf(tool)
  const { name, description, parameters } = fieldsOf(described ?? custom)
  return toolWith(name, description, parameters ?? {})
}
