import type { DrivenWork, RunRecord } from '@/lib/context'
import type { BranchId, ChatId, RunId } from '@/lib/events'
import type { GraphDelta } from '@/lib/protocol'
import { driveBisect } from '../bisects/drive-bisect'
import type { Ports } from '../ports'
import { driveReplay } from './drive-replay'

/** Replays, and bisects, that one look drives on. */
const AT_ONCE = 64

interface Driven {
  what: 'replay' | 'bisect'
  /** work whose next step is due */
  due(limit: number): Promise<DrivenWork<string>[]>
  /** the open work on a branch */
  on(chatId: ChatId, branchId: BranchId): Promise<string | undefined>
  drive(work: DrivenWork<string>): Promise<GraphDelta | undefined>
}

const allDriven = (ports: Ports): Driven[] => [
  {
    what: 'replay',
    due: (limit) => ports.replays.due(limit),
    on: (...place) => ports.replays.on(...place),
    drive: ({ chatId, id }) => driveReplay(ports, { chatId, replayId: id }),
  },
  {
    what: 'bisect',
    due: (limit) => ports.bisects.due(limit),
    on: (...place) => ports.bisects.on(...place),
    drive: ({ chatId, id }) => driveBisect(ports, { chatId, bisectId: id }),
  },
]

/**
 * Drives the replays and bisects that wait for their next step: their process has died, or another process
 * wrote their reply. Rejects when they cannot be read; a failed step is logged and tried again later.
 */
export async function driveDue(ports: Ports): Promise<void> {
  const each = async ({ what, due, drive }: Driven) => {
    for (const work of await due(AT_ONCE)) {
      await drive(work).catch((error: unknown) => ports.logError(`driving ${what} ${work.id}`, error))
    }
  }
  await Promise.all(allDriven(ports).map(each))
}

/**
 * Drives on the replay or bisect whose reply has just ended, if the run was one of theirs. Never rejects.
 *
 * @returns the run that it has queued
 */
export async function driveAfter(
  ports: Ports,
  { chatId, branchId, runId }: RunRecord,
): Promise<{ chatId: ChatId; runId: RunId } | undefined> {
  for (const { what, on, drive } of allDriven(ports)) {
    try {
      const id = await on(chatId, branchId)
      if (id === undefined) continue
      const queued = (await drive({ chatId, id }))?.runs?.[0]
      return queued && { chatId, runId: queued.runId }
    } catch (error) {
      // a later look of any worker drives it on
      ports.logError(`a ${what} after run ${runId}`, error)
    }
  }
  return undefined
}
