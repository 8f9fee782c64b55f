// Longer than other files: one run from its claim to its stored end, whose phases share their state.

import type { UIMessage, UIMessageChunk } from 'ai'
import {
  type Change,
  type Committed,
  type CutReply,
  continuedMessage,
  cutReply,
  MessageExistsError,
  messageText,
  NotFoundError,
  planEnding,
  promptChain,
  RunOverError,
  type RunRecord,
  seamOf,
  toldTokens,
  withAnswers,
} from '@/lib/context'
import type { Explanation, GraphDelta, MessageMetadata } from '@/lib/protocol'
import { storedReply } from '../chats/to-chat-message'
import { deltaOf, mergeDeltas } from '../delta-of'
import type { Ports, Reply } from '../ports'
import type { StartedTurn } from '../turns/start-turn'
import { fileIdsOf } from '../turns/user-message'
import { ContinuedChunks } from './continued-chunks'
import { type FittedPrompt, fittedPrompt, isShort } from './fit-window'
import type { Ending, HeldRun } from './live-runs'
import { patiently } from './patiently'
import { waitForPrefix } from './prefix-leads'
import { compilePrompt } from './prompt'
import { choicesIn, type ReplyTools, roomBeside, toolsFor, workOf } from './reply-tools'
import type { RunEntry } from './run-log-writer'
import { spentOn, spentOnAttempts, textsOf } from './spent-on'

/** Attempts at one reply before it is given up. */
const MAX_ATTEMPTS = 3

/**
 * Generates and stores the reply of a run this process holds, and broadcasts it part by part. Never rejects: the run ends
 * in a terminal state, or another process has taken it over. `opened` is the turn that has just begun the run: its prompt
 * and its models are not read again, and the last data part covers the whole turn.
 */
export async function executeRun(
  ports: Ports,
  run: RunRecord & { stopping?: boolean },
  live: HeldRun,
  opened?: Pick<StartedTurn, 'delta' | 'prompt' | 'models'>,
): Promise<void> {
  const lost = () => live.abort.abort(new RunOverError('taken over'))
  const heartbeat = setInterval(() => {
    ports.runs.renew(run, ports.leaseMs).then(
      (held) => held || lost(),
      (error) => ports.logError(`renewing run ${run.runId}`, error),
    )
  }, ports.leaseMs / 3)
  const entry = ports.writer.open(run, { lost, stop: () => live.abort.abort() })
  const place = ports.prefixLeads.join(JSON.stringify([run.chatId, run.replyTo, run.contextId, run.model]))
  let ending: Ending = 'over'
  let tools: ReplyTools | undefined
  try {
    if (run.stopping) await endUnfinished(ports, run, live, 'stopped')
    else if (run.attempt > MAX_ATTEMPTS) await endUnfinished(ports, run, live, 'failed')
    else {
      const asked = await askedOf(ports, run, live.abort.signal, opened)
      const { prompt, cut } = asked
      tools = asked.tools
      const { notices } = tools
      await waitForPrefix(ports, place, { ...run, prompt, models: opened?.models, signal: live.abort.signal })
      const metadata: MessageMetadata = {
        model: run.model,
        ...compactedBy(prompt),
        ...(cut && continuedBy(cut)),
        ...(notices.length > 0 && { notices }),
      }
      const reply = ports.answer({
        chatId: run.chatId,
        model: run.model,
        models: opened?.models,
        instructions: prompt.instructions,
        messages: prompt.messages,
        continues: cut !== undefined,
        settings: prompt.settings,
        tools,
        branchPoint: () => ports.reads.branchPoint(run.chatId, run.replyTo),
        replyId: run.replyId,
        abortSignal: live.abort.signal,
        metadata,
      })
      const start = { type: 'start', messageId: run.replyId, messageMetadata: metadata } as const
      const continued = cut && new ContinuedChunks(cut, start)
      const last = await relay(reply, live, entry, { begun: place.begun, continued })
      const outcome = await reply.done
      // another process has the run now, and this attempt is void
      if (live.abort.signal.reason instanceof RunOverError) throw live.abort.signal.reason
      if (outcome.cause !== undefined) ports.logError(`run ${run.runId} of ${run.model}`, outcome.cause)
      // the log is complete before the end: readers in other processes miss nothing. If it fails they read the message.
      await entry.close().catch((error: unknown) => ports.logError(`logging run ${run.runId}`, error))
      await finish(ports, run, live, { prompt, cut, outcome, last, opened: opened?.delta })
    }
  } catch (error) {
    // the chat is gone, or another process has the run
    ending = error instanceof RunOverError ? 'lost' : 'over'
    if (!(error instanceof RunOverError || error instanceof NotFoundError)) {
      ports.logError(`run ${run.runId}`, error)
      live.push({
        type: 'error',
        errorText: 'The reply could not be stored. Reload the page to see where it stands.',
      })
    }
  } finally {
    clearInterval(heartbeat)
    place.begun()
    entry.discard()
    live.end(ending)
    // a server that does not answer is not waited for
    void tools?.close()
  }
}

