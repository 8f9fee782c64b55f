import { expect, it } from 'vitest'
import { tasksAfter } from '@/testing/worlds/framework'
import { linesOf, useGateway } from '@/testing/worlds/gateway-world'
import { onOneDatabase } from '@/testing/worlds/open-stores'

const tasks = tasksAfter()

onOneDatabase('an answer of several choices', ({ name }) => {
  const gateway = useGateway(name)
  const user = (content: string) => ({ role: 'user', content })
  const says = (content: string) => ({ role: 'assistant', content })
  const called = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{"at":"sea"}' } }
  const calls = { role: 'assistant', content: null, tool_calls: [called] }

  const whole = (...messages: object[]) => [
    JSON.stringify({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      model: 'gpt-4.1',
      choices: messages.map((message, index) => ({ index, message, finish_reason: 'stop' })),
    }),
  ]
  const piece = (index: number, delta: object, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({ id: 'chatcmpl-1', model: 'gpt-4.1', choices: [{ index, delta, finish_reason }] })}\n\n`

  const ask = async (messages: object[], pieces: string[], more: object = {}) => {
    gateway.given.answer = () => ({ pieces })
    const response = await gateway.post('chat/completions', { model: 'gpt-4.1', messages, ...more })
    expect([response.status, await response.text()]).toEqual([200, pieces.join('')])
    await Promise.all(tasks)
    return response.headers.get('x-ramify-message')
  }
  const lines = async () => (await linesOf(gateway.world.services, gateway.person.id)).lines.toSorted()
  const looks = 'assistant: look({"at":"sea"})'

  it('given a whole answer, then each is a reply to the same message, and a call goes on below the one it holds', async () => {
    const asked = [user('Fish?')]
    await ask(asked, whole(says('Bream.'), calls, says('Sole.')), { n: 3 })
    await ask([...asked, calls, { role: 'tool', tool_call_id: 'c1', content: 'hake' }], whole(says('Hake.')))
    await ask([...asked, says('Sole.'), user('Thanks')], whole(says('Welcome.')))
    expect(await lines()).toEqual(
      [
        'user: Fish?',
        ...['user: Fish?\nassistant: Bream.', `user: Fish?\n${looks}`, 'user: Fish?\nassistant: Sole.'],
        `user: Fish?\n${looks}\n${looks} = hake`,
        `user: Fish?\n${looks}\n${looks} = hake\nassistant: Hake.`,
        'user: Fish?\nassistant: Sole.\nuser: Thanks',
        'user: Fish?\nassistant: Sole.\nuser: Thanks\nassistant: Welcome.',
      ].toSorted(),
    )
  })

  it('given a stream in which they take turns, then each is read apart, and the first has the place that is told', async () => {
    const place = await ask(
      [user('Fish?')],
      [
        ...[piece(0, { role: 'assistant', content: 'Br' }), piece(1, { content: 'So' })],
        piece(2, { tool_calls: [{ index: 0, ...called, function: { name: 'look', arguments: '{"at":' } }] }),
        ...[piece(1, { content: 'le.' }), piece(0, { content: 'eam.' })],
        piece(2, { tool_calls: [{ index: 0, function: { arguments: '"sea"}' } }] }),
        ...[piece(1, {}, 'stop'), piece(0, {}, 'stop'), piece(2, {}, 'tool_calls'), 'data: [DONE]\n\n'],
      ],
      { n: 3, stream: true },
    )
    expect(await lines()).toEqual(
      [
        ...['user: Fish?', 'user: Fish?\nassistant: Bream.', `user: Fish?\n${looks}`],
        'user: Fish?\nassistant: Sole.',
      ].toSorted(),
    )
    const [first] = await gateway.world.services.database.query<{ preview: string; status: string | null }>(
      'select preview, status from messages where id = $1',
      [place],
    )
    expect(first).toMatchObject({ preview: 'Bream.', status: null })
  })

  it('given the same answer to the same call, and choices that are alike, then each is stored once', async () => {
    for (let times = 0; times < 2; times++)
      await ask([user('Fish?')], whole(says('Bream.'), says('Sole.'), says('Bream.')), { n: 3 })
    expect(await lines()).toEqual(
      ['user: Fish?', 'user: Fish?\nassistant: Bream.', 'user: Fish?\nassistant: Sole.'].toSorted(),
    )
  })

  it('given a first choice that says nothing, then the others are there', async () => {
    await ask([user('Fish?')], whole(says(''), says('Sole.')), { n: 2 })
    expect(await lines()).toEqual(['user: Fish?', 'user: Fish?\nassistant: Sole.'])
  })
})
