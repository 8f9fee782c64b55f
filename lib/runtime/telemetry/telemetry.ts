/** Values beside a span or a figure: ids, names of models, states. Never words of a conversation, never an e-mail address. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

export type SpanName = 'turn' | 'run' | 'commit' | 'reply' | 'first_word' | 'queue' | 'stream'

/** Times, in milliseconds. */
export type TimeName = 'turn' | 'commit' | 'first_word' | 'queue.wait'

export type GaugeName = 'queue.runs' | 'streams' | 'pool.connections'

/** A piece of work under way, with the time it began. */
export interface Span {
  readonly startedAt: number
  /** Does work as a part of this span: spans begun meanwhile are its children. */
  within<T>(work: () => T): T
  set(attributes: Attributes): void
  /** Ends it, once; with an error, whose name is kept and nothing else of it, as failed. */
  end(outcome?: { error?: unknown; at?: number }): void
}

export interface BeginOptions {
  /** when it began, if that was earlier */
  startedAt?: number
  /** what it is a part of; without it the span under way, and without that a new trace */
  parent?: Span | undefined
  /** the header `traceparent` of who asked; followed only where the operator trusts the proxy in front */
  traceparent?: string | null
}

/** Where a process tells what it does and how long that takes. Never waited for, and never fails. */
export interface Telemetry {
  begin(name: SpanName, attributes?: Attributes, options?: BeginOptions): Span
  /** the span whose work this is */
  current(): Span | undefined
  time(name: TimeName, ms: number, attributes?: Attributes): void
  countError(what: string): void
  /** Asks for values at every export; while `read` rejects there are none. */
  gauge(name: GaugeName, read: () => Promise<GaugeValue[]> | GaugeValue[]): void
  /** since when nothing has reached the collector, as `Date.now()` */
  readonly failingSince: number | undefined
  /** Sends what is collected. Resolves within two seconds, sent or not. */
  flush(): Promise<void>
  /** As `flush`, and then collects no more. */
  stop(): Promise<void>
}

export interface GaugeValue {
  value: number
  attributes?: Attributes
}

// bundles and hot reloads share one
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

/** How many answers this process is streaming. */
export function openStreams(): ReadonlyMap<StreamKind, number> {
  shared.__ramifyOpenStreams ??= new Map([
    ['reply', 0],
    ['news', 0],
  ])
  return shared.__ramifyOpenStreams
}

/**
 * Counts an answer that begins to stream. Returns what counts it out, once.
 *
 * @param parent what it is a part of, where it is begun outside that
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
