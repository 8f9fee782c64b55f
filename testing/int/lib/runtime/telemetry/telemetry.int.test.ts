import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createThread, type Ports, runTurn, sendMessage, takeOverRuns } from '@/lib/conversations'
import { newId } from '@/lib/events'
import { logError } from '@/lib/runtime/log'
import type { Services } from '@/lib/runtime/services'
import { streamBegins, telemetry } from '@/lib/runtime/telemetry'
import { type OtlpCollector, startOtlpCollector } from '@/testing/machines/otlp-collector'
import { onOneDatabase } from '@/testing/worlds/open-stores'
import { ask, openTurnWorld, type TurnWorld } from '@/testing/worlds/turn-world'

const SECRET = 'plan of the heist'

/** A turn as its route runs it: its span begins with the request, and the answer is read to its end. */
async function turn(ports: Ports, text: string): Promise<void> {
  const span = telemetry()?.begin('turn')
  const run = async () => {
    const { stream, ended } = await runTurn(ports, ask({ chatId: newId(), text }))
    const ends = streamBegins('reply')
    for await (const _ of stream);
    ends()
    await ended
  }
  await (span ? span.within(run) : run())
  span?.end()
}

onOneDatabase('telemetry', ({ name }) => {
  let collector: OtlpCollector
  let world: TurnWorld
  let services: Services
  beforeAll(async () => {
    collector = await startOtlpCollector()
    world = await openTurnWorld(name)
    services = await world.process({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
  })
  afterAll(async () => {
    await world?.close()
    await collector?.close()
  })
  afterEach(() => vi.restoreAllMocks())

  it('given a turn, then it is one trace: the turn, its commits, the reply, the first word and the stream', async () => {
    await turn(services.ports, `Tell me the ${SECRET}`)
    await telemetry()?.flush()
    const spans = collector.spans()
    const [root] = spans.filter((span) => span.name === 'turn')
    expect(root).toMatchObject({ parentSpanId: undefined, attributes: { 'ramify.status': 'completed' } })
    const children = spans.filter((span) => span.parentSpanId === root?.spanId).map((span) => span.name)
    expect(children.sort()).toEqual(['commit', 'commit', 'first_word', 'reply', 'stream'])
    expect(new Set(spans.map((span) => span.traceId)).size).toBe(1)
    const [first] = spans.filter((span) => span.name === 'first_word')
    expect(first?.ms).toBeLessThanOrEqual(root?.ms ?? 0)
  })

  it('given a message sent by command, then its run is a trace with the time it waited', async () => {
    const { ports } = services
    const { thread_id: threadId } = await createThread(ports, { ownerId: 'ada', once: undefined })
    await sendMessage(ports, { ownerId: 'ada', once: undefined, threadId, content: SECRET })
    await (await takeOverRuns(ports)).ended
    await telemetry()?.flush()
    const [run] = collector.spans().filter((span) => span.name === 'run')
    expect(run?.attributes).toMatchObject({ 'ramify.status': 'completed', 'ramify.attempt': 1 })
    const within = collector.spans().filter((span) => span.parentSpanId === run?.spanId)
    expect(within.map((span) => span.name).sort()).toEqual(['commit', 'first_word', 'queue', 'reply'])
  })

  it('given turns, then the figures of turns, commits, first words, queue, streams, pool and errors arrive', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    logError(`renewing run ${newId()}`, new Error('gone'))
    await telemetry()?.flush()
    const points = collector.points()
    const last = (metric: string) => points.filter((point) => point.name === `ramify.${metric}`).at(-1)
    for (const metric of ['turn', 'commit', 'first_word', 'queue.wait']) {
      expect(last(metric)?.value, metric).toBeGreaterThan(0)
    }
    expect(last('queue.runs')?.value).toBe(0)
    expect(last('streams')?.value).toBe(0)
    const pool = points.filter((point) => point.name === 'ramify.pool.connections')
    const states = new Set(pool.map((point) => point.attributes['ramify.state']))
    expect(states).toEqual(new Set(['used', 'waiting']))
    expect(last('errors')?.attributes).toEqual({ what: 'renewing run' })
  })

  it('given words that were said, then none of them was sent, nor an e-mail address', () => {
    expect(collector.bodies.length).toBeGreaterThan(2)
    for (const body of collector.bodies) expect(body).not.toMatch(/heist|Noted|ada@example/)
  })

  it('given a caller that names a trace, then it is not followed where no proxy is trusted', async () => {
    const caller = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
    telemetry()?.begin('turn', { chat: 'forged' }, { traceparent: caller }).end()
    await telemetry()?.flush()
    const [span] = collector.spans().filter((one) => one.attributes['ramify.chat'] === 'forged')
    expect(span?.traceId).not.toBe('a'.repeat(32))
  })
})

describe('telemetry without a collector', () => {
  let world: TurnWorld | undefined
  let collector: OtlpCollector | undefined
  afterEach(async () => {
    vi.restoreAllMocks()
    await world?.close()
    await collector?.close()
    world = undefined
    collector = undefined
  })

  it('given no endpoint, then there is none, and nothing of it is loaded', async () => {
    world = await openTurnWorld('pglite')
    const services = await world.process()
    await turn(services.ports, 'hello')
    expect(telemetry()).toBeUndefined()
  })

  it.each([
    ['does not answer', async () => 'http://127.0.0.1:9'],
    [
      'refuses',
      async () => {
        collector = await startOtlpCollector({ status: 403 })
        return collector.url
      },
    ],
  ])(
    'given a collector that %s, then turns go on, the log says so once, and the process knows',
    async (_, start) => {
      const lines: string[] = []
      vi.spyOn(console, 'error').mockImplementation((line: string) => void lines.push(line))
      world = await openTurnWorld('pglite')
      const often = { OTEL_BSP_SCHEDULE_DELAY: '20', OTEL_METRIC_EXPORT_INTERVAL: '20' }
      const services = await world.process({ OTEL_EXPORTER_OTLP_ENDPOINT: await start(), ...often })
      for (let n = 0; n < 3; n++) await turn(services.ports, 'hello')
      const begun = performance.now()
      await telemetry()?.flush()
      expect(performance.now() - begun).toBeLessThan(4000)
      await vi.waitFor(() => expect(telemetry()?.failingSince).toBeDefined(), { timeout: 15_000 })
      expect(lines.filter((line) => line.includes('telemetry'))).toEqual([
        expect.stringMatching(/^\[ramify\] telemetry: the collector at 127\.0\.0\.1:\d+ does not take it/),
      ])
    },
  )

  it('given an endpoint that is no address, then the process cannot start, and the line names the setting', async () => {
    world = await openTurnWorld('pglite')
    const started = world.process({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' })
    const why = 'OTEL_EXPORTER_OTLP_ENDPOINT must be an address like http://localhost:4318'
    await expect(started).rejects.toThrow(why)
  })
})
