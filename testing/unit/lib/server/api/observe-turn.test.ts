import { afterEach, beforeEach, expect, it } from 'vitest'
import { openTelemetry, type Telemetry } from '@/lib/runtime'
import { observeTurn, turnEndsWith } from '@/lib/server/api/turn'
import { replyStreamResponse } from '@/lib/server/http/streams'
import { type OtlpCollector, startOtlpCollector } from '@/testing/machines/otlp-collector'
import { readingStreams } from '@/testing/worlds/reading-streams'

let collector: OtlpCollector
let telemetry: Telemetry | undefined
beforeEach(async () => {
  collector = await startOtlpCollector()
  telemetry = await openTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
})
afterEach(async () => {
  await telemetry?.stop()
  await collector.close()
})
const request = new Request('http://ramify.test/api/chat', { method: 'POST' })
const nowhere = { params: Promise.resolve({}) }
const { viewer, services } = readingStreams().readBy('ada')

it('given an answer that is read after its handler has returned, then its stream is part of the turn', async () => {
  const stored = Promise.withResolvers<void>()
  const handle = observeTurn(async () => {
    turnEndsWith(stored.promise)
    const parts = new Blob([]).stream().pipeThrough(new TransformStream())
    return replyStreamResponse({ request, viewer, services }, parts)
  })
  const response = await handle(request, nowhere)
  await response.text()
  stored.resolve()
  await stored.promise
  await telemetry?.flush()
  const [turn, stream] = ['turn', 'stream'].map((name) =>
    collector.spans().find((span) => span.name === name),
  )
  expect(turn).toBeDefined()
  expect(stream?.parentSpanId).toBe(turn?.spanId)
})

it('given a turn that is refused, then its span ends with the refusal', async () => {
  await observeTurn(async () => new Response(null, { status: 409 }))(request, nowhere)
  await telemetry?.flush()
  expect(collector.spans().map((span) => [span.name, span.attributes['ramify.http.status']])).toEqual([
    ['turn', 409],
  ])
})
