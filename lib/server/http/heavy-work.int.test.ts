import { expect, it } from 'vitest'
import { readGraph, readHistory } from '@/lib/server/api/chats'
import { exportChat } from '@/lib/server/api/exports'
import { readPrompt } from '@/lib/server/api/prompts'
import { copyShare, createShare } from '@/lib/server/api/shares'
import { previewReplay } from '@/lib/server/api/verbs/replays'
import { type Person, useApi } from '@/testing/worlds/api-world'
import { onOneDatabase } from '@/testing/worlds/open-stores'
import { storedChat } from '@/testing/worlds/stored-chat'
import { workLines } from './heavy-work'

onOneDatabase('the line of heavy requests', ({ name }) => {
  const api = useApi(name)

  /** A chat of so many messages. */
  async function chatOf({ id }: Person, messages: number) {
    const chat = await storedChat(api.services.store, id)
    const words = Array.from({ length: messages }, (_, at) => `word ${at}`)
    await chat.say(chat.main, null, words)
    return chat
  }

  /** Tells whether something is still waited for once everything else has been done. */
  async function waits(asked: Promise<unknown>): Promise<boolean> {
    let isOver = false
    asked.then(() => {
      isOver = true
    })
    for (let turn = 0; turn < 10; turn++) await api.services.database.ping()
    return !isOver
  }

  it('given a heavy request at work, when its person asks for more of a long chat, then each waits, and one of a short chat does not', async () => {
    const ada = await api.person()
    const [long, short] = [await chatOf(ada, 450), await chatOf(ada, 2)]
    const { token } = (
      await ada.ask(createShare, {
        body: { chat_id: long.chatId, branch: long.main, graph: true, follow: false },
      })
    ).body
    const leave = await workLines().heavy.enter(ada.id)
    const query = `?branch=${long.main}`
    const asked = [
      ada.ask(readGraph, { id: long.chatId }),
      ada.ask(readHistory, { id: long.chatId }),
      ada.ask(readPrompt, { id: long.chatId }),
      ada.ask(exportChat, { id: long.chatId, query: '?format=markdown' }),
      ada.ask(copyShare, { id: token }),
    ]
    for (const one of asked) expect(await waits(one)).toBe(true)
    for (const operation of [readGraph, readHistory, readPrompt, exportChat])
      expect((await ada.ask(operation, { id: short.chatId })).status, operation.id).toBe(200)
    expect((await ada.ask(readGraph, { id: long.chatId, query: '?since=1' })).status).toBe(200)
    const refused = await ada.ask(previewReplay, { id: long.chatId, query })
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_heavy_requests' } })
    leave()
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 201])
  })

  it('given exports that are not read, when their person asks for another, then it waits until one is read or left', async () => {
    const ada = await api.person()
    const { chatId } = await chatOf(ada, 2)
    const leaves = [await workLines().exports.enter(ada.id), await workLines().exports.enter(ada.id)]
    const third = ada.ask(exportChat, { id: chatId })
    expect(await waits(third)).toBe(true)
    leaves[0]?.()
    expect((await third).status).toBe(200)
    // what was read has left its place
    expect((await ada.ask(exportChat, { id: chatId })).status).toBe(200)
    leaves[1]?.()
  })

  it('given a branch of a long chat, or an id that is another person’s, when it is asked for, then only the owner’s is long', async () => {
    const [ada, bob] = [await api.person(), await api.person()]
    const { chatId, main } = await chatOf(ada, 450)
    const { reads } = api.services.ports
    const isLong = (id: string, { id: owner }: Person) => reads.isLong(id, owner, 600)
    expect(await Promise.all([isLong(chatId, ada), isLong(main, ada)])).toEqual([true, true])
    expect(await Promise.all([isLong(chatId, bob), isLong(main, bob), isLong('x', ada)])).toEqual([
      false,
      false,
      false,
    ])
  })
})
