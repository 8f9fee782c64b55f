import type { FilePart, TextPart, ToolResultPart, UserContent } from 'ai'
import { z } from 'zod'
import type { AgentCall } from '../../agent-call'
import { CallRefusedError } from '../protocol'
import { content, fileOf, MessageList, parts, type ReasoningPart, readShape } from '../shared/read-call'
import { type Fields, fieldsOf, given, listOf, parsed, textOf } from '../shared/values'

const item = z.looseObject({
  type: z.string().nullish(),
  role: z.string().nullish(),
  content,
  call_id: z.string().nullish(),
  name: z.string().nullish(),
  output: z.union([z.string(), parts]).nullish(),
})
type Item = z.output<typeof item>

const shape = z.looseObject({
  model: z.string().min(1),
  input: z.union([z.string(), z.array(item)]).nullish(),
  instructions: z.string().nullish(),
  previous_response_id: z.string().nullish(),
  stream: z.boolean().nullish(),
  tools: z.array(z.looseObject({ type: z.string().nullish() })).nullish(),
})

/** A request of OpenAI's responses. Throws `CallRefusedError`. */
export function readCall(body: unknown): AgentCall {
  const {
    model,
    input,
    instructions,
    previous_response_id: previous,
    stream,
    tools,
    ...settings
  } = readShape(shape, body)
  const list = new MessageList()
  const system = instructions ? [instructions] : []
  if (typeof input === 'string') list.user(input)
  else for (const [at, sent] of (input ?? []).entries()) take(sent, `input.${at}`, list, system)
  if (list.messages.length === 0 && !previous) throw new CallRefusedError('input: it is empty', 'input')
  return {
    ...{ protocol: 'responses', model, system, messages: list.messages, streamed: stream === true },
    ...given({ previousResponseId: previous ?? undefined }),
    tools: listOf(tools).flatMap(toolOf),
    settings,
  }
}

/** One item. What the model says, thinks and calls in a row is one message. */
function take(sent: Item, param: string, list: MessageList, system: string[]): void {
  const joined = { joins: true }
  switch (sent.type ?? 'message') {
    case 'message': {
      if (sent.role === 'system' || sent.role === 'developer') system.push(textsOf(sent.content).join(''))
      else if (sent.role === 'assistant') list.assistant(textsOf(sent.content).flatMap(textPart), joined)
      else if (sent.role === 'user') list.user(userContent(sent.content, param))
      else throw new CallRefusedError(`${param}.role: this role is not known`, `${param}.role`)
      return
    }
    case 'reasoning':
      list.assistant(reasoningPart(sent), joined)
      return
    case 'function_call':
    case 'custom_tool_call': {
      const input = sent.type === 'custom_tool_call' ? sent.input : argumentsOf(sent.arguments)
      const [toolCallId, toolName] = [sent.call_id ?? '', sent.name ?? '']
      list.assistant([{ type: 'tool-call', toolCallId, toolName, input }], joined)
      return
    }
    case 'function_call_output':
    case 'custom_tool_call_output':
      list.result({ id: sent.call_id ?? '', output: outputOf(sent.output, param) })
      return
  }
}

const argumentsOf = (sent: unknown): unknown =>
  typeof sent === 'string' ? (sent.trim() === '' ? {} : (parsed(sent) ?? sent)) : (sent ?? {})

const textsOf = (sent: Item['content']): string[] =>
  typeof sent === 'string'
    ? [sent]
    : (sent ?? []).flatMap(({ text, refusal }) => textOf(text ?? refusal) ?? [])

function userContent(sent: Item['content'], param: string): UserContent {
  if (typeof sent === 'string') return sent
  return (sent ?? []).flatMap((part, at) => userPart(part, `${param}.content.${at}`))
}

function userPart(part: Fields, param: string): (TextPart | FilePart)[] {
  if (part.type === 'input_text' || part.type === 'text' || part.type === 'output_text')
    return textPart(part.text)
  if (part.type === 'input_image') {
    const link = textOf(part.image_url)
    // a picture that only the provider holds
    return link === undefined ? [] : [fileOf(link, { param: `${param}.image_url` })]
  }
  if (part.type !== 'input_file') return []
  const [data, link] = [textOf(part.file_data), textOf(part.file_url)]
  const mediaType = 'application/pdf'
  const url = data === undefined ? link : data.startsWith('data:') ? data : `data:${mediaType};base64,${data}`
  if (url === undefined) return []
  return [{ ...fileOf(url, { param, mediaType }), ...given({ filename: textOf(part.filename) }) }]
}

type Output = ToolResultPart['output']

function outputOf(sent: Item['output'], param: string): Output {
  if (typeof sent === 'string') return { type: 'text', value: sent }
  const read = (sent ?? []).flatMap((part, at) => userPart(part, `${param}.output.${at}`))
  if (read.every((part) => part.type === 'text'))
    return { type: 'text', value: read.map((part) => part.text).join('\n') }
  return {
    type: 'content',
    value: read.flatMap((part): Extract<Output, { type: 'content' }>['value'] => {
      if (part.type === 'text') return [{ type: 'text', text: part.text }]
      const { data, mediaType } = part
      if (data instanceof URL) return [{ type: 'file', mediaType, data: { type: 'url', url: data } }]
      return typeof data === 'string' ? [{ type: 'file', mediaType, data: { type: 'data', data } }] : []
    }),
  }
}

/** What the model thought, with what the provider wants back with it. */
function reasoningPart({ id, summary, content: thought, encrypted_content }: Item): ReasoningPart[] {
  const text = [...listOf(summary), ...listOf(thought)]
    .map((part) => textOf(fieldsOf(part).text) ?? '')
    .join('\n')
  const encrypted = textOf(encrypted_content)
  if (text === '' && encrypted === undefined) return []
  const openai = given({ itemId: textOf(id), reasoningEncryptedContent: encrypted }) as Record<string, string>
  return [{ type: 'reasoning', text, providerOptions: { openai } }]
}

const textPart = (text: unknown): TextPart[] =>
  typeof text === 'string' && text !== '' ? [{ type: 'text', text }] : []

function toolOf(tool: unknown): AgentCall['tools'] {
  const { type, name, description, parameters } = fieldsOf(tool)
  // the provider's own tools have no name
  if (textOf(name) === undefined || (type !== 'function' && type !== 'custom')) return []
  return [given({ name: String(name), description: textOf(description), inputSchema: parameters ?? {} })]
}
