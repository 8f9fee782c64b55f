import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createWorker, type Services } from '@/lib/runtime/services'
import { textOf } from '@/testing/machines/openai-server'
import { adaThreads } from '@/testing/worlds/ada-threads'
import { onPostgres } from '@/testing/worlds/open-stores'
import { MODEL, openTurnWorld, type TurnWorld } from '@/testing/worlds/turn-world'

const THREADS = process.env.RAMIFY_TEST_LONG ? 200 : 60

onPostgres('workers of two processes', () => {
  let world: TurnWorld
  let processes: Services[]

  beforeAll(async () => {
    world = await openTurnWorld('postgres')
    world.answer = (request) => `Reply to ${textOf(request.messages.at(-1) ?? { role: '' })}`
    const env = { RAMIFY_DEFAULT_MODEL: MODEL }
    processes = [await world.process(env), await world.process(env)]
  })
  afterAll(() => world?.close())

  it(`given a message in each of ${THREADS} threads, sent to either process, then each gets one reply`, async () => {
    const people = processes.map(adaThreads)
    const send = (from: number, to: number) =>
      Promise.all(
        Array.from({ length: to - from }, async (_, i) => {
          const ada = people[i % people.length]
          if (!ada) throw new Error('No process')
          const { thread_id } = await ada.create()
          await ada.send(thread_id, `Message ${from + i}`)
          return { ada, thread_id, text: `Message ${from + i}` }
        }),
      )
    // half of them wait for the first worker: both try to take the same ones
    const waiting = await send(0, THREADS / 2)
    const workers = processes.map((services) => createWorker(services).start())
    const sent = [...waiting, ...(await send(THREADS / 2, THREADS))]

    const [first] = processes
    await vi.waitFor(
      async () => {
        const rows = await first?.database.query(
          `select 1 from runs where status in ('queued', 'running') limit 1`,
        )
        expect(rows).toEqual([])
      },
      { timeout: 30_000, interval: 50 },
    )
    await Promise.all(workers.map((worker) => worker.stop()))

    for (const { ada, thread_id, text } of sent) {
      expect((await ada.messages(thread_id)).map(({ content }) => content)).toEqual([
        text,
        `Reply to ${text}`,
      ])
      expect(await ada.head(thread_id)).toMatchObject({ status: 'idle', eventNumber: 4 })
    }
    // and no model was asked twice
    const asked = world.provider.requests.map((request) => textOf(request.messages.at(-1) ?? { role: '' }))
    expect(asked.sort()).toEqual(sent.map(({ text }) => text).sort())
  })
})
