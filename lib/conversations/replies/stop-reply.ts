import { NotFoundError, type RunRecord } from '@/lib/context'
import type { ChatId, MessageId, RunId, UserId } from '@/lib/events'
import type { Ports } from '../ports'
import { waitFor } from '../watch/chat-bell'
import { executeRun } from './execute-run'

/** Pause between two looks at a run that another process stops, in ms; a hint may come sooner. */
const POLL = 100
/** Time for the holder of a run to stop it before this process takes it, in ms. */
const PATIENCE = 3000
/** Maximum number of times to take a run from its holder. */
const ROUNDS = 5

/** Ends a reply at its present length and stores its text; a repeated request gets the end of the run. */
export async function stopReply(
  ports: Ports,
  request: { ownerId: UserId; chatId: ChatId; runId: RunId },
): Promise<{ status: RunRecord['status']; messageId: MessageId | null }> {
  const { ownerId, chatId, runId } = request
  const find = async () => {
    const run = await ports.runs.find(ownerId, chatId, runId)
    if (!run) throw new NotFoundError('run', runId)
    return run
  }
  let run = await find()
  const live = ports.live.get(runId)
  if (isLive(run) && live) {
    live.abort.abort()
    await live.ended
    run = await find()
  }
  if (isLive(run)) await ports.runs.requestStop(chatId, runId)
  // another request to stop it may take the run while this one ends it
  for (let round = 0; isLive(run) && round < ROUNDS; round++) {
    if (run.status === 'running') run = await waitForEnd(ports, run, find)
    if (!isLive(run)) break
    // the run has no holder, or its holder does not answer
    const seized = await ports.runs.seize(chatId, runId, ports.leaseMs)
    if (seized) await executeRun(ports, { ...seized, stopping: true }, ports.live.open(seized))
    run = await find()
  }
  const reply = await ports.reads.message(chatId, ownerId, run.replyId)
  return { status: run.status, messageId: reply ? run.replyId : null }
}

/** Waits for the holder of a run, in another process, to end it. */
async function waitForEnd(ports: Ports, run: RunRecord, find: () => Promise<RunRecord>): Promise<RunRecord> {
  const until = ports.clock() + PATIENCE
  let now = run
  while (isLive(now) && ports.clock() < until) {
    await waitFor((wake) => ports.changes.subscribeChat(run.chatId, wake), { timeoutMs: POLL })
    now = await find()
  }
  return now
}

const isLive = ({ status }: RunRecord): boolean => status === 'queued' || status === 'running'
