import { createOpenAI } from '@ai-sdk/openai'
import Anthropic from '@anthropic-ai/sdk'
import { generateText } from 'ai'
import OpenAI from 'openai'
import { expect, it } from 'vitest'
import { chatWhole, responsesStream, responsesWhole, took } from '@/testing/fixtures/provider-replies'
import { tasksAfter } from '@/testing/worlds/framework'
import { chainOf, useGateway } from '@/testing/worlds/gateway-world'
import { onOneDatabase } from '@/testing/worlds/open-stores'

const tasks = tasksAfter()

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

onOneDatabase('official clients through the gateway', ({ name }) => {
  // runs with tools, also through the AI SDK and LangChain: scripted-agent.int.test.ts
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

  it('given a model of another protocol, when each client streams and does not, then it reads its own protocol', async () => {
    const chat = await openai().chat.completions.create({
      model: 'demo:demo',
      messages: [{ role: 'user', content: 'what is 2+2' }],
      stream: true,
      stream_options: { include_usage: true },
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