/**
 * The prompt of a run: its context, its tools, and exactly this chain (DESIGN.md §3.2), with a person's
 * answers to the tools that wait in it. A known chain that could not be read is read again. A run that
 * continues a cut reply gets it at the end of the chain.
 */
async function askedOf(
  ports: Ports,
  run: RunRecord,
  signal: AbortSignal,
  opened: Pick<StartedTurn, 'prompt' | 'models'> | undefined,
): Promise<{ prompt: FittedPrompt; tools: ReplyTools; cut?: CutReply | undefined }> {
  const { chatId, replyTo, continues, contextId, model } = run
  const known = opened?.prompt
  const reading = { what: 'reading a prompt', signal }
  const readChain = () =>
    patiently(ports, () => ports.store.getMessageChain(chatId, continues ?? replyTo), reading)
  const readContext = (id: string) => patiently(ports, () => ports.reads.context(chatId, id), reading)
  const [stored, context] = await Promise.all([
    known ? known.chain.catch(readChain) : readChain(),
    known?.context ?? (contextId ? readContext(contextId) : undefined),
  ])
  const last = stored.at(-1)
  const cut = continues && last ? cutReply(last.data as UIMessage, model) : undefined
  const whole = cut && last ? [...stored.slice(0, -1), { ...last, data: cut.message }] : stored
  const chain = promptChain(whole, context?.setup, { answered: last?.id })
  const { models } = opened ?? {}
  const tools = await toolsFor(ports, {
    chatId,
    model,
    models,
    choices: choicesIn(context),
    work: workOf(ports, run),
  })
  const fitted = async () => {
    if (isShort(chain)) return compilePrompt(chain, context ?? null)
    const { window } = models?.facts(model) ?? (await ports.models.factsIn(chatId, model))
    const room = roomBeside(tools, window)
    return fittedPrompt(ports, { chatId, model, chain, context: context ?? null, window: room, signal })
  }
  // the answers stand in the cut reply already
  return { tools, cut, prompt: answered(await fitted(), cut ? null : run.answers) }
}

/** A prompt with a person's answers to the tools that wait in its last message. Nothing else allows a call. */
function answered(prompt: FittedPrompt, given: RunRecord['answers']): FittedPrompt {
  const answers = given ?? []
  const last = prompt.messages.at(-1)
  return {
    ...prompt,
    messages: prompt.messages.map((message) => withAnswers(message, message === last ? answers : [])),
  }
}

/** The place of the summary that a prompt begins with, for the inspector. */
const compactedBy = ({ summary }: FittedPrompt): Pick<MessageMetadata, 'compacted'> =>
  summary ? { compacted: summary.messageId } : {}

/** The seams of a reply that continues a cut one, and the durations of its first part. */
const continuedBy = (cut: CutReply): Pick<MessageMetadata, 'durations' | 'seams'> => {
  const { durations, seams = [] } = cut.message.metadata as MessageMetadata
  return { durations, seams: [...seams, seamOf(cut)] }
}

/**
 * Passes the parts on, but keeps the closing one back: the reply is announced as over once it is stored.
 *
 * @param begun called when the provider answers
 * @param continued the cut reply that it begins with
 */
