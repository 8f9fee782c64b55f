import type { PushMetricExporter } from '@opentelemetry/sdk-metrics'
import type { SpanExporter } from '@opentelemetry/sdk-trace'
import { withMethods } from './observe-ports'

type Result = Parameters<Parameters<SpanExporter['export']>[1]>[0]

/** `ExportResultCode.SUCCESS`, of a package that is not a dependency of ours. */
const SUCCESS = 0

/** Notes that exports arrive or fail. The log has one line when they begin to fail, and one when they work again. */
export class Delivery {
  #failingSince: number | undefined

  constructor(
    /** the collector's host, for the log */
    private readonly host: string,
    private readonly log: (line: string) => void,
  ) {}

  get failingSince(): number | undefined {
    return this.#failingSince
  }

  watch(exporter: SpanExporter): SpanExporter {
    return withMethods(exporter, { export: (spans, done) => exporter.export(spans, this.#heard(done)) })
  }

  watchMetrics(exporter: PushMetricExporter): PushMetricExporter {
    return withMethods(exporter, { export: (metrics, done) => exporter.export(metrics, this.#heard(done)) })
  }

  /** A failed export is dropped and reported here: the SDK would write every failure to the log. */
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
