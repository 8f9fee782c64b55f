import { describe, expect, it } from 'vitest'
import { tasksAfter } from '@/testing/worlds/framework'
import { linesOf, useGateway } from '@/testing/worlds/gateway-world'

const tasks = tasksAfter()

// What the gateway does not understand of a call reaches its provider, and stands in the graph.

describe('what the gateway has no words for', () => {
  // keys of a laptop are its owner's: they reach what the provider keeps
  const gateway = useGateway('pglite', { env: () => ({ HOST: 'localhost' }) })

  const user = (content: string) => ({ role: 'user', content })
  const message = (text: string, id = `msg_${text}`) => ({
    type: 'message',
    id,
    status: 'completed',
    role: 'assistant',
    content: [{ type: 'output_text', text, annotations: [] }],
  })
  const search = (query: string) => ({
    type: 'web_search_call',
    id: `ws_${query}`,
    status: 'completed',
    action: { type: 'search', query },
  })
  /** Asks with an input; the provider answers with these items. */
  const ask = async (input: unknown, output: object[], more: object = {}) => {
    const id = `resp_${JSON.stringify([input, output]).length}_${Math.random()}`
    const answer = { id, object: 'response', model: 'gpt-4.1', status: 'completed', output }
    gateway.given.answer = () => ({ pieces: [JSON.stringify(answer)] })
    const body = { model: 'gpt-4.1', input, ...more }
    const response = await gateway.post('responses', body)
    expect([response.status, await response.json()]).toEqual([200, answer])
    expect(gateway.provider.requests.at(-1)?.body).toEqual(body)
    await Promise.all(tasks)
    return id
  }
  const drawn = async () => {
    const { chats, lines } = await linesOf(gateway.world.services, gateway.person.id)
    const longest = lines.filter((line) => !lines.some((other) => other.startsWith(`${line}\n`)))
    return { chats, lines: longest.toSorted() }
  }
  const isLine = async (...line: string[]) =>
    expect(await drawn()).toEqual({ chats: 1, lines: [line.join('\n')] })

  const [asked, reply] = [user('Fish?'), [search('fish'), message('Bream.')]]

  it('given searches of the provider that the client sends back, then the conversation is one line', async () => {
    await ask([asked], reply)
    const bare = reply.map(({ id: _, status: __, ...item }) => item)
    await ask([asked, ...bare, user('And now?')], [search('now'), message('Sole.')])
    await ask(
      [asked, ...reply, user('And now?'), search('now'), message('Sole.'), user('Thanks')],
      [message('Welcome.')],
    )
    await isLine(
      ...['user: Fish?', 'assistant: <web_search_call> Bream.'],
      ...['user: And now?', 'assistant: <web_search_call> Sole.', 'user: Thanks', 'assistant: Welcome.'],
    )
  })

  it('given a client that leaves them out, then the conversation is one line all the same', async () => {
    const words = message('Bream.')
    await ask([asked], reply)
    await ask([asked, words, user('And now?')], [search('now'), message('Sole.')])
    await ask([asked, words, user('And now?'), message('Sole.'), user('More')], [message('Hake.')])
    await ask(
      [asked, words, user('And now?'), message('Sole.'), user('More'), message('Hake.'), user('Thanks')],
      [message('Welcome.')],
    )
    await isLine(
      ...['user: Fish?', 'assistant: <web_search_call> Bream.', 'user: And now?'],
      ...['assistant: <web_search_call> Sole.', 'user: More', 'assistant: Hake.'],
      ...['user: Thanks', 'assistant: Welcome.'],
    )
  })

  it('given another search above the same words, then it is another branch', async () => {
    await ask([asked, ...reply, user('Thanks')], [message('Welcome.')])
    await ask([asked, search('other'), message('Bream.'), user('Thanks')], [message('Welcome.')])
    const { chats, lines } = await drawn()
    expect([chats, lines.length]).toEqual([1, 2])
  })

  it('given references to items in place of their words, then the conversation goes on where they stand', async () => {
    const call = { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{"what":"fish"}' }
    const thought = { type: 'reasoning', id: 'rs_1', summary: [] }
    await ask([asked], [thought, { ...call, id: 'fc_1', status: 'completed' }])
    const result = { type: 'function_call_output', call_id: 'c1', output: 'bream' }
    const reference = (id: string) => ({ type: 'item_reference', id })
    const second = [asked, reference('rs_1'), reference('fc_1'), result]
    await ask(second, [message('Bream.')])
    await ask(
      [asked, reference('rs_1'), call, result, reference('msg_Bream.'), user('More')],
      [message('Sole.')],
    )
    await ask([reference('msg_Sole.'), user('Thanks')], [message('Welcome.')])
    await isLine(
      ...['user: Fish?', 'assistant: look({"what":"fish"})', 'assistant: look({"what":"fish"}) = bream'],
      ...['assistant: Bream.', 'user: More', 'assistant: Sole.', 'user: Thanks', 'assistant: Welcome.'],
    )
  })

  it('given a reference that nothing here is known by, then it stands in the graph', async () => {
    await ask([{ type: 'item_reference', id: 'msg_elsewhere' }, asked], [message('Bream.')])
    await isLine('assistant: <item_reference>', 'user: Fish?', 'assistant: Bream.')
  })

  it('given a conversation that the provider keeps, then each call goes on at its end', async () => {
    const call = { type: 'function_call', id: 'fc', call_id: 'c1', name: 'look', arguments: '{}' }
    await ask([asked], [call], { conversation: 'conv_1' })
    const result = { type: 'function_call_output', call_id: 'c1', output: 'bream' }
    await ask([result], [message('Bream.')], { conversation: { id: 'conv_1' } })
    await ask('Thanks', [message('Welcome.')], { conversation: 'conv_1' })
    await isLine(
      ...['user: Fish?', 'assistant: look({})', 'assistant: look({}) = bream', 'assistant: Bream.'],
      ...['user: Thanks', 'assistant: Welcome.'],
    )
  })

  it('given the answer of a tool after an earlier response, then it keeps the name of its call', async () => {
    const call = { type: 'function_call', id: 'fc', call_id: 'c1', name: 'look', arguments: '{}' }
    const previous_response_id = await ask([asked], [call])
    const result = { type: 'function_call_output', call_id: 'c1', output: 'bream' }
    await ask([result], [message('Bream.')], { previous_response_id })
    await isLine('user: Fish?', 'assistant: look({})', 'assistant: look({}) = bream', 'assistant: Bream.')
  })

  it('given a thread of Anthropic, then each call goes on after the message that it names', async () => {
    const say = async (id: string, said: object[], thread: object, content: object[]) => {
      const usage = { input_tokens: 1, output_tokens: 1 }
      const answer = { id, type: 'message', role: 'assistant', content, stop_reason: 'end_turn', usage }
      gateway.given.answer = () => ({ pieces: [JSON.stringify(answer)] })
      const body = { model: 'claude-opus-5-5', max_tokens: 9, messages: said, thread }
      const response = await gateway.post('messages', body)
      expect([response.status, await response.json()]).toEqual([200, answer])
      await Promise.all(tasks)
    }
    const goOn = (previous_message_id: string) => ({ type: 'continue', previous_message_id })
    const use = { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }
    await say('msg_1', [asked], { type: 'create' }, [use, { type: 'text', text: 'Bream.' }])
    await say('msg_2', [user('More')], goOn('msg_1'), [{ type: 'text', text: 'Sole.' }])
    await say('msg_3', [user('Thanks')], goOn('msg_2'), [{ type: 'text', text: 'Welcome.' }])
    await isLine(
      ...['user: Fish?', 'assistant: <server_tool_use> Bream.', 'user: More', 'assistant: Sole.'],
      ...['user: Thanks', 'assistant: Welcome.'],
    )
  })

  it('given instructions amid a conversation, then they stand where they were said, call after call', async () => {
    const late = { role: 'developer', content: 'Now be brief.' }
    await ask([{ role: 'developer', content: 'You know fish.' }, asked, late], [message('Bream.')])
    await ask(
      [{ role: 'developer', content: 'Other date.' }, asked, late, message('Bream.'), user('Ok')],
      [message('Ok.')],
    )
    await isLine(
      ...['user: Fish?', 'system: Now be brief.', 'assistant: Bream.', 'user: Ok', 'assistant: Ok.'],
    )
  })

  it.each([
    ['an unknown role', [{ role: 'critic', content: 'Bad.' }], ['user: <undefined>']],
    [
      'a link that is none',
      [{ role: 'user', content: [{ type: 'input_image', image_url: 'x y' }] }],
      ['user: <input_image>'],
    ],
    ['items that are none', [asked, 7, null], ['user: Fish?', 'user: <undefined>', 'user: <undefined>']],
  ])('given %s, then the provider is asked, and it is stored', async (_, input, said) => {
    await ask(input, [message('Bream.')])
    const { chats, lines } = await drawn()
    expect([chats, lines[0]?.startsWith(said.join('\n'))]).toEqual([1, true])
  })

  it('given an item of 10 MB, and 2,000 items, then they are stored once, and the next call goes on', async () => {
    const big = { type: 'computer_call_output', call_id: 'c', output: { image: 'x'.repeat(10_000_000) } }
    const many = Array.from({ length: 2000 }, (_, n) =>
      n % 2 === 0 ? search(`fish ${n}`) : { type: 'shell_call_output', call_id: `${n}`, output: [] },
    )
    const input = [asked, search('a'), big, ...many]
    await ask(input, [message('Bream.')])
    await ask([...input, message('Bream.'), user('Thanks')], [message('Welcome.')])
    const { chats, lines } = await drawn()
    expect([chats, lines.length]).toEqual([1, 1])
    expect(lines[0]?.split('\n')).toHaveLength(1 + 1 + 1 + 2000 + 3)
  })
})
