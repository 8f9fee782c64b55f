import { afterEach, expect, it } from 'vitest'
import { startTelemetry } from '@/lib/runtime/telemetry/start-telemetry'
import type { Telemetry } from '@/lib/runtime/telemetry/telemetry'
import { type OtlpCollector, startOtlpCollector } from '@/testing/machines/otlp-collector'

let collector: OtlpCollector | undefined
let telemetry: Telemetry | undefined
const start = async (over: { endpoint?: string; followCallers?: boolean } = {}) => {
  collector = await startOtlpCollector()
  const lines: string[] = []
  telemetry = startTelemetry({
    endpoint: collector.url,
    followCallers: false,
    log: (line) => void lines.push(line),
    ...over,
  })
  return { collector, telemetry, lines }
}
afterEach(async () => {
  await telemetry?.stop()
  await collector?.close()
})

const caller = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) }
const traceparent = (flags: string) => `00-${caller.traceId}-${caller.spanId}-${flags}`

it('given a trusted proxy that names a trace, then the turn is part of it, recorded or not by the caller', async () => {
  const { telemetry, collector } = await start({ followCallers: true })
  for (const flags of ['01', '00']) telemetry.begin('turn', {}, { traceparent: traceparent(flags) }).end()
  await telemetry.flush()
  const part = { traceId: caller.traceId, parentSpanId: caller.spanId }
  expect(collector.spans()).toMatchObject([part, part])
})

it.each(['', 'x', `00-${'0'.repeat(32)}-${caller.spanId}-01`, `00-${caller.traceId}-${'0'.repeat(16)}-01`])(
  'given the traceparent "%s", which names none, then the turn is a trace of its own',
  async (wrong) => {
    const { telemetry, collector } = await start({ followCallers: true })
    telemetry.begin('turn', {}, { traceparent: wrong }).end()
    await telemetry.flush()
    expect(collector.spans()[0]).toMatchObject({ parentSpanId: undefined })
  },
)

it('given a process that ends, then everything collected is sent first', async () => {
  const { telemetry, collector } = await start()
  telemetry.begin('turn').end()
  telemetry.time('first_word', 40)
  await telemetry.stop()
  expect(collector.spans().map((span) => span.name)).toEqual(['turn'])
  expect(collector.points().map((point) => point.name)).toContain('ramify.first_word')
})

it('given an error and a long value, then the name of the error is sent and not its message, and the value is cut', async () => {
  const { telemetry, collector } = await start()
  const error = new TypeError('the plan of the heist')
  telemetry.begin('commit', { chat: 'x'.repeat(10_000) }).end({ error })
  await telemetry.flush()
  expect(collector.spans()[0]?.attributes['error.type']).toBe('TypeError')
  expect(String(collector.spans()[0]?.attributes['ramify.chat'])).toHaveLength(128)
  expect(collector.bodies.join()).not.toContain('heist')
})

it('given a hundred thousand spans and a collector that is gone, then memory is bounded and ending takes seconds', async () => {
  const { telemetry, lines } = await start({ endpoint: 'http://127.0.0.1:9' })
  const before = process.memoryUsage().heapUsed
  for (let n = 0; n < 100_000; n++) telemetry.begin('commit', { chat: `chat ${n}` }).end()
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(200_000_000)
  const begun = performance.now()
  await telemetry.stop()
  expect(performance.now() - begun).toBeLessThan(4000)
  expect(lines.length).toBeLessThanOrEqual(1)
})
