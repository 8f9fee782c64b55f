/** Values of a span or a figure: ids, names of models, states. Never text of a conversation, never an e-mail address. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

export type SpanName = 'turn' | 'run' | 'commit' | 'reply' | 'first_word' | 'queue' | 'stream'

/** Times, in milliseconds. */
export type TimeName = 'turn' | 'commit' | 'first_word' | 'queue.wait'

type GaugeName = 'queue.runs' | 'streams' | 'pool.connections'

/** A piece of work under way, with the time it began. */
export interface Span {
  readonly startedAt: number
  /** Does work as a part of this span: spans that begin meanwhile are its children. */
  within<T>(work: () => T): T
  set(attributes: Attributes): void
  /** Ends the span, once; with an error, as failed. Only the name of the error is kept. */
  end(outcome?: { error?: unknown; at?: number }): void
}

export interface BeginOptions {
  /** when the span began, if that was earlier */
  startedAt?: number
  /** the span it is a part of: the span under way unless given, and without that a new trace */
  parent?: Span | undefined
  /** the request's header `traceparent`, which counts only behind a trusted proxy */
  traceparent?: string | null
}

/** Records the work of a process and its durations. No work waits for it, and it never fails. */
export interface Telemetry {
  begin(name: SpanName, attributes?: Attributes, options?: BeginOptions): Span
  /** the span whose work this is */
  current(): Span | undefined
  time(name: TimeName, ms: number, attributes?: Attributes): void
  countError(what: string): void
  /** Reads values at every export; there are none while `read` rejects. */
  gauge(name: GaugeName, read: () => Promise<GaugeValue[]> | GaugeValue[]): void
  /** since when nothing has reached the collector, as `Date.now()` */
  readonly failingSince: number | undefined
  /** Sends everything collected. Resolves within two seconds, sent or not. */
  flush(): Promise<void>
  /** As `flush`, and ends the collection. */
  stop(): Promise<void>
}

export interface GaugeValue {
  value: number
  attributes?: Attributes
}

// shared by bundles and hot reloads
const shared = globalThis as typeof globalThis & {
  __ramifyTelemetry?: Telemetry
  __ramifyOpenStreams?: Map<StreamKind, number>
}

/** The telemetry of this process; undefined where `OTEL_EXPORTER_OTLP_ENDPOINT` is not set. */
export const telemetry = (): Telemetry | undefined => shared.__ramifyTelemetry

/** Makes `next` the telemetry of this process. */
export function setTelemetry(next: Telemetry | undefined): void {
  if (next) shared.__ramifyTelemetry = next
  else delete shared.__ramifyTelemetry
}

export type StreamKind = 'reply' | 'news'

/** Numbers of answers that this process is streaming, by kind. */
export function openStreams(): ReadonlyMap<StreamKind, number> {
  shared.__ramifyOpenStreams ??= new Map([
    ['reply', 0],
    ['news', 0],
  ])
  return shared.__ramifyOpenStreams
}

/**
 * Counts an answer that begins to stream. Returns a function that ends the count, once.
 *
 * @param parent the span it is a part of; unless given, the span under way
 */
export function streamBegins(kind: StreamKind, parent?: Span): () => void {
  const open = openStreams() as Map<StreamKind, number>
  open.set(kind, (open.get(kind) ?? 0) + 1)
  const span = telemetry()?.begin('stream', { kind }, { parent })
  let isOpen = true
  return () => {
    if (!isOpen) return
    isOpen = false
    open.set(kind, (open.get(kind) ?? 1) - 1)
    span?.end()
  }
}
