import type { UIMessage, UIMessageChunk } from 'ai'
import {
  type Change,
  type ContextFragment,
  compile,
  deserializeFragment,
  messagePreview,
  messageText,
  NotFoundError,
  RunOverError,
  type RunRecord,
  type SerializedFragment,
  XmlRenderer,
} from '@/lib/context'
import type { Explanation, GraphDelta, MessageMetadata } from '@/lib/graph'
import { deltaOf, mergeDeltas } from './delta-of'
import type { LiveRun } from './live-runs'
import type { Ports, Reply } from './ports'

/** Attempts at one reply before it is given up. */
const MAX_ATTEMPTS = 3

/**
 * Generates and stores the reply of a run this process holds, and broadcasts it part by part. Never rejects: whatever
 * happens ends as a terminal state of the run, or in the hands of whoever took it over. `opened` is the delta of the
 * turn's beginning; the last data part covers the whole turn.
 */
export async function executeRun(
  ports: Ports,
  run: RunRecord,
  live: LiveRun,
  opened?: GraphDelta,
): Promise<void> {
  const heartbeat = setInterval(() => {
    ports.runs.renew(run, ports.leaseMs).then(
      (held) => {
        if (!held) live.abort.abort(new RunOverError('taken over'))
      },
      (error) => ports.logError(`renewing run ${run.runId}`, error),
    )
  }, ports.leaseMs / 3)
  try {
    if (run.attempt > MAX_ATTEMPTS) {
      await giveUp(ports, run, live, opened)
      return
    }
    const reply = ports.answer({
      model: run.model,
      ...(await promptOf(ports, run)),
      replyId: run.replyId,
      abortSignal: live.abort.signal,
      metadata: { model: run.model } satisfies MessageMetadata,
    })
    const last = await relay(reply, live)
    const outcome = await reply.done
    if (outcome.cause !== undefined) ports.logError(`run ${run.runId} of ${run.model}`, outcome.cause)
    await finish(ports, run, live, outcome, last, opened)
  } catch (error) {
    if (!(error instanceof RunOverError || error instanceof NotFoundError))
      ports.logError(`run ${run.runId}`, error)
    live.push({
      type: 'error',
      errorText: 'The reply could not be stored. Reload the page to see where it stands.',
    })
  } finally {
    clearInterval(heartbeat)
    live.end()
  }
}

/** What the model reads: the context of the run as instructions, and exactly this chain (DESIGN.md §3.2). */
async function promptOf(
  ports: Ports,
  run: RunRecord,
): Promise<{ instructions: string; messages: UIMessage[] }> {
  const [chain, context] = await Promise.all([
    ports.store.getMessageChain(run.chatId, run.replyTo),
    run.contextId ? ports.reads.context(run.chatId, run.contextId) : undefined,
  ])
  const stored = (context?.fragments ?? []) as SerializedFragment[]
  const fragments: ContextFragment[] = stored.map((fragment) => deserializeFragment(fragment))
  const { systemPrompt, messages } = compile({ chain, fragments, renderer: new XmlRenderer() })
  return { instructions: systemPrompt, messages: messages as UIMessage[] }
}

/** Passes the parts on, but keeps the closing one back: the reply is announced as over once it is stored. */
async function relay(reply: Reply, live: LiveRun): Promise<UIMessageChunk | undefined> {
  let last: UIMessageChunk | undefined
  const reader = reply.chunks.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return last
    if (value.type === 'finish' || value.type === 'abort' || value.type === 'error') last = value
    else live.push(value)
  }
}

async function finish(
  ports: Ports,
  run: RunRecord,
  live: LiveRun,
  outcome: Awaited<Reply['done']>,
  last: UIMessageChunk | undefined,
  opened: GraphDelta | undefined,
): Promise<void> {
  const { status, message, error } = outcome
  const createdAt = ports.clock()
  const usage = outcome.usage && tokensOf(outcome.usage)
  // a reply of which nothing arrived is no message: the question stays open, and can be asked again
  const said = status === 'completed' || messageText(message).trim() !== ''
  const explained = error ? explanationOf(error) : said || status !== 'stopped' ? undefined : stoppedAtOnce
  const metadata: MessageMetadata = {
    model: run.model,
    createdAt,
    ...(usage ? { usage } : {}),
    ...(status === 'completed' ? {} : { status }),
    ...(explained ? { error: explained } : {}),
  }
  const change: Change = {
    chatId: run.chatId,
    at: createdAt,
    steps: [
      ...(said
        ? [
            {
              kind: 'append' as const,
              branchId: run.branchId,
              expectedHead: run.replyTo,
              orBranchId: ports.newId(),
              messages: [
                {
                  id: run.replyId,
                  name: 'assistant',
                  type: 'message',
                  data: { ...message, id: run.replyId, metadata },
                  preview: messagePreview(message),
                  ...(status === 'completed' ? {} : { status }),
                  ...(run.contextId ? { contextId: run.contextId } : {}),
                  runId: run.runId,
                  createdAt,
                  reply: { model: run.model, usage: usage ?? null },
                },
              ],
            },
          ]
        : []),
      {
        kind: 'finish-run',
        runId: run.runId,
        fence: run.fence,
        status,
        ...(explained ? { error: explained } : {}),
      },
    ],
  }
  const done = await ports.store.commit(change)
  const delta = deltaOf(change, done)
  if (said) live.push({ type: 'message-metadata', messageMetadata: metadata })
  announce(live, opened ? mergeDeltas(opened, delta) : delta, last)
}

async function giveUp(
  ports: Ports,
  run: RunRecord,
  live: LiveRun,
  opened: GraphDelta | undefined,
): Promise<void> {
  const error: Explanation = {
    kind: 'interrupted',
    message: `The reply was interrupted ${MAX_ATTEMPTS} times.`,
    advice: 'Try again, or try with another model.',
  }
  const change: Change = {
    chatId: run.chatId,
    at: ports.clock(),
    steps: [{ kind: 'finish-run', runId: run.runId, fence: run.fence, status: 'failed', error }],
  }
  const delta = deltaOf(change, await ports.store.commit(change))
  announce(live, opened ? mergeDeltas(opened, delta) : delta, {
    type: 'error',
    errorText: `${error.message} ${error.advice}`,
  })
}

function announce(live: LiveRun, delta: GraphDelta, last: UIMessageChunk | undefined): void {
  live.push({ type: 'data-graph', data: delta, transient: true })
  if (last) live.push(last)
}

function tokensOf(usage: NonNullable<Awaited<Reply['done']>['usage']>): MessageMetadata['usage'] {
  return {
    ...(usage.inputTokens === undefined ? {} : { inputTokens: usage.inputTokens }),
    ...(usage.outputTokens === undefined ? {} : { outputTokens: usage.outputTokens }),
  }
}

/** Why there is no reply when one was stopped before its first word. */
export const stoppedAtOnce: Explanation = {
  kind: 'stopped',
  message: 'The reply was stopped before it began.',
  advice: 'Try again when you like.',
}

/** Only the words: what the provider sent besides stays in the log. */
const explanationOf = ({ kind, message, advice }: Explanation): Explanation => ({ kind, message, advice })