async function relay(
  reply: Reply,
  live: HeldRun,
  entry: RunEntry,
  { begun, continued }: { begun: () => void; continued: ContinuedChunks | undefined },
): Promise<UIMessageChunk | undefined> {
  let last: UIMessageChunk | undefined
  const reader = reply.chunks.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return last
    // the first part is ours
    if (value.type !== 'start') begun()
    const isLast = value.type === 'finish' || value.type === 'abort' || value.type === 'error'
    if (isLast) last = value
    for (const chunk of continued?.next(value) ?? [value]) {
      if (chunk === last) continue
      live.push(chunk)
      entry.push(chunk)
    }
  }
}

interface Finish {
  prompt: FittedPrompt
  cut: CutReply | undefined
  outcome: Awaited<Reply['done']>
  last: UIMessageChunk | undefined
  opened: GraphDelta | undefined
}

async function finish(
  ports: Ports,
  run: RunRecord,
  live: HeldRun,
  { prompt, cut, outcome, last, opened }: Finish,
): Promise<void> {
  const { status } = outcome
  const message = cut ? continuedMessage(cut, outcome.message) : outcome.message
  // a count of zero is no count: unknown usage is estimated for quotas
  const usage = outcome.usage && {
    inputTokens: toldTokens(outcome.usage.inputTokens) || undefined,
    outputTokens: toldTokens(outcome.usage.outputTokens) || undefined,
    cachedTokens: toldTokens(outcome.usage.inputTokenDetails?.cacheReadTokens) || undefined,
    cacheWriteTokens: toldTokens(outcome.usage.inputTokenDetails?.cacheWriteTokens) || undefined,
  }
  // an empty reply is no message: the question stays open and can be answered again
  const said = status === 'completed' || saysSomething(message)
  const error = explanationOf(outcome.error) ?? (said || status !== 'stopped' ? undefined : stoppedAtOnce)
  const { delta, metadata, branch } = await endRun(ports, run, live.abort.signal, {
    status,
    message: said ? message : undefined,
    usage,
    error,
    spent: spentOn(prompt, { status, message: outcome.message, usage }, run.attempt),
    about: {
      ...compactedBy(prompt),
      ...(outcome.finishReason === 'length' && { finishReason: outcome.finishReason }),
    },
  })
  if (said) live.push({ type: 'message-metadata', messageMetadata: metadata })
  announce(live, opened ? mergeDeltas(opened, delta) : delta, last)
  if (status !== 'completed' || !branch) return
  const { chatId, replyTo, replyId, model } = run
  const stored = { chatId, branch, replyTo, replyId, model, text: messageText(message) }
  ports.titles.replyStored(ports, { ...stored, depth: prompt.messages.length - (cut ? 1 : 0) })
}

/**
 * Ends a run without another attempt: it was stopped while its holder was gone, or was interrupted too often. The longest
 * partial reply of its attempts is kept.
 */
async function endUnfinished(
  ports: Ports,
  run: RunRecord,
  live: HeldRun,
  status: 'stopped' | 'failed',
): Promise<void> {
  const attempts = await ports.log.attempts(run.chatId, run.runId)
  const partials = await Promise.all(attempts.map((parts) => ports.assemble(parts, run.replyId)))
  const said = partials
    .filter(saysSomething)
    .toSorted((one, other) => lengthOf(other) - lengthOf(one) || other.parts.length - one.parts.length)
    .at(0)
  const { delta, metadata } = await endRun(ports, run, live.abort.signal, {
    status,
    message: said,
    error: status === 'failed' ? interrupted : said ? undefined : stoppedAtOnce,
    spent: spentOnAttempts(partials, run.attempt),
  })
  for (const part of said ? storedReply({ ...said, metadata }) : []) live.push(part)
  announce(live, delta, status === 'stopped' ? { type: 'abort' } : errorPart(interrupted))
}

const interrupted: Explanation = {
  kind: 'interrupted',
  message: `The reply was interrupted ${MAX_ATTEMPTS} times.`,
  advice: 'Try again, or try with another model.',
}

const errorPart = ({ message, advice }: Explanation): UIMessageChunk => ({
  type: 'error',
  errorText: `${message} ${advice}`,
})

function announce(live: HeldRun, delta: GraphDelta, last: UIMessageChunk | undefined): void {
  live.push({ type: 'data-graph', data: delta, transient: true })
  if (last) live.push(last)
}

