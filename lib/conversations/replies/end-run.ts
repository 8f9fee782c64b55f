import type { UIMessage } from 'ai'
import {
  type Change,
  type Committed,
  estimateTokens,
  MessageExistsError,
  messageText,
  NamedError,
  planEnding,
  RunOverError,
  type RunRecord,
} from '@/lib/context'
import type { Explanation, GraphDelta, MessageMetadata } from '@/lib/protocol'
import { deltaOf } from '../delta-of'
import type { Ports } from '../ports'
import { waitFor } from '../watch/chat-bell'

/** How long a finished reply is held while the database is away, in ms. */
const PATIENCE = 60_000
/** The longest pause between two attempts to store it, in ms: shorter than a lease, which would free the run. */
const PAUSE = 1000

/** Characters that are weighed one by one; a longer text is taken to be like its beginning. */
const WEIGHED = 20_000

/** What the model was given. */
export interface Prompt {
  instructions: string
  messages: UIMessage[]
}

interface RunEnding {
  status: 'completed' | 'stopped' | 'failed'
  /** the reply, if the model said anything */
  message?: UIMessage | undefined
  usage?: MessageMetadata['usage']
  error?: Explanation | undefined
  /** what it has cost, said or not */
  spent: NonNullable<Change['spent']>
}

/**
 * Stores the end of a run in one write: its reply, where there is one, and its terminal state. The database may be away for
 * a minute. Rejects with `RunOverError` when the run is over, by this very change perhaps; with `MessageExistsError` when
 * another message has the reply's id: then the run has failed.
 *
 * @param lost aborted when another process has taken the run
 */
export async function endRun(
  ports: Ports,
  run: RunRecord,
  lost: AbortSignal,
  { status, message, usage, error, spent }: RunEnding,
): Promise<{ delta: GraphDelta; metadata: MessageMetadata }> {
  const createdAt = ports.clock()
  const partial = status === 'completed' ? undefined : status
  const metadata: MessageMetadata = { model: run.model, createdAt, usage, status: partial, error }
  const data = { ...message, id: run.replyId, metadata }
  const reply = message && { data, createdAt, usage: usage ?? null }
  const steps = planEnding(run, { status, error, reply, newId: ports.newId })
  const change: Change = { chatId: run.chatId, at: createdAt, spent, steps }
  return { delta: deltaOf(change, await commitPatiently(ports, change, lost)), metadata }
}

/**
 * Commits a change again and again while the database is away for a moment. A refusal is final, and so is a database that
 * stays away. Safe to repeat: a run ends once.
 */
async function commitPatiently(ports: Ports, change: Change, lost: AbortSignal): Promise<Committed> {
  const until = ports.clock() + PATIENCE
  for (let attempt = 0; ; attempt++) {
    try {
      return await ports.store.commit(change)
    } catch (error) {
      // mostly this very reply is stored already, by an attempt whose answer was lost or by the run's next holder
      if (error instanceof MessageExistsError) {
        await ports.store.commit(withoutReply(change))
        throw error
      }
      if (error instanceof NamedError || ports.clock() >= until) throw error
      if (lost.reason instanceof RunOverError) throw lost.reason
      if (attempt === 0) ports.logError('storing a reply, to be tried again', error)
      await waitFor(() => () => undefined, { timeoutMs: Math.min(250 * 2 ** attempt, PAUSE) })
    }
  }
}

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

/**
 * What a reply has cost, for quotas: the tokens its provider counted, and where it told none an estimate. A request that
 * failed before its first word counts nothing.
 *
 * @param attempt the one that made it: those before were called for too
 */
export function spentOn(
  prompt: Prompt,
  reply: { status: string; message: UIMessage; usage?: MessageMetadata['usage'] | undefined },
  attempt: number,
): NonNullable<Change['spent']> {
  const said = textsOf(reply.message)
  const isRefused = reply.status === 'failed' && said.every((text) => text === '')
  const { inputTokens, outputTokens } = reply.usage ?? {}
  const unknown = (texts: () => string[]) => (isRefused ? 0 : aboutTokens(texts()))
  const input = inputTokens ?? unknown(() => [prompt.instructions, ...prompt.messages.map(messageText)])
  return { tokens: input + (outputTokens ?? unknown(() => said)), calls: attempt - 1 }
}

/** The cost of attempts that were given up: only what they said is known of them. */
export const spentOnAttempts = (
  partials: readonly UIMessage[],
  attempt: number,
): NonNullable<Change['spent']> => ({
  tokens: aboutTokens(partials.flatMap(textsOf)),
  // the last one only ends the run
  calls: Math.max(0, attempt - 2),
})

const textsOf = ({ parts }: UIMessage): string[] =>
  parts.flatMap((part) => (part.type === 'text' || part.type === 'reasoning' ? [part.text] : []))

/** About how many tokens texts have, in bounded time however long they are. */
function aboutTokens(texts: readonly string[]): number {
  const sample: string[] = []
  let weighed = 0
  let length = 0
  for (const text of texts) {
    const beginning = text.slice(0, WEIGHED - weighed)
    if (beginning !== '') sample.push(beginning)
    weighed += beginning.length
    length += text.length
  }
  return weighed === 0 ? 0 : Math.ceil((estimateTokens(sample) * length) / weighed)
}
