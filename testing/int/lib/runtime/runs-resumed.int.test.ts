// Readers whose connection is cut, and readers who do not read.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createUIMessageStreamResponse, type UIMessageChunk } from 'ai'
import { expect, it } from 'vitest'
import { streamFrom } from '@/lib/ai/stream-from'
import { followReply, type Ports, runTurn } from '@/lib/conversations'
import { newId } from '@/lib/events'
import type { Services } from '@/lib/runtime/services'
import { Follower, words } from '@/testing/worlds/follower'
import { onServedDatabase } from '@/testing/worlds/open-stores'
import { ask, givenProcesses, linesOf } from '@/testing/worlds/turn-world'

onServedDatabase('a reader of a reply', ({ name }) => {
  const { world, here, there } = givenProcesses(name)

  const follow = async (services: Services, chatId: string) => {
    const stream = await followReply(services.ports, { ownerId: 'ada', chatId })
    return stream && new Follower(stream)
  }

  const WORDS = 8

  /**
   * One reply whose reader is cut off after `count` parts and comes back while it is still being written.
   *
   * @returns false when the reply has fewer parts
   */
  async function cutAfter(count: number, first: Services, second: Services): Promise<boolean> {
    const chatId = newId()
    const open = Promise.withResolvers<void>()
    // the provider is never ahead of the cut: no word is joined to another
    let allowed = 0
    let more = Promise.withResolvers<void>()
    const allow = (word: number) => {
      allowed = Math.max(allowed, word)
      more.resolve()
      more = Promise.withResolvers()
    }
    paces.set(`Cut ${chatId}`, async (sent) => {
      while (sent > allowed) await Promise.race([more.promise, open.promise.then(() => allow(WORDS))])
    })
    const turn = await runTurn(here.ports, ask({ chatId, text: `Cut ${chatId}` }))
    const own = new Follower(turn.stream)
    const reader = first === here ? own : await follow(first, chatId)
    if (!reader) throw new Error('Nothing runs here')
    let over = false
    while (!over && reader.parts.length < count) {
      allow((reader.text.match(/\S+/g)?.length ?? 0) + 1)
      over = (await reader.next()) === undefined
    }
    // when
    await reader.leave()
    const again = await follow(second, chatId)
    open.resolve()
    if (reader !== own) await own.leave()
    await again?.rest()
    await turn.ended
    // then
    const [, stored] = await linesOf(second, chatId)
    expect(stored).toBe(`assistant: ${words(WORDS)}`)
    if (again) {
      expect(again.text).toBe(words(WORDS))
      expect(again.runs).toHaveLength(1)
      expect(again.messageIds).toEqual([again.run.replyId])
      expect(again.parts.slice(-2).map((part) => part.type)).toEqual(['data-graph', 'finish'])
      if (reader.runs.length > 0) expect(again.run.replyId).toBe(reader.run.replyId)
    }
    return !over
  }
  const paces = new Map<string, (sent: number) => Promise<void>>()

  it.each([
    ['where it is written', 'where it is written', WORDS, () => [here, here] as const],
    ['where it is written', 'elsewhere', WORDS, () => [here, there] as const],
    // words come there as they are logged, several in one part
    ['elsewhere', 'elsewhere', WORDS / 2, () => [there, there] as const],
  ])(
    'given a reader %s who is cut off after every part, when they come back %s, then they have exactly the stored text',
    async (_before, _after, atLeast, where) => {
      world.answer = (request) => ({
        text: words(WORDS),
        pace: paces.get(String(request.messages.at(-1)?.content)),
      })
      const [first, second] = where()
      const reached = await Promise.all(
        Array.from({ length: 3 * WORDS }, (_, count) => cutAfter(count, first, second)),
      )
      // the last of them came to the end
      expect(reached.at(-1)).toBe(false)
      expect(reached.filter(Boolean).length).toBeGreaterThan(atLeast)
    },
  )

  const READERS = 60
  const PARTS = 3000
  /** what they may cost in all, in MB; were the parts pushed to them, it would be eighteen */
  const LIMIT = 2

  /** Memory in use, in MB. */
  const memory = () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    collect()
    collect()
    return process.memoryUsage().heapUsed / 1e6
  }

  /** How much more is in use, in MB, once `readers` have stopped reading at the first word and all others are out. */
  async function growthWith(readers: number): Promise<number> {
    const chatId = newId()
    const stopped = Promise.withResolvers<void>()
    const said = Promise.withResolvers<void>()
    const over = Promise.withResolvers<void>()
    const parts = async function* (): AsyncGenerator<UIMessageChunk> {
      const logged = await logOf(here, chatId)
      yield { type: 'start', messageId: 'r' }
      yield { type: 'text-start', id: 't' }
      for (let i = 0; i < PARTS; i++) {
        yield { type: 'text-delta', id: 't', delta: `word${i} ` }
        if (i === 0) await stopped.promise
        // a word at first, then many: a reader that waits for the next part gets a small one
        if (i < 3 || i === PARTS - 1) await logged()
      }
      said.resolve()
      await over.promise
      yield { type: 'finish' }
    }
    const ports: Ports = {
      ...here.ports,
      answer: ({ replyId }) => ({
        chunks: streamFrom(parts()),
        done: over.promise.then(() => ({
          status: 'completed',
          message: { id: replyId, role: 'assistant', parts: [{ type: 'text', text: 'All of it.' }] },
        })),
      }),
    }
    const turn = await runTurn(ports, ask({ chatId, text: 'Talk' }))
    const bodies = await Promise.all(
      Array.from({ length: readers }, async (_, i) => {
        const stream = await followReply((i % 2 ? here : there).ports, { ownerId: 'ada', chatId })
        const body = stream && createUIMessageStreamResponse({ stream }).body?.getReader()
        if (!body) throw new Error('Nothing runs here')
        for (let seen = ''; !seen.includes('text-delta'); ) {
          seen += new TextDecoder().decode((await body.read()).value)
        }
        return body
      }),
    )
    const before = memory()
    stopped.resolve()
    await said.promise
    const growth = memory() - before
    over.resolve()
    await turn.ended
    await turn.stream.cancel()
    for (const body of bodies) await body.cancel()
    return growth
  }

  it(`given ${READERS} readers who stop at the first word, when a reply has ${PARTS} parts, then they cost less than ${LIMIT} MB`, async () => {
    await growthWith(2) // loads and compiles what there is along the way
    const cost = await growthWith(READERS)
    expect(cost).toBeLessThan(LIMIT)
  })
})

/** What resolves when a chat's one reply has been logged up to now. */
async function logOf({ database }: Services, chatId: string): Promise<() => Promise<void>> {
  const entries = async () =>
    (await database.query('select 1 from run_parts where chat_id = $1', [chatId])).length
  let known = 0
  return async () => {
    await expect.poll(entries).toBeGreaterThan(known)
    known = await entries()
  }
}
