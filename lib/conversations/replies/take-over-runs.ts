import { setTimeout as sleep } from 'node:timers/promises'
import type { RunRecord } from '@/lib/context'
import type { Ports } from '../ports'
import { driveAfter } from '../replays/drive-due'
import { executeRun } from './execute-run'
import { FEW } from './reply-slots'

/** Pause before the next attempt to claim a run after an error of the database, in ms. */
const PAUSE = 1000

export interface TakenOver {
  taken: number
  /** Each resolves when its reply is stored, `ended` when all are. */
  replies: Promise<void>[]
  ended: Promise<unknown>
  /** runs still wait: a place that becomes free is worth another look */
  more: boolean
}

/**
 * Takes runs that wait for a process, in turns by person, while `ports.slots` has places and at most `limit`: queued
 * by a command or a turn, or left by a process that has died.
 */
export async function takeOverRuns(ports: Ports, limit = 100): Promise<TakenOver> {
  const { slots } = ports
  let more = true
  const claimed = await slots.claim(limit, async (room) => {
    if (room.total === 0) return []
    // the runs this process writes stay its own, however long the database was away
    const wish = { ...room, few: FEW, perPerson: slots.perPerson, except: ports.live.ids() }
    const { runs, waiting } = await ports.runs.claim(ports.leaseMs, wish)
    more = waiting > 0
    return runs
  })
  const replies = claimed.map(({ run, slot }) =>
    write(ports, run)
      .finally(slot.release)
      .then(() => goOn(ports, run, run.ownerId)),
  )
  return { taken: claimed.length, replies, ended: Promise.all(replies), more }
}

/**
 * Waits in line for a place and writes one queued run, unless it was stopped, deleted or taken meanwhile. For a process in
 * which no worker takes queued runs. Resolves when the reply is stored, or when it is not for this process to write.
 */
export async function writeInLine(
  ports: Ports,
  run: Pick<RunRecord, 'chatId' | 'runId'>,
  ownerId: string,
): Promise<void> {
  const slot = await ports.slots.take(ownerId)
  if (!slot) return
  let claimed: RunRecord | undefined
  try {
    claimed = await claimPatiently(ports, run)
    slot.stored()
    if (claimed) await write(ports, claimed)
  } finally {
    slot.release()
  }
  if (claimed) await goOn(ports, claimed, ownerId)
}

async function claimPatiently(ports: Ports, { chatId, runId }: Pick<RunRecord, 'chatId' | 'runId'>) {
  for (;;) {
    try {
      return await ports.runs.claimOne(chatId, runId, ports.leaseMs)
    } catch (error) {
      // the run is queued and no other process may be there to take it
      ports.logError(`taking run ${runId}`, error)
      if (ports.slots.closed) return undefined
      await sleep(PAUSE)
    }
  }
}

/** Only a run that was queued may be one of a replay, or of a bisect. Without a worker its next reply is written here. */
async function goOn(ports: Ports, run: RunRecord, ownerId: string): Promise<void> {
  const next = await driveAfter(ports, run)
  if (next && !ports.queue.isWatched) await writeInLine(ports, next, ownerId)
}

function write(ports: Ports, run: RunRecord): Promise<void> {
  const live = ports.live.open(run)
  ports.changes.progressed(run.runId)
  return executeRun(ports, run, live)
}
