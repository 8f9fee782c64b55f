import type { UIMessageChunk } from 'ai'
import type { FinishRun, QueueRun } from '@/lib/context'
import type { Ports } from '@/lib/conversations'
import type { Span, Telemetry } from './telemetry'

/** Runs that are remembered at most. A run that ends in another process drops out this way. */
const MOST = 2000

type Claimed = Awaited<ReturnType<Ports['runs']['claim']>>['runs'][number]
type Request = Parameters<Ports['answer']>[0]
type Reply = ReturnType<Ports['answer']>

interface Known {
  span: Span | undefined
  replyId: string
  /** when the request for the reply came, as `Date.now()` */
  askedAt: number
  /** set for a run without a turn in this process: its span begins and ends here */
  own: boolean
}

/** The span that each run of this process is a part of: its turn's, or its own if it was queued. */
export class RunSpans {
  readonly #byRun = new Map<string, Known>()
  readonly #byReply = new Map<string, Known>()

  constructor(private readonly telemetry: Telemetry) {}

  of(runId: string): Span | undefined {
    return this.#byRun.get(runId)?.span
  }

  /** A run was stored. The request that stored it writes the reply if the run has a lease. */
  queued(
    chatId: string | undefined,
    { runId, replyId, model }: Pick<QueueRun, 'runId' | 'replyId' | 'model'>,
  ): void {
    const span = this.telemetry.current()
    span?.set({ chat: chatId, run: runId, model })
    this.#remember(runId, { span, replyId, askedAt: span?.startedAt ?? Date.now(), own: false })
  }

  /** This process has claimed a run that waited. */
  claimed({ runId, chatId, replyId, model, attempt }: Claimed): void {
    const now = Date.now()
    const before = this.#byRun.get(runId)
    const askedAt = before?.askedAt ?? bornAt(runId) ?? now
    const span = this.telemetry.begin(
      'run',
      { chat: chatId, run: runId, model, attempt },
      { startedAt: now, parent: before?.span },
    )
    this.#remember(runId, { span, replyId, askedAt, own: true })
    // a run that was taken over has not waited in the queue, but for a lease to end
    if (attempt > 1) return
    this.telemetry
      .begin('queue', { run: runId }, { startedAt: Math.min(askedAt, now), parent: span })
      .end({ at: now })
    this.telemetry.time('queue.wait', Math.max(0, now - askedAt))
  }

  finished({ runId, status }: FinishRun): void {
    const known = this.#byRun.get(runId)
    if (!known) return
    known.span?.set({ status })
    if (known.own) known.span?.end()
    this.telemetry.time('turn', Date.now() - known.askedAt, { status })
    this.#forget(runId)
  }

  /** Starts a reply, and notes when its first word comes. */
  answered(request: Request, answer: Ports['answer']): Reply {
    const known = this.#byReply.get(request.replyId)
    const { model, replyId } = request
    const parent = known?.span ?? this.telemetry.current()
    const askedAt = known?.askedAt ?? Date.now()
    const span = this.telemetry.begin('reply', { model, reply: replyId }, { parent })
    const reply = answer(request)
    void reply.done.then(({ status }) => {
      span.set({ status })
      span.end()
    })
    const said = () => {
      this.telemetry.begin('first_word', { model }, { startedAt: askedAt, parent }).end()
      this.telemetry.time('first_word', Date.now() - askedAt, { model })
    }
    return { ...reply, chunks: upToFirstWord(reply.chunks, said) }
  }

  #remember(runId: string, known: Known): void {
    this.#byRun.set(runId, known)
    this.#byReply.set(known.replyId, known)
    if (this.#byRun.size <= MOST) return
    const [oldest] = this.#byRun.keys()
    if (oldest !== undefined) this.#forget(oldest)
  }

  #forget(runId: string): void {
    const known = this.#byRun.get(runId)
    if (!known) return
    this.#byRun.delete(runId)
    this.#byReply.delete(known.replyId)
    if (known.own) known.span?.end()
  }
}

/** The same chunks; `said` is called with the first word. */
function upToFirstWord(
  chunks: ReadableStream<UIMessageChunk>,
  said: () => void,
): ReadableStream<UIMessageChunk> {
  const reader = chunks.getReader()
  let silent = true
  return new ReadableStream<UIMessageChunk>(
    {
      async pull(controller) {
        const { done, value } = await reader.read()
        if (done) return controller.close()
        if (silent && value.type === 'text-delta') {
          silent = false
          said()
        }
        controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

/** The time in an id of a run (UUIDv7); undefined for an id of another kind. */
function bornAt(id: string): number | undefined {
  const [, high, low] = /^([\da-f]{8})-([\da-f]{4})-7[\da-f]{3}-/.exec(id) ?? []
  return high && low ? Number.parseInt(high + low, 16) : undefined
}
