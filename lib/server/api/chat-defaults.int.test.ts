import { expect, it } from 'vitest'
import { newId } from '@/lib/events'
import { useApi } from '@/testing/worlds/api-world'
import { onServedDatabase } from '@/testing/worlds/open-stores'
import { changeChatDefaults, readChatDefaults } from './chat-defaults'
import { createThread } from './commands'
import { changeContext, readContext } from './contexts'
import { takeTurn } from './turn'
import { fanOut } from './verbs/fan-out'
import { undo } from './verbs/undo'

const other = 'openai-compatible:other'
const env = {
  RAMIFY_DEFAULT_MODEL: 'demo:demo',
  OPENAI_COMPATIBLE_BASE_URL: 'http://127.0.0.1:9/v1',
  OPENAI_COMPATIBLE_MODELS: 'other',
}
const defaults = { instructions: 'Answer in rhymes.', model: other, tools: { calculator: 'ask' } }
const usual = ['You are a helpful assistant.', 'Answer in Markdown. Be clear and to the point.']

onServedDatabase('what new chats begin with', ({ name }) => {
  const api = useApi(name, env)

  const person = async () => {
    const { ask } = await api.person()
    return {
      ask,
      set: (body: object) => ask(changeChatDefaults, { body }),
      /** Begins a chat as the page does, with its first message. */
      async say(id = newId(), model?: string) {
        const message = { id: newId(), role: 'user', parts: [{ type: 'text', text: 'hello' }] }
        await ask(takeTurn, { body: { id, trigger: 'submit-message', message, model } })
        return id
      },
      async contextOf(id: string) {
        const { body } = await ask(readContext, { id })
        const texts = (body.fragments as { data: string }[]).map(({ data }) => data)
        return { texts, model: body.model, tools: body.tools }
      },
    }
  }
  const plain = { texts: usual, model: 'demo:demo', tools: {} }
  const own = { texts: [...usual, defaults.instructions], model: other, tools: defaults.tools }

  it('given a person who has set them, when a chat begins in any way, then it begins with them, and another person’s does not', async () => {
    const [ada, bob] = [await person(), await person()]
    expect((await ada.set(defaults)).body).toEqual(defaults)
    expect(await bob.contextOf(await bob.say())).toEqual(plain)
    expect((await bob.ask(readChatDefaults)).body).toEqual({ instructions: '', model: null, tools: {} })

    const created = (await ada.ask(createThread, { body: {} })).body
    expect(await ada.contextOf(created.chat_id)).toEqual(own)
    // the message may name another model
    expect(await ada.contextOf(await ada.say(newId(), 'demo:demo'))).toEqual({ ...own, model: 'demo:demo' })
    const begun = newId()
    const [branch, change] = [newId(), { settings: { temperature: 0.4 } }]
    await ada.ask(changeContext, {
      id: begun,
      query: `?branch=${branch}`,
      body: { begins: true, expected_context_id: null, ...change },
    })
    expect(await ada.contextOf(begun)).toEqual(own)
  })

  it('given a chat that there is, when they change, then it stays as it is, and the next one begins with the change', async () => {
    const ada = await person()
    await ada.set({ instructions: 'Answer in rhymes.' })
    const before = await ada.say()
    await ada.set({ tools: { current_time: 'always' } })
    await ada.set({ instructions: '' })
    expect(await ada.contextOf(before)).toMatchObject({ texts: own.texts, tools: {} })
    expect(await ada.contextOf(await ada.say())).toEqual({ ...plain, tools: { current_time: 'always' } })
  })

  it('given a model that is not offered, then it is refused, and one that is offered no more counts as none', async () => {
    const ada = await person()
    expect((await ada.set({ model: 'openai:nothing' })).status).toBe(400)
    await ada.set({ model: other })
    await api.query(`update chat_defaults set model = 'openai:gone' where model = $1`, other)
    expect(await ada.contextOf(await ada.say())).toEqual(plain)
  })

  it('given instructions that are too long or no text, then nothing is changed', async () => {
    const ada = await person()
    expect((await ada.set({ instructions: 'x'.repeat(20_001) })).status).toBe(400)
    expect((await ada.set({ instructions: 'a\0b' })).status).toBe(400)
    expect((await ada.ask(readChatDefaults)).body.instructions).toBe('')
  })

  it('given a chat of no one, when its context is changed, then it begins only where that is asked for', async () => {
    const [ada, bob] = [await person(), await person()]
    const [id, query] = [newId(), `?branch=${newId()}`]
    const body = { expected_context_id: null, renderer: 'toml' }
    expect((await ada.ask(changeContext, { id, query, body })).status).toBe(404)
    expect((await ada.ask(changeContext, { id, query, body: { ...body, begins: true } })).status).toBe(200)
    // the same again is the same chat, and another person's of this id is another one
    expect((await ada.ask(changeContext, { id, query, body: { ...body, begins: true } })).status).toBe(200)
    expect((await bob.ask(readContext, { id })).status).toBe(404)
    const theirs = { ...body, renderer: 'toon', begins: true }
    expect((await bob.ask(changeContext, { id, query: `?branch=${newId()}`, body: theirs })).status).toBe(200)
    expect((await bob.ask(readContext, { id })).body.renderer).toBe('toon')
    expect((await ada.ask(readContext, { id })).body.renderer).toBe('toml')
  })

  it('given changes that join each other, when they are undone, then they go back as one', async () => {
    const ada = await person()
    const id = await ada.say(newId(), 'demo:demo')
    const first = (await ada.ask(readContext, { id })).body
    const change = async (expected: string, temperature: number, joins: number | null) =>
      (
        await ada.ask(changeContext, {
          id,
          body: { expected_context_id: expected, settings: { temperature }, joins },
        })
      ).body
    const one = await change(first.context_id, 0.1, null)
    const two = await change(one.context_id, 0.2, one.move_seq)
    expect(two.move_seq).toBeGreaterThan(one.move_seq)
    expect((await ada.ask(undo, { body: { chat_id: id } })).status).toBe(200)
    expect((await ada.ask(readContext, { id })).body.context_id).toBe(first.context_id)
  })

  it('given a first message that is fanned out, then each reply is asked with them', async () => {
    const ada = await person()
    await ada.set({ instructions: 'Answer in rhymes.' })
    const { thread_id, chat_id } = (await ada.ask(createThread, { body: {} })).body
    await ada.ask(fanOut, { body: { thread_id, content: 'hello', count: 2 } })
    expect((await ada.contextOf(chat_id)).texts).toEqual(own.texts)
  })
})
