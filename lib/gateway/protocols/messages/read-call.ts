import type { AssistantContent, FilePart, TextPart, ToolResultPart, UserContent } from 'ai'
import { z } from 'zod'
import type { AgentCall } from '../../agent-call'
import { CallRefusedError } from '../protocol'
import { content, fileOf, MessageList, type ReasoningPart, readShape } from '../shared/read-call'
import { type Fields, fieldsOf, given, listOf, textOf } from '../shared/values'

const message = z.looseObject({ role: z.enum(['user', 'assistant', 'system']), content })
type Content = z.output<typeof content>

const shape = z.looseObject({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  system: content,
  stream: z.boolean().nullish(),
  tools: z.array(z.looseObject({ name: z.string().nullish() })).nullish(),
})

/** A request of Anthropic's messages. Throws `CallRefusedError`. */
export function readCall(body: unknown): AgentCall {
  const { model, messages: sent, system: told, stream, tools, ...settings } = readShape(shape, body)
  const list = new MessageList()
  const system = textsOf(told)
  for (const [at, { role, content: said }] of sent.entries()) {
    if (role === 'assistant') list.assistant(assistantParts(said))
    else if (role === 'system') system.push(...textsOf(said))
    else takeUser(said, `messages.${at}`, list)
  }
  return {
    ...{ protocol: 'messages', model, system, messages: list.messages, streamed: stream === true },
    tools: listOf(tools).flatMap(toolOf),
    settings,
  }
}

/** A message of the user: the results of tools in it, and then what the user says. */
function takeUser(said: Content, param: string, list: MessageList): void {
  if (typeof said === 'string') {
    list.user(said)
    return
  }
  const results = (said ?? []).filter(({ type }) => type === 'tool_result')
  for (const block of results)
    list.result({ id: textOf(block.tool_use_id) ?? '', output: outputOf(block, param) })
  const rest = (said ?? []).flatMap((block, at) => userPart(block, `${param}.content.${at}`))
  if (rest.length > 0 || results.length === 0) list.user(rest)
}

function userPart(block: Fields, param: string): Exclude<UserContent, string> {
  if (block.type === 'text') return textPart(block.text)
  if (block.type === 'image') return filePart(block, param, 'image')
  if (block.type === 'document') return filePart(block, param, 'application/pdf')
  return []
}

function filePart({ source, title }: Fields, param: string, mediaType: string): (FilePart | TextPart)[] {
  const { type, data, media_type, url } = fieldsOf(source)
  const where = `${param}.source`
  if (type === 'url') return [fileOf(textOf(url) ?? '', { param: where, mediaType })]
  if (type === 'text') return textPart(data)
  if (type !== 'base64') return []
  const bytes = textOf(data)
  if (bytes === undefined) throw new CallRefusedError(`${where}: the data is missing`, where)
  return [
    {
      ...{ type: 'file', data: bytes, mediaType: textOf(media_type) ?? mediaType },
      ...given({ filename: textOf(title) }),
    },
  ]
}

type Output = ToolResultPart['output']

/** A result is a text, or with pictures in it a list. */
function outputOf({ content: sent, is_error }: Fields, param: string): Output {
  const blocks = listOf(sent).map(fieldsOf)
  const texts = typeof sent === 'string' ? [sent] : blocks.flatMap(({ text }) => textOf(text) ?? [])
  if (is_error === true) return { type: 'error-text', value: texts.join('\n') }
  if (!blocks.some(({ type }) => type === 'image' || type === 'document'))
    return { type: 'text', value: texts.join('\n') }
  return { type: 'content', value: blocks.flatMap((block) => resultPart(block, param)) }
}

function resultPart(block: Fields, param: string): Extract<Output, { type: 'content' }>['value'] {
  return userPart(block, param).flatMap((part): Extract<Output, { type: 'content' }>['value'] => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }]
    if (part.type !== 'file') return []
    const { data, mediaType } = part
    if (data instanceof URL) return [{ type: 'file', mediaType, data: { type: 'url', url: data } }]
    return typeof data === 'string' ? [{ type: 'file', mediaType, data: { type: 'data', data } }] : []
  })
}

function assistantParts(said: Content): Parameters<MessageList['assistant']>[0] {
  if (typeof said === 'string') return textPart(said)
  return (said ?? []).flatMap((block): Exclude<AssistantContent, string> => {
    if (block.type === 'text') return textPart(block.text)
    if (block.type === 'thinking')
      return [thought(textOf(block.thinking) ?? '', { signature: textOf(block.signature) })]
    if (block.type === 'redacted_thinking') return [thought('', { redactedData: textOf(block.data) })]
    if (block.type !== 'tool_use') return []
    const [toolCallId, toolName] = [textOf(block.id) ?? '', textOf(block.name) ?? '']
    return [{ type: 'tool-call' as const, toolCallId, toolName, input: block.input ?? {} }]
  })
}

/** What the model thought, with what the provider wants back with it. */
function thought(text: string, kept: Record<string, string | undefined>): ReasoningPart {
  const options = given(kept) as Record<string, string>
  return {
    ...{ type: 'reasoning', text },
    ...(Object.keys(options).length > 0 && { providerOptions: { anthropic: options } }),
  }
}

const textPart = (text: unknown): TextPart[] =>
  typeof text === 'string' && text !== '' ? [{ type: 'text', text }] : []

const textsOf = (sent: Content): string[] =>
  (typeof sent === 'string' ? [sent] : (sent ?? []).flatMap(({ text }) => textOf(text) ?? [])).filter(Boolean)

function toolOf(tool: unknown): AgentCall['tools'] {
  const { name, description, input_schema } = fieldsOf(tool)
  // the provider's own tools have no schema
  if (textOf(name) === undefined || input_schema === undefined) return []
  return [given({ name: String(name), description: textOf(description), inputSchema: input_schema })]
}
