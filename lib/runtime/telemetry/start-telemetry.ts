import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Context,
  type Attributes as OtelAttributes,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { AlwaysOnSampler, BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { newId } from '@/lib/events'
import { within } from '../within'
import type { Attributes, BeginOptions, GaugeValue, Span, SpanName, Telemetry, TimeName } from './telemetry'
import { Delivery } from './watched-exporter'

/** Longest time for the last export of a process, in ms. */
const LAST_FLUSH = 2000
/** Bounds of the histograms, in ms. */
const BOUNDS = [5, 10, 25, 50, 75, 100, 150, 250, 500, 750, 1000, 2500, 5000, 10_000, 30_000, 60_000, 300_000]

export interface TelemetryOptions {
  /** the collector, from `OTEL_EXPORTER_OTLP_ENDPOINT`; it serves `/v1/traces` and `/v1/metrics` */
  endpoint: string
  serviceName?: string | undefined
  /** true when a caller's `traceparent` is followed */
  followCallers: boolean
  /** pause between two exports of traces and of metrics, in ms */
  tracesMs?: number | undefined
  metricsMs?: number | undefined
  log(line: string): void
  onStop?(): void
}

/**
 * Traces and metrics as OTLP over HTTP. The providers are not registered globally: through registered ones, the framework
 * would send addresses with search words, and the AI SDK prompts.
 */
export function startTelemetry(options: TelemetryOptions): Telemetry {
  const { endpoint, followCallers } = options
  const at = (path: string) => `${endpoint.replace(/\/+$/, '')}/v1/${path}`
  const delivery = new Delivery(new URL(endpoint).host, options.log)
  const resource = resourceFromAttributes({
    'service.name': options.serviceName ?? 'ramify',
    'service.instance.id': newId(),
  }).merge(detectResources({ detectors: [envDetector] }))
  const processor = new BatchSpanProcessor({
    exporter: delivery.watch(new OTLPTraceExporter({ url: at('traces'), timeoutMillis: 5000 })),
    scheduledDelayMillis: options.tracesMs ?? 2000,
  })
  const tracers = new TracerProvider({
    resource,
    sampler: new AlwaysOnSampler(),
    spanLimits: { attributeValueLengthLimit: 128, attributeCountLimit: 24 },
    spanProcessors: [processor],
  })
  const interval = options.metricsMs ?? 15_000
  const reader = new PeriodicExportingMetricReader({
    exporter: delivery.watchMetrics(new OTLPMetricExporter({ url: at('metrics'), timeoutMillis: 5000 })),
    exportIntervalMillis: interval,
    exportTimeoutMillis: Math.min(interval, 10_000),
  })
  const meters = new MeterProvider({ resource, readers: [reader] })

  const tracer = tracers.getTracer('ramify')
  const meter = meters.getMeter('ramify')
  const inside = new AsyncLocalStorage<OpenSpan>()
  const histograms = new Map(
    (['turn', 'commit', 'first_word', 'queue.wait'] satisfies TimeName[]).map((name) => [
      name,
      meter.createHistogram(`ramify.${name}`, {
        unit: 'ms',
        advice: { explicitBucketBoundaries: BOUNDS },
      }),
    ]),
  )
  const errors = meter.createCounter('ramify.errors')

  class OpenSpan implements Span {
    #ended = false

    constructor(
      readonly startedAt: number,
      private readonly span: OtelSpan,
      readonly context: Context,
    ) {}

    within<T>(work: () => T): T {
      return inside.run(this, work)
    }

    set(attributes: Attributes): void {
      this.span.setAttributes(known(attributes))
    }

    end({ error, at: when }: { error?: unknown; at?: number } = {}): void {
      if (this.#ended) return
      this.#ended = true
      if (error !== undefined) {
        this.span.setAttribute('error.type', error instanceof Error ? error.name : typeof error)
        this.span.setStatus({ code: SpanStatusCode.ERROR })
      }
      this.span.end(when)
    }
  }

  const parentOf = ({ parent, traceparent }: BeginOptions): Context => {
    if (parent instanceof OpenSpan) return parent.context
    const around = inside.getStore()
    if (around) return around.context
    const caller = followCallers ? callerOf(traceparent) : undefined
    return caller ? trace.setSpanContext(ROOT_CONTEXT, caller) : ROOT_CONTEXT
  }

  const flush = () => settled(processor.forceFlush(), reader.forceFlush())

  return {
    begin(name: SpanName, attributes: Attributes = {}, beginOptions: BeginOptions = {}) {
      const parent = parentOf(beginOptions)
      const startedAt = beginOptions.startedAt ?? Date.now()
      const span = tracer.startSpan(name, { startTime: startedAt, attributes: known(attributes) }, parent)
      return new OpenSpan(startedAt, span, trace.setSpan(parent, span))
    },
    current: () => inside.getStore(),
    time: (name, ms, attributes = {}) => histograms.get(name)?.record(ms, known(attributes)),
    countError: (what) => errors.add(1, { what }),
    gauge(name, read) {
      meter.createObservableGauge(`ramify.${name}`).addCallback(async (result) => {
        const values: GaugeValue[] = await read()
        for (const { value, attributes = {} } of values) result.observe(value, known(attributes))
      })
    },
    get failingSince() {
      return delivery.failingSince
    },
    flush,
    stop() {
      options.onStop?.()
      return settled(tracers.shutdown(), meters.shutdown())
    },
  }
}

/** The span of a caller, which names the trace. Its flag not to record is ignored. */
function callerOf(traceparent: string | null | undefined) {
  const [, traceId, spanId] = /^00-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}$/.exec(traceparent ?? '') ?? []
  if (!traceId || !spanId || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true }
}

function known(attributes: Attributes): OtelAttributes {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([key, value]) =>
      value === undefined ? [] : [[`ramify.${key}`, value]],
    ),
  )
}

/** Resolves when the work has ended, or after `LAST_FLUSH`; `Delivery` reports failures. */
const settled = async (...work: Promise<unknown>[]): Promise<void> =>
  void (await within(
    LAST_FLUSH,
    Promise.all(work).catch(() => undefined),
  ))