/** The reason for a missing reply that was stopped before its first word. */
const stoppedAtOnce: Explanation = {
  kind: 'stopped',
  message: 'The reply was stopped before it began.',
  advice: 'Try again when you like.',
}

/** Only the words: further details of the provider stay in the log. */
const explanationOf = (error: Explanation | undefined): Explanation | undefined =>
  error && { kind: error.kind, message: error.message, advice: error.advice }

interface RunEnding {
  status: 'completed' | 'stopped' | 'failed'
  /** the reply, if the model said anything */
  message?: UIMessage | undefined
  usage?: MessageMetadata['usage']
  error?: Explanation | undefined
  /** the cost of the run, with a reply or without */
  spent: NonNullable<Change['spent']>
  /** the message's note of its prompt and its end */
  about?: Pick<MessageMetadata, 'compacted' | 'finishReason'>
}

/**
 * Stores the end of a run in one write: its reply, where there is one, and its terminal state. The database may be away for
 * a minute. Rejects with `RunOverError` when the run is over, by this very change perhaps; with `MessageExistsError` when
 * another message has the reply's id: then the run has failed.
 *
 * @param lost aborted when another process has taken the run
 */
async function endRun(
  ports: Ports,
  run: RunRecord,
  lost: AbortSignal,
  { status, message, usage, error, spent, about }: RunEnding,
): Promise<{
  delta: GraphDelta
  metadata: MessageMetadata
  branch: Committed['branches'][number] | undefined
}> {
  const createdAt = ports.clock()
  const partial = status === 'completed' ? undefined : status
  const metadata: MessageMetadata = {
    model: run.model,
    createdAt,
    usage,
    status: partial,
    error,
    ...about,
  }
  const { durations, notices, seams } = measuredOf(message)
  if (durations) metadata.durations = durations
  if (seams) metadata.seams = seams
  if (notices) metadata.notices = notices
  const data = { ...message, id: run.replyId, metadata }
  const reply = message && { data, createdAt, usage: usage ?? null, files: fileIdsOf(message) }
  const steps = planEnding(run, { status, error, reply, newId: ports.newId })
  const change: Change = { chatId: run.chatId, at: createdAt, spent, steps }
  const done = await commitPatiently(ports, change, lost)
  // the branch that the reply landed on
  const branch = done.branches.find(({ headMessageId }) => headMessageId === run.replyId)
  return { delta: deltaOf(change, done), metadata, branch }
}

/** Commits a change, patiently: safe to repeat, because a run ends once. */
const commitPatiently = (ports: Ports, change: Change, lost: AbortSignal): Promise<Committed> =>
  patiently(
    ports,
    async () => {
      try {
        return await ports.store.commit(change)
      } catch (error) {
        // mostly this very reply is stored already, by an attempt whose answer was lost or by the run's next holder
        if (error instanceof MessageExistsError) await ports.store.commit(withoutReply(change))
        throw error
      }
    },
    { what: 'storing a reply', signal: lost },
  )

/** Ends the run of a reply that cannot be stored. Refused when the run is over. */
const withoutReply = (change: Change): Change => ({
  ...change,
  steps: change.steps.flatMap((step) =>
    step.kind === 'finish-run' ? [{ ...step, status: 'failed' as const, error: idTaken }] : [],
  ),
})

const idTaken = {
  kind: 'unknown',
  message: 'The reply could not be stored: another message has its id.',
  advice: 'Try again.',
}

/** True when there is anything to keep of a reply: the prompt leaves out the same messages. */
const saysSomething = ({ parts }: UIMessage): boolean =>
  parts.some((part) =>
    part.type === 'text' || part.type === 'reasoning' ? part.text.trim() !== '' : part.type !== 'step-start',
  )

const lengthOf = (message: UIMessage): number => textsOf(message).join('').trim().length

/** The notes of a reply from the time that it came: durations of its parts, its seams, and notices for its person. */
function measuredOf(
  message: UIMessage | undefined,
): Pick<MessageMetadata, 'durations' | 'notices' | 'seams'> {
  const { metadata } = message ?? {}
  return typeof metadata === 'object' && metadata !== null ? (metadata as MessageMetadata) : {}
}
