import { expect, it } from 'vitest'
import { newId } from '@/lib/events'
import type { SentPrompt } from '@/lib/protocol'
import { useApi } from '@/testing/worlds/api-world'
import { onOneDatabase } from '@/testing/worlds/open-stores'
import { storedChat } from '@/testing/worlds/stored-chat'
import { readContext } from './contexts'
import { readPrompt } from './prompts'
import { leaveOut, rewindThread } from './verbs/moves'
import { undo } from './verbs/undo'

onOneDatabase('messages that the prompt is without', ({ name }) => {
  const api = useApi(name)

  /** A person with a chat: two turns on main. */
  const personWithChat = async () => {
    const { id: owner, ask } = await api.person()
    const { chatId: chat, main, say } = await storedChat(api.services.store, owner)
    const [q1 = '', a1 = ''] = await say(main, null, ['Is Porto far?', 'Three hours by train'])
    const [, a2 = ''] = await say(main, a1, ['And Faro?', 'Further'])
    const leave = (ids: string[], left_out = true, key?: string) =>
      ask(leaveOut, {
        body: { thread_id: main, message_ids: ids, left_out },
        ...(key && { headers: { 'idempotency-key': key } }),
      })
    /** The words of the next prompt on a branch. */
    const prompt = async (branch = main): Promise<string> => {
      const { body } = await ask(readPrompt, { id: chat, query: `?branch=${branch}` })
      return JSON.stringify((body as SentPrompt).messages)
    }
    const context = async (branch = main) =>
      (await ask(readContext, { id: chat, query: `?branch=${branch}` })).body
    return { ask, chat, main, q1, a1, a2, say, leave, prompt, context }
  }

  it('given two turns, when a reply is left out, then the next prompt is without it, and put back it is there again', async () => {
    const { a1, leave, prompt, context, ask, chat } = await personWithChat()
    const done = await leave([a1])
    expect(done).toMatchObject({ status: 200, body: { context_id: expect.any(String) } })
    expect(await context()).toMatchObject({ context_id: done.body.context_id, left_out: [a1] })
    expect(await prompt()).not.toContain('Three hours')
    expect(await prompt()).toContain('And Faro?')

    await leave([a1], false)
    expect(await prompt()).toContain('Three hours')
    // Undo leaves it out again
    expect((await ask(undo, { body: { chat_id: chat } })).body).toMatchObject({
      move: 'put-back',
      says: expect.stringContaining('back into the prompt'),
    })
    expect(await prompt()).not.toContain('Three hours')
  })

  it('given a message that is left out, when threads open before and after, then each has what was in force there', async () => {
    const { ask, main, q1, a1, a2, say, leave, prompt } = await personWithChat()
    await leave([q1])
    const [, before = ''] = await say(main, a2, ['And Braga?', 'Near'])
    await leave([a1])
    const [, after = ''] = await say(main, before, ['And Sintra?', 'Nearer'])
    const open = async (message_id: string) =>
      (await ask(rewindThread, { body: { thread_id: main, message_id } })).body.thread_id
    expect(await prompt(await open(before))).toMatch(/Three hours.*And Faro/)
    expect(await prompt(await open(after))).not.toContain('Three hours')
  })

  it('given a key, when the command is sent again, then it has one answer; what is left out already changes nothing', async () => {
    const { a1, leave } = await personWithChat()
    const first = await leave([a1], true, 'once')
    expect(await leave([a1], true, 'once')).toMatchObject({ status: 200, body: first.body })
    expect((await leave([a1], false, 'once')).body).toMatchObject({ code: 'idempotency_mismatch' })
    const again = await leave([a1])
    expect(again.body).toMatchObject({
      context_id: first.body.context_id,
      event_number: first.body.event_number,
    })
  })

  it('given messages of elsewhere, when they are named, then they are not found, and nothing changes', async () => {
    const [ada, bob] = [await personWithChat(), await personWithChat()]
    const before = await ada.context()
    for (const ids of [[bob.a1], [newId()], [ada.a1, newId()]])
      expect((await ada.leave(ids)).status).toBe(404)
    const foreign = await bob.ask(leaveOut, {
      body: { thread_id: ada.main, message_ids: [ada.a1], left_out: true },
    })
    const missing = await bob.ask(leaveOut, {
      body: { thread_id: newId(), message_ids: [ada.a1], left_out: true },
    })
    expect(foreign).toMatchObject({ status: 404, text: missing.text })
    expect((await ada.leave([])).status).toBe(400)
    expect(await ada.context()).toEqual(before)
  })
})
