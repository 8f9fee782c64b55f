import { afterAll, beforeAll, beforeEach, expect, it, type MockInstance, vi } from 'vitest'
import { createThread, sendMessage, takeOverRuns } from '@/lib/conversations'
import { newId } from '@/lib/events'
import {
  type OpenAIServer,
  openAIErrors,
  type ScriptedReply,
  startOpenAIServer,
} from '@/testing/machines/openai-server'
import { onServedDatabase } from '@/testing/worlds/open-stores'
import { type Ask, addPerson, givenWorld, openPage, takeTurn } from '@/testing/worlds/turn-world'

const SECRET = 'a-secret-for-these-tests-and-nothing-else'
// looks like a word: only its value tells that it is a key
const KEY = 'hippopotamusofada'
const MODEL = 'openai-compatible:own'

onServedDatabase('replies with a person’s key', ({ name }) => {
  const env = {
    BETTER_AUTH_SECRET: SECRET,
    RAMIFY_PRIVATE_ADDRESSES: 'on',
    RAMIFY_LOCAL_MODELS: 'off',
    RAMIFY_DEMO_DELAY_MS: '0',
  }
  const { world, services } = givenWorld(name, env)
  /** serves requests that bring the key, and no other */
  let owned: OpenAIServer
  let answer: () => ScriptedReply
  let errors: MockInstance<typeof console.error>

  beforeAll(async () => {
    owned = await startOpenAIServer({ apiKey: KEY, models: ['own'], answer: () => answer() })
    errors = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  })
  afterAll(async () => {
    errors?.mockRestore()
    await owned?.close()
  })
  beforeEach(async () => {
    answer = () => 'Hello from your own server.'
    await save()
  })

  const save = (key = KEY) =>
    services.providerKeys.save('ada', {
      provider: 'openai-compatible',
      key,
      baseUrl: owned.url,
      models: [{ name: 'own' }],
    })

  /** Takes a turn to its end: the last message of its chat. */
  const say = async (turn: Ask) => {
    await takeTurn(services, { model: MODEL, ...turn })
    return lastOf(turn.chatId)
  }
  const errorIn = async (chatId: string) => {
    const runs = 'select error from runs where chat_id = $1'
    return (await services.database.query<{ error: object }>(runs, [chatId]))[0]?.error
  }
  const lastOf = async (chatId: string) => {
    const last = (await openPage(services, chatId)).window.messages.at(-1)
    const text = last?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
    return { text, status: last?.metadata?.status, error: last?.metadata?.error }
  }

  it('given a model of the key, then another person cannot choose it, and nothing is written', async () => {
    await addPerson(services, 'bob')
    const chatId = newId()
    const asked = say({ chatId, text: 'Hello', ownerId: 'bob' })
    await expect(asked).rejects.toMatchObject({ code: 'unknown_model' })
    expect(await services.database.query('select 1 from chats where user_id = $1', ['bob'])).toEqual([])
  })

  it('given a thread of a person with a key, when a worker takes the queued message, then it asks with the key', async () => {
    // the demo model is the server's, so the person's is the default
    const created = await createThread(services.ports, { ownerId: 'ada' })
    await say({ chatId: created.chat_id, text: 'Begin' })
    const before = owned.requests.length
    const sent = { ownerId: 'ada', threadId: created.thread_id, content: 'And again' }
    await sendMessage(services.ports, sent)
    const there = await world.process(env)
    await (await takeOverRuns(there.ports, 5)).ended
    expect(owned.requests).toHaveLength(before + 1)
    expect(await lastOf(created.chat_id)).toMatchObject({ text: 'Hello from your own server.' })
  })

  it('given a saved key, then its server answers; once it is removed, the model is not offered, and nothing else answers in its place', async () => {
    const chatId = newId()
    const own = { text: 'Hello from your own server.', status: undefined }
    expect(await say({ chatId, text: 'Hello' })).toMatchObject(own)
    await services.providerKeys.remove('ada', 'openai-compatible')
    const { models } = await services.models.of('ada')
    expect(models.list().map(({ id }) => id)).not.toContain(MODEL)
    const unsaid = say({ chatId, text: 'Are you there?', model: undefined })
    await expect(unsaid).rejects.toMatchObject({
      code: 'unknown_model',
      message: expect.stringContaining(MODEL),
    })
    await expect(say({ chatId, text: 'Hello' })).rejects.toMatchObject({ code: 'unknown_model' })
  })

  it('given a key the server refuses, then the reply fails in words, and neither it nor the log holds the key', async () => {
    const wrong = 'a-wrong-key-of-ada-1234'
    await save(wrong)
    errors.mockClear()
    const chatId = newId()
    await say({ chatId, text: 'Hello' })
    const error = await errorIn(chatId)
    const message = expect.stringContaining('did not accept the key')
    expect(error).toMatchObject({ kind: 'bad_key', message })
    expect(errors).toHaveBeenCalled()
    expect(JSON.stringify([error, errors.mock.calls])).not.toContain(wrong)
  })

  it('given a server that repeats the key in its error, then the key is hidden from reply and log', async () => {
    answer = () => ({ error: { ...openAIErrors.serverError(), status: 422, message: `What is ${KEY}?` } })
    errors.mockClear()
    const chatId = newId()
    await say({ chatId, text: 'Hello' })
    const kept = await errorIn(chatId)
    expect(JSON.stringify(kept)).toContain('[hidden]')
    expect(JSON.stringify([kept, errors.mock.calls])).not.toContain(KEY)
  })

  it('given another secret of the server since, then the reply says that the key has to be saved again', async () => {
    await services.database.query(
      `update provider_keys set sealed = 'v1.' || repeat('A', 60) where user_id = 'ada'`,
    )
    const chatId = newId()
    await say({ chatId, text: 'Hello' })
    expect(await errorIn(chatId)).toMatchObject({
      kind: 'bad_key',
      message: 'Your saved key for OpenAI-compatible server can no longer be read.',
      advice: expect.stringContaining('Save it again'),
    })
    expect((await services.models.of('ada')).defaultId).not.toBe(MODEL)
  })
})
