import { createAnthropic } from '@ai-sdk/anthropic'
import Anthropic from '@anthropic-ai/sdk'
import { ChatAnthropic } from '@langchain/anthropic'
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import { ChatOpenAI } from '@langchain/openai'
import { generateText, jsonSchema, type ModelMessage, tool } from 'ai'
import OpenAI from 'openai'

/** What was said so far, as every client can send it. */
export type Said =
  | { user: string }
  | { assistant: string }
  | { call: string; what: string }
  | { result: string; text: string }

/** Asks for the next reply: a text, or a call of the tool `look`. */
export type Ask = (said: readonly Said[]) => Promise<Said>

type Client = (url: string, key: string) => Ask

const schema = { type: 'object' as const, properties: { what: { type: 'string' } } }
const spoken = (text: string): Said => ({ assistant: text })
const called = (call: string, input: unknown): Said => ({ call, what: (input as { what: string }).what })

/** The official clients, unmodified: only base URL and key are ours. */
export const clients: Readonly<Record<string, Client>> = {
  'openai, chat completions': (url, key) => {
    const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 })
    const tools = [{ type: 'function' as const, function: { name: 'look', parameters: schema } }]
    return async (said) => {
      const messages = said.map((one): OpenAI.ChatCompletionMessageParam => {
        if ('user' in one) return { role: 'user', content: one.user }
        if ('assistant' in one) return { role: 'assistant', content: one.assistant }
        if ('result' in one) return { role: 'tool', tool_call_id: one.result, content: one.text }
        const made = { name: 'look', arguments: JSON.stringify({ what: one.what }) }
        return {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: one.call, type: 'function', function: made }],
        }
      })
      const stream = client.chat.completions.stream({ model: 'gpt-4.1', messages, tools })
      const reply = await stream.finalMessage()
      const made = reply.tool_calls?.[0]
      if (made?.type === 'function') return called(made.id, JSON.parse(made.function.arguments))
      return spoken(reply.content ?? '')
    }
  },
  'openai, responses': (url, key) => {
    const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 })
    const tools = [{ type: 'function' as const, name: 'look', parameters: schema, strict: false }]
    return async (said) => {
      const input = said.map((one): OpenAI.Responses.ResponseInputItem => {
        if ('user' in one) return { role: 'user', content: one.user }
        if ('assistant' in one) return { role: 'assistant', content: one.assistant }
        if ('result' in one) return { type: 'function_call_output', call_id: one.result, output: one.text }
        return {
          type: 'function_call',
          call_id: one.call,
          name: 'look',
          arguments: JSON.stringify({ what: one.what }),
        }
      })
      const reply = await client.responses.create({ model: 'gpt-4.1', input, tools })
      const made = reply.output.find((item) => item.type === 'function_call')
      return made ? called(made.call_id, JSON.parse(made.arguments)) : spoken(reply.output_text)
    }
  },
  '@anthropic-ai/sdk': (url, key) => {
    const client = new Anthropic({ apiKey: key, baseURL: url, maxRetries: 0 })
    const tools = [{ name: 'look', input_schema: schema }]
    return async (said) => {
      const messages = said.map((one): Anthropic.MessageParam => {
        if ('user' in one) return { role: 'user', content: one.user }
        if ('assistant' in one) return { role: 'assistant', content: one.assistant }
        if ('result' in one)
          return {
            role: 'user',
            content: [{ type: 'tool_result', tool_use_id: one.result, content: one.text }],
          }
        const made = { type: 'tool_use' as const, id: one.call, name: 'look', input: { what: one.what } }
        return { role: 'assistant', content: [made] }
      })
      const stream = client.messages.stream({ model: 'claude-opus-5-5', max_tokens: 99, messages, tools })
      const [block] = (await stream.finalMessage()).content
      if (block?.type === 'tool_use') return called(block.id, block.input)
      return spoken(block?.type === 'text' ? block.text : '')
    }
  },
  'AI SDK': (url, key) => {
    const model = createAnthropic({ apiKey: key, baseURL: `${url}/v1` })('claude-opus-5-5')
    const tools = { look: tool({ inputSchema: jsonSchema(schema) }) }
    return async (said) => {
      const messages = said.map((one): ModelMessage => {
        if ('user' in one) return { role: 'user', content: one.user }
        if ('assistant' in one) return { role: 'assistant', content: one.assistant }
        const named = { toolName: 'look' }
        if ('result' in one) {
          const output = { type: 'text' as const, value: one.text }
          return {
            role: 'tool',
            content: [{ type: 'tool-result', toolCallId: one.result, ...named, output }],
          }
        }
        const made = { type: 'tool-call' as const, toolCallId: one.call, ...named, input: { what: one.what } }
        return { role: 'assistant', content: [made] }
      })
      const { text, toolCalls } = await generateText({ model, messages, tools, maxRetries: 0 })
      const [made] = toolCalls
      return made ? called(made.toolCallId, made.input) : spoken(text)
    }
  },
  '@langchain/openai': (url, key) => {
    const configuration = { baseURL: `${url}/v1` }
    const model = new ChatOpenAI({ model: 'gpt-4.1', apiKey: key, configuration, maxRetries: 0 })
    return langChain(model.bindTools([{ type: 'function', function: { name: 'look', parameters: schema } }]))
  },
  '@langchain/anthropic': (url, key) => {
    const model = new ChatAnthropic({
      model: 'claude-opus-5-5',
      apiKey: key,
      anthropicApiUrl: url,
      maxRetries: 0,
    })
    return langChain(model.bindTools([{ name: 'look', input_schema: schema }]))
  },
}

function langChain(model: { invoke(messages: BaseMessage[]): Promise<AIMessage> }): Ask {
  return async (said) => {
    const messages = said.map((one): BaseMessage => {
      if ('user' in one) return new HumanMessage(one.user)
      if ('assistant' in one) return new AIMessage(one.assistant)
      if ('result' in one) return new ToolMessage({ content: one.text, tool_call_id: one.result })
      return new AIMessage({
        content: '',
        tool_calls: [{ id: one.call, name: 'look', args: { what: one.what } }],
      })
    })
    const reply = await model.invoke(messages)
    const made = reply.tool_calls?.[0]
    return made?.id ? called(made.id, made.args) : spoken(reply.text)
  }
}
