import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { close, listen } from './listen'

const value = z.looseObject({})
const attribute = z.object({ key: z.string(), value })
const span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  startTimeUnixNano: z.coerce.number(),
  endTimeUnixNano: z.coerce.number(),
  attributes: z.array(attribute).default([]),
})
const scopeSpans = z.array(z.object({ spans: z.array(span) }))
const traces = z.object({ resourceSpans: z.array(z.object({ scopeSpans })) })
const point = z.looseObject({ attributes: z.array(attribute).default([]) })
const points = z.object({ dataPoints: z.array(point) }).optional()
const metric = z.object({ name: z.string(), histogram: points, gauge: points, sum: points })
const scopeMetrics = z.array(z.object({ metrics: z.array(metric) }))
const metrics = z.object({ resourceMetrics: z.array(z.object({ scopeMetrics })) })

/** Takes telemetry as JSON over HTTP and keeps it. */
export type OtlpCollector = Awaited<ReturnType<typeof startOtlpCollector>>

/** @param status of every answer */
export async function startOtlpCollector({ status = 200 }: { status?: number } = {}) {
  const bodies: string[] = []
  const sent: ReturnType<typeof spansOf> = []
  const measured: ReturnType<typeof pointsOf> = []
  const server = createServer(async (request, response) => {
    const body = await text(request)
    bodies.push(body)
    if (request.url === '/v1/traces') sent.push(...spansOf(JSON.parse(body)))
    if (request.url === '/v1/metrics') measured.push(...pointsOf(JSON.parse(body)))
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  })
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    /** every request, in order */
    bodies,
    spans: () => [...sent],
    points: () => [...measured],
    close: () => close(server),
  }
}

function spansOf(body: unknown) {
  const { resourceSpans } = traces.parse(body)
  const all = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
  return all.map(
    ({ traceId, spanId, parentSpanId, name, startTimeUnixNano, endTimeUnixNano, attributes }) => ({
      traceId,
      spanId,
      name,
      attributes: valuesOf(attributes),
      parentSpanId: parentSpanId || undefined,
      ms: (endTimeUnixNano - startTimeUnixNano) / 1e6,
    }),
  )
}

function pointsOf(body: unknown) {
  const { resourceMetrics } = metrics.parse(body)
  const all = resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics))
  return all.flatMap(({ name, histogram, gauge, sum }) =>
    (histogram ?? gauge ?? sum ?? { dataPoints: [] }).dataPoints.map((one) => ({
      name,
      // of a histogram the count
      value: Number(one.count ?? one.asInt ?? one.asDouble),
      attributes: valuesOf(one.attributes),
    })),
  )
}

const valuesOf = (attributes: z.infer<typeof attribute>[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value: held }) => [key, Object.values(held)[0]]))
