import type { TextPart, UserContent } from 'ai'
import { z } from 'zod'
import type { AgentCall } from '../../agent-call'
import { CallRefusedError } from '../protocol'
import { content, fileOf, MessageList, readShape } from '../shared/read-call'
import { type Fields, fieldsOf, given, listOf, parsed, textOf } from '../shared/values'

const call = z.looseObject({
  id: z.string().nullish(),
  type: z.string().nullish(),
  function: z.looseObject({ name: z.string(), arguments: z.unknown() }).nullish(),
  custom: z.looseObject({ name: z.string(), input: z.unknown() }).nullish(),
})

const message = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content,
  tool_calls: z.array(call).nullish(),
  function_call: z.looseObject({ name: z.string(), arguments: z.unknown() }).nullish(),
  tool_call_id: z.string().nullish(),
  name: z.string().nullish(),
  refusal: z.string().nullish(),
  reasoning_content: z.string().nullish(),
})
type Message = z.output<typeof message>

const shape = z.looseObject({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  stream: z.boolean().nullish(),
  tools: z.array(z.looseObject({ type: z.string().nullish() })).nullish(),
})

/** A request of chat completions. Throws `CallRefusedError`. */
export function readCall(body: unknown): AgentCall {
  const { model, messages: sent, stream, tools, ...settings } = readShape(shape, body)
  const list = new MessageList()
  const system: string[] = []
  for (const [at, said] of sent.entries()) take(said, `messages.${at}`, list, system)
  return {
    ...{ protocol: 'chat-completions', model, system, messages: list.messages, streamed: stream === true },
    tools: listOf(tools).flatMap(toolOf),
    settings,
  }
}

function take(said: Message, param: string, list: MessageList, system: string[]): void {
  switch (said.role) {
    case 'system':
    case 'developer':
      system.push(plainText(said.content))
      return
    case 'user':
      list.user(userContent(said.content, param))
      return
    case 'assistant':
      list.assistant(assistantParts(said))
      return
    default: {
      const output = { type: 'text' as const, value: plainText(said.content) }
      const name = said.name ?? undefined
      list.result({ id: said.tool_call_id ?? said.name ?? '', name, output })
      return
    }
  }
}

function userContent(sent: Message['content'], param: string): UserContent {
  if (typeof sent === 'string') return sent
  return (sent ?? []).flatMap((part, at): Exclude<UserContent, string> => {
    const where = `${param}.content.${at}`
    if (part.type === 'text') return textPart(part.text)
    if (part.type === 'image_url') {
      const link = textOf(fieldsOf(part.image_url).url) ?? textOf(part.image_url)
      if (link === undefined) throw new CallRefusedError(`${where}.image_url: the link is missing`, where)
      return [fileOf(link, { param: `${where}.image_url.url` })]
    }
    if (part.type === 'input_audio') {
      const { data, format } = fieldsOf(part.input_audio)
      return [{ type: 'file', data: textOf(data) ?? '', mediaType: `audio/${textOf(format) ?? 'wav'}` }]
    }
    if (part.type === 'file') return filePart(fieldsOf(part.file), where)
    return []
  })
}

function filePart({ file_data, filename }: Fields, param: string): Exclude<UserContent, string> {
  const data = textOf(file_data)
  // a file that only the provider holds
  if (data === undefined) return []
  const file = fileOf(data.startsWith('data:') ? data : `data:application/pdf;base64,${data}`, { param })
  return [{ ...file, ...given({ filename: textOf(filename) }) }]
}

function assistantParts(said: Message): Parameters<MessageList['assistant']>[0] {
  const { content: sent, refusal, reasoning_content, tool_calls, function_call } = said
  const texts =
    typeof sent === 'string'
      ? textPart(sent)
      : (sent ?? []).flatMap((part) => textPart(part.text ?? part.refusal))
  const calls = (tool_calls ?? []).map((made) => {
    const name = made.function?.name ?? made.custom?.name ?? ''
    return toolCall(made.id ?? name, name, made.function ? made.function.arguments : made.custom?.input)
  })
  return [
    ...(reasoning_content ? [{ type: 'reasoning' as const, text: reasoning_content }] : []),
    ...texts,
    ...textPart(refusal),
    ...calls,
    ...(function_call ? [toolCall(function_call.name, function_call.name, function_call.arguments)] : []),
  ]
}

/** The arguments are a text of JSON; a text that is none stays as it is. */
function toolCall(toolCallId: string, toolName: string, sent: unknown) {
  const input = typeof sent === 'string' ? (sent.trim() === '' ? {} : (parsed(sent) ?? sent)) : (sent ?? {})
  return { type: 'tool-call' as const, toolCallId, toolName, input }
}

const textPart = (text: unknown): TextPart[] =>
  typeof text === 'string' && text !== '' ? [{ type: 'text', text }] : []

const plainText = (sent: Message['content']): string =>
  typeof sent === 'string' ? sent : (sent ?? []).map(({ text }) => textOf(text) ?? '').join('')

function toolOf(tool: unknown): AgentCall['tools'] {
  const { function: described, custom } = fieldsOf(tool)
  const { name, description, parameters } = fieldsOf(described ?? custom)
  if (textOf(name) === undefined) return []
  return [given({ name: String(name), description: textOf(description), inputSchema: parameters ?? {} })]
}
