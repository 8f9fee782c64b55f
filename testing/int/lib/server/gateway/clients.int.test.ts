import { createOpenAI } from '@ai-sdk/openai'
import Anthropic from '@anthropic-ai/sdk'
import { generateText } from 'ai'
import OpenAI from 'openai'
import { expect, it } from 'vitest'
import {
  chatStream,
  chatWhole,
  messagesStream,
  messagesWhole,
  responsesStream,
  responsesWhole,
  took,
} from '@/testing/fixtures/provider-replies'
import { tasksAfter } from '@/testing/worlds/framework'
import { chainOf, useGateway } from '@/testing/worlds/gateway-world'
import { onOneDatabase } from '@/testing/worlds/open-stores'

const tasks = tasksAfter()

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const weather = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }

onOneDatabase('official clients through the gateway', ({ name }) => {
  // the AI SDK and LangChain: scripted-agent.int.test.ts
  const gateway = useGateway(name)
  const { given } = gateway

  const answers = (...replies: string[][]) => {
    given.answer = () => ({ pieces: replies.shift() ?? ['{"error":{"message":"asked too often"}}'] })
  }
  /** The chain that ends with the reply of an answer, once it is stored. */
  const stored = async (headers: Headers) => {
    await Promise.all(tasks)
    return chainOf(
      gateway.world.services,
      headers.get('x-ramify-chat') ?? '',
      headers.get('x-ramify-message') ?? '',
    )
  }
  const openai = () =>
    new OpenAI({ apiKey: gateway.person.key, baseURL: `${gateway.world.url}/v1`, maxRetries: 0 })
  const anthropic = () =>
    new Anthropic({ apiKey: gateway.person.key, baseURL: gateway.world.url, maxRetries: 0 })

  it('given the openai package, when chat completions stream with tools, then client and graph hold the same run', async () => {
    const call = { id: 'call_1', name: 'weather', input: { city: 'Lisbon' } }
    answers(
      chatStream({ thinking: 'I must look.', calls: [call] }),
      chatStream({ text: 'It rains in Lisbon.' }),
    )
    const tools = [{ type: 'function' as const, function: { name: 'weather', parameters: weather } }]
    const asked: OpenAI.ChatCompletionMessageParam[] = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Does it rain?' },
    ]
    const first = await openai()
      .chat.completions.stream({ model: 'gpt-4.1', messages: asked, tools })
      .finalMessage()
    const called = { id: 'call_1', function: { arguments: '{"city":"Lisbon"}' } }
    expect(first.tool_calls).toMatchObject([called])

    const messages = [...asked, first, { role: 'tool' as const, tool_call_id: 'call_1', content: 'rain' }]
    const { data, response } = await openai()
      .chat.completions.create({ model: 'openai:gpt-4.1', messages, tools, stream: true })
      .withResponse()
    let text = ''
    for await (const chunk of data) text += chunk.choices[0]?.delta.content ?? ''
    expect(text).toBe('It rains in Lisbon.')
    expect(await stored(response.headers)).toEqual([
      'user: Does it rain?',
      'assistant: (I must look.) weather({"city":"Lisbon"})',
      'assistant: weather({"city":"Lisbon"}) = rain',
      'assistant: It rains in Lisbon.',
    ])
    const { requests } = gateway.provider
    const sent = { body: { model: 'gpt-4.1' }, headers: { authorization: 'Bearer sk-of-the-server-openai' } }
    expect(requests).toMatchObject([sent, sent])
    expect(JSON.stringify(requests)).not.toContain(gateway.person.key)
  })

  it('given the openai package, when a picture is sent and the answer is whole, then the graph shows the picture', async () => {
    answers(chatWhole({ text: 'A red dot.' }))
    const picture = { type: 'image_url' as const, image_url: { url: `data:image/png;base64,${PNG}` } }
    const content = [{ type: 'text' as const, text: 'What is this?' }, picture]
    const { data, response } = await openai()
      .chat.completions.create({ model: 'gpt-4.1', messages: [{ role: 'user', content }] })
      .withResponse()
    expect(data.choices[0]?.message.content).toBe('A red dot.')
    expect(data.usage).toMatchObject({ prompt_tokens: took.input, completion_tokens: took.output })
    expect(await stored(response.headers)).toEqual([
      'user: What is this? [image/png]',
      'assistant: A red dot.',
    ])
  })

  it('given the openai package, when responses stream with reasoning, then the next one goes on from its id', async () => {
    answers(
      responsesStream({ id: 'resp_a', thinking: 'Let me think.', text: 'Seven.' }),
      responsesWhole({ id: 'resp_b', text: 'Eight.' }),
    )
    const stream = openai().responses.stream({ model: 'gpt-4.1', input: 'Three and four?' })
    expect((await stream.finalResponse()).output_text).toBe('Seven.')
    await Promise.all(tasks)
    const { data, response } = await openai()
      .responses.create({ model: 'gpt-4.1', input: 'And one more?', previous_response_id: 'resp_a' })
      .withResponse()
    expect(data.output_text).toBe('Eight.')
    expect(await stored(response.headers)).toEqual([
      ...['user: Three and four?', 'assistant: (Let me think.) Seven.'],
      ...['user: And one more?', 'assistant: Eight.'],
    ])
  })

  it('given the package of Anthropic, when messages stream with thinking and tools, then client and graph hold the same run', async () => {
    const call = { id: 'toolu_1', name: 'weather', input: { city: 'Porto' } }
    answers(
      messagesStream({ thinking: 'I must look.', calls: [call] }),
      messagesWhole({ text: 'It is dry in Porto.' }),
    )
    const tools = [{ name: 'weather', input_schema: { type: 'object' as const, properties: {} } }]
    const question = { role: 'user' as const, content: 'And in Porto?' }
    const asked = { model: 'claude-sonnet-5-5-20260901', max_tokens: 100, tools, system: 'Be brief.' }
    const first = await anthropic()
      .messages.stream({ ...asked, messages: [question] })
      .finalMessage()
    expect(first.content).toMatchObject([
      { thinking: 'I must look.', signature: 'c2lnbmVk' },
      { input: { city: 'Porto' } },
    ])
    expect(first.usage).toMatchObject({ input_tokens: took.input, output_tokens: took.output })

    const result = { type: 'tool_result' as const, tool_use_id: 'toolu_1', content: 'dry' }
    const messages = [
      question,
      { role: 'assistant' as const, content: first.content },
      { role: 'user' as const, content: [result] },
    ]
    const { data, response } = await anthropic()
      .messages.create({ ...asked, messages })
      .withResponse()
    expect(data.content).toMatchObject([{ type: 'text', text: 'It is dry in Porto.' }])
    expect(await stored(response.headers)).toEqual([
      'user: And in Porto?',
      'assistant: (I must look.) weather({"city":"Porto"})',
      'assistant: weather({"city":"Porto"}) = dry',
      'assistant: It is dry in Porto.',
    ])
    expect(gateway.provider.requests[1]).toMatchObject({
      body: { model: 'claude-sonnet-5-5' },
      headers: { 'x-api-key': 'sk-of-the-server-anthropic', 'anthropic-version': expect.any(String) },
    })
  })

  it('given a model of another protocol, when each client streams and does not, then it reads its own protocol', async () => {
    const chat = await openai().chat.completions.create({
      ...{ model: 'demo:demo', messages: [{ role: 'user', content: 'what is 2+2' }] },
      ...{ stream: true, stream_options: { include_usage: true } },
    })
    const chunks: OpenAI.ChatCompletionChunk[] = []
    for await (const chunk of chat) chunks.push(chunk)
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('2 + 2 = 4')
    expect(chunks.at(-1)?.usage?.completion_tokens).toBeGreaterThan(0)

    const response = await openai().responses.create({ model: 'demo:demo', input: 'what is 2+3' })
    expect(response).toMatchObject({ output_text: '2 + 3 = 5', status: 'completed' })
    const events = openai().responses.stream({ model: 'demo:demo', input: 'what is 3+3' })
    expect((await events.finalResponse()).output_text).toBe('3 + 3 = 6')

    const messages = [{ role: 'user' as const, content: 'what is 2+4' }]
    const message = { model: 'demo:demo', max_tokens: 100, messages }
    const whole = await anthropic().messages.create(message)
    expect(whole).toMatchObject({ content: [{ text: '2 + 4 = 6' }], stop_reason: 'end_turn' })
    const stream = await anthropic().messages.stream(message).finalMessage()
    expect(stream.content).toEqual(whole.content)
    expect(stream.usage.output_tokens).toBeGreaterThan(0)

    const viaOpenAI = createOpenAI({ apiKey: gateway.person.key, baseURL: `${gateway.world.url}/v1` })
    const { text, usage } = await generateText({ model: viaOpenAI('demo:demo'), prompt: 'what is 5+5' })
    expect([text, (usage.outputTokens ?? 0) > 0]).toEqual(['5 + 5 = 10', true])
    expect(gateway.provider.requests).toEqual([])
  })
})
