import { expect, it } from 'vitest'
import { cloneChat, fetchChat } from '@/lib/conversations'
import { between, exchangeServer } from '@/testing/worlds/exchange-world'
import { onServedDatabase, openedStore } from '@/testing/worlds/open-stores'
import { storedChat } from '@/testing/worlds/stored-chat'

const LONG = 10_000
const WORDS = 'Go to Sintra by train, and take the bus up to the castle. '.repeat(4)

onServedDatabase('the exchange of a long chat', ({ open }) => {
  const opened = openedStore(open)

  it(`given a chat of ${LONG} messages, then a clone takes little more than writing it, a fetch of ten new ones is small, and a second one brings nothing`, {
    timeout: 240_000,
  }, async () => {
    const { store } = opened
    const work = exchangeServer(store, await opened.person())
    const home = exchangeServer(store, await opened.person())
    const chat = await storedChat(store, work.ownerId)
    const { chatId } = chat
    const timed = async <T>(run: () => Promise<T>) => {
      const began = performance.now()
      const value = await run()
      return { value, ms: performance.now() - began }
    }
    const said = Array.from({ length: LONG }, () => [{ type: 'text', text: WORDS }])
    const written = await timed(() => chat.say(chat.main, null, said))
    let bytes = 0
    const counted = work.reached(async function* (lines) {
      for await (const line of lines) {
        bytes += Buffer.byteLength(line) + 1
        yield line
      }
    })
    const exchange = between(home, counted, { chatId, remoteId: await home.remote('work') })
    const cloned = await timed(() => cloneChat(home.ports, exchange))
    expect(cloned.value.received).toBe(LONG)
    bytes = 0
    const nothing = await timed(() => fetchChat(home.ports, exchange))
    expect([nothing.value.received, bytes]).toEqual([0, 0])
    await chat.say(chat.main, written.value.at(-1) ?? '', said.slice(0, 10))
    const fetched = await timed(() => fetchChat(home.ports, exchange))
    expect(fetched.value).toMatchObject({ received: 10, branches: [{ state: 'behind', behind: 10 }] })
    expect(bytes).toBeLessThan(50_000)
    // a machine that is slow is slow at both
    expect(cloned.ms / written.ms).toBeLessThan(8)
    expect(fetched.ms / cloned.ms).toBeLessThan(0.5)
    if (process.env.RAMIFY_TEST_LONG)
      console.info({
        bytes,
        written: written.ms,
        cloned: cloned.ms,
        nothing: nothing.ms,
        fetched: fetched.ms,
      })
  })
})
