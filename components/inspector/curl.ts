import type { SentPrompt } from '@/lib/protocol'
import { dataUrlOf } from './prompt-words'

/**
 * Base URL of a provider for requests in OpenAI's format, and the variable that holds its key; models of a person's
 * machine need none.
 */
export const completions: Readonly<Record<string, { base: string; key?: string }>> = {
  openai: { base: 'https://api.openai.com/v1', key: 'OPENAI_API_KEY' },
  anthropic: { base: 'https://api.anthropic.com/v1', key: 'ANTHROPIC_API_KEY' },
  google: {
    base: 'https://generativelanguage.googleapis.com/v1beta/openai',
    key: 'GOOGLE_GENERATIVE_AI_API_KEY',
  },
  groq: { base: 'https://api.groq.com/openai/v1', key: 'GROQ_API_KEY' },
  openrouter: { base: 'https://openrouter.ai/api/v1', key: 'OPENROUTER_API_KEY' },
  gateway: { base: 'https://ai-gateway.vercel.sh/v1', key: 'AI_GATEWAY_API_KEY' },
  'openai-compatible': { base: '$OPENAI_COMPATIBLE_BASE_URL', key: 'OPENAI_COMPATIBLE_API_KEY' },
  ollama: { base: 'http://localhost:11434/v1' },
  lmstudio: { base: 'http://localhost:1234/v1' },
}

/** The address and key of a model's provider; undefined without an address. */
export const addressOf = (model: string) => completions[model.slice(0, model.indexOf(':'))]

/**
 * A command that sends a prompt again from a shell, as a request for a chat completion; null for a model that no address
 * answers for. The key stays in the shell's environment.
 */
export function curlOf({ model, system, messages, settings, tools }: SentPrompt): string | null {
  const provider = addressOf(model)
  if (!provider) return null
  const body = {
    model: model.slice(model.indexOf(':') + 1),
    messages: [
      ...(system === null ? [] : [{ role: 'system', content: system }]),
      ...messages.flatMap(asCompletion),
    ],
    ...(tools.length > 0 && { tools: tools.map(asFunction) }),
    ...asParameters(settings),
  }
  return [
    `curl "${provider.base}/chat/completions"`,
    "-H 'Content-Type: application/json'",
    ...(provider.key ? [`-H "Authorization: Bearer $${provider.key}"`] : []),
    `-d ${quoted(JSON.stringify(body, null, 2))}`,
  ].join(' \\\n  ')
}

const asFunction = ({ name, description, input_schema: parameters }: SentPrompt['tools'][number]) => ({
  type: 'function',
  function: { name, description, parameters },
})

/** Settings in OpenAI's words, which differ in one. */
const asParameters = ({ max_output_tokens: max_tokens, ...settings }: SentPrompt['settings']) =>
  max_tokens === undefined ? settings : { ...settings, max_tokens }

/** A word of a POSIX shell that stands for this very text. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

type Sent = SentPrompt['messages'][number]
type Part = Record<string, unknown> & { type: string }

/** A message of the AI SDK in OpenAI's format: tool results are messages of their own. */
function asCompletion(message: Sent): object[] {
  const { role, content } = message
  if (!Array.isArray(content)) return [{ role, content }]
  const parts = content as Part[]
  if (role === 'tool') {
    return parts.map(({ toolCallId, output }) => ({
      role,
      tool_call_id: toolCallId,
      content: outputText(output),
    }))
  }
  const calls = parts.filter(({ type }) => type === 'tool-call')
  const said = parts.filter(({ type }) => type !== 'tool-call' && type !== 'reasoning')
  const isText = said.every(({ type }) => type === 'text')
  return [
    {
      role,
      content: isText ? said.map(({ text }) => text).join('') : said.map(asContent),
      ...(calls.length > 0 && {
        tool_calls: calls.map(({ toolCallId, toolName, input }) => ({
          id: toolCallId,
          type: 'function',
          function: { name: toolName, arguments: JSON.stringify(input) },
        })),
      }),
    },
  ]
}

function asContent(part: Part): object {
  if (part.type === 'text') return { type: 'text', text: part.text }
  const { mediaType, filename } = part
  const url = dataUrlOf(part)
  if (String(mediaType).startsWith('image/')) return { type: 'image_url', image_url: { url } }
  return { type: 'file', file: { filename, file_data: url } }
}

function outputText(output: unknown): string {
  const value = typeof output === 'object' && output !== null && 'value' in output ? output.value : output
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
