import type { PushMetricExporter, ResourceMetrics } from '@opentelemetry/sdk-metrics'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'

type Result = Parameters<Parameters<SpanExporter['export']>[1]>[0]

/** `ExportResultCode.SUCCESS`, of a package that is not ours to import. */
const SUCCESS = 0

/** Whether what is exported arrives. Says so in the log once when it begins to fail, and once when it works again. */
export class Delivery {
  #failingSince: number | undefined

  constructor(
    /** where the collector is, for the log */
    private readonly host: string,
    private readonly log: (line: string) => void,
  ) {}

  get failingSince(): number | undefined {
    return this.#failingSince
  }

  watch(exporter: SpanExporter): SpanExporter {
    return {
      export: (spans: ReadableSpan[], done) => exporter.export(spans, this.#heard(done)),
      shutdown: () => exporter.shutdown(),
      forceFlush: async () => exporter.forceFlush?.(),
    }
  }

  watchMetrics(exporter: PushMetricExporter): PushMetricExporter {
    return {
      export: (metrics: ResourceMetrics, done) => exporter.export(metrics, this.#heard(done)),
      shutdown: () => exporter.shutdown(),
      forceFlush: () => exporter.forceFlush(),
      ...(exporter.selectAggregation
        ? { selectAggregation: (kind) => exporter.selectAggregation?.(kind) ?? { type: 0 } }
        : {}),
      ...(exporter.selectAggregationTemporality
        ? { selectAggregationTemporality: (kind) => exporter.selectAggregationTemporality?.(kind) ?? 1 }
        : {}),
    }
  }

  /** What failed is dropped and told here: the SDK would write every failure to the log. */
  #heard(done: (result: Result) => void): (result: Result) => void {
    return (result) => {
      if (result.code === SUCCESS) this.#arrived()
      else this.#failed(result.error)
      done({ code: SUCCESS })
    }
  }

  #arrived(): void {
    if (this.#failingSince === undefined) return
    this.#failingSince = undefined
    this.log(`[ramify] telemetry: the collector at ${this.host} takes it again`)
  }

  #failed(error: Error | undefined): void {
    if (this.#failingSince !== undefined) return
    this.#failingSince = Date.now()
    const why = error && 'code' in error ? ` (${String(error.code)})` : ''
    this.log(
      `[ramify] telemetry: the collector at ${this.host} does not take it${why}; what is not sent is dropped`,
    )
  }
}
