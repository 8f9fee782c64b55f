import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { completions, curlOf } from '@/components/inspector/curl'
import { knownProviders } from '@/lib/ai/catalogue/providers'
import type { SentPrompt } from '@/lib/protocol'

const prompt = (model: string, more: Partial<SentPrompt> = {}): SentPrompt => ({
  model,
  context_id: null,
  system: 'Be brief.',
  tools: [],
  compacted: null,
  cache: null,
  settings: {},
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Where is it?' }] }],
  tokens: { system: 1, messages: [], total: 2, window: null },
  cost: { estimate_usd: 0, actual_usd: null },
  ...more,
})

/** The arguments that a shell gives to `curl`, and the body among them. */
function asRun(command: string | null, env: Record<string, string> = {}) {
  const script = `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${command}`
  const words = execFileSync('sh', ['-c', script], { encoding: 'utf8', env: { ...process.env, ...env } })
    .split('\0')
    .slice(0, -1)
  return { words, body: JSON.parse(words.at(-1) ?? '') as unknown }
}

describe('a prompt as a command', () => {
  it('given a model of a provider, then a shell sends the prompt with the key of its environment', () => {
    const { words, body } = asRun(curlOf(prompt('openai:gpt-6-luna')), { OPENAI_API_KEY: 'sk-ada' })
    expect(words.slice(0, -1)).toEqual([
      'https://api.openai.com/v1/chat/completions',
      ...['-H', 'Content-Type: application/json', '-H', 'Authorization: Bearer sk-ada', '-d'],
    ])
    expect(body).toEqual({
      model: 'gpt-6-luna',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Where is it?' },
      ],
    })
  })

  it('given settings and tools of the context, then the command has them, in the words of the address', () => {
    const [settings, type] = [{ temperature: 0.2, max_output_tokens: 50 }, 'object']
    const tools = [{ name: 'calculator', description: 'Adds', input_schema: { type } }]
    const { body } = asRun(curlOf(prompt('openai:gpt-6-luna', { settings, tools })))
    const adds = { name: 'calculator', description: 'Adds', parameters: { type } }
    expect(body).toMatchObject({
      temperature: 0.2,
      max_tokens: 50,
      tools: [{ type: 'function', function: adds }],
    })
  })

  it('given words that mean something to a shell, then they reach the model as they are', () => {
    const text = `it's $HOME, \`date\`, "quoted" \\ and\na second line`
    const messages = [{ role: 'user', content: [{ type: 'text', text }] }]
    const { body } = asRun(curlOf(prompt('ollama:llama3.2', { system: null, messages })))
    expect(body).toEqual({ model: 'llama3.2', messages: [{ role: 'user', content: text }] })
  })

  it('given a tool that was called, then its call and its result are messages of OpenAI’s format', () => {
    const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'search', input: { words: 'station' } }
    const output = { type: 'json', value: { found: 2 } }
    const messages = [
      { role: 'assistant', content: [{ type: 'text', text: 'I look.' }, call] },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'search', output }] },
    ]
    const { body } = asRun(curlOf(prompt('groq:openai/gpt-oss-20b', { system: null, messages })))
    const called = { name: 'search', arguments: '{"words":"station"}' }
    const tool_calls = [{ id: 'c1', type: 'function', function: called }]
    expect(body).toEqual({
      model: 'openai/gpt-oss-20b',
      messages: [
        { role: 'assistant', content: 'I look.', tool_calls },
        { role: 'tool', tool_call_id: 'c1', content: '{"found":2}' },
      ],
    })
  })

  it('given the built-in model, then there is no command', () => {
    expect(curlOf(prompt('demo:demo'))).toBeNull()
  })

  it('given the providers that a key switches on, then each has an address and its variable', () => {
    for (const { name, variable, baseUrl } of knownProviders) {
      expect(completions[name]?.key).toBe(variable)
      expect(completions[name]?.base.startsWith(baseUrl)).toBe(true)
    }
  })

  it('given files, then the model gets their bytes in OpenAI’s form', () => {
    const file = (mediaType: string, filename: string) => ({
      type: 'file',
      mediaType,
      filename,
      data: { type: 'url', url: `data:${mediaType};base64,AAAA` },
    })
    const messages = [
      { role: 'user', content: [file('image/png', 'map.png'), file('application/pdf', 'paper.pdf')] },
    ]
    const { body } = asRun(curlOf(prompt('ollama:llava', { system: null, messages })))
    const content = [
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      { type: 'file', file: { filename: 'paper.pdf', file_data: 'data:application/pdf;base64,AAAA' } },
    ]
    expect(body).toMatchObject({ messages: [{ content }] })
  })
})
