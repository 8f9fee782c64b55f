import { asReceived, NotFoundError, planReceive, type Step } from '@/lib/context'
import type { BranchId, MessageId } from '@/lib/events'
import type { OwnBranch } from './exchange-port'
import { type BranchStanding, type Exchange, standingsOf, type Uses } from './exchange-state'
import { bringChat, trackingBranch, trackingName } from './fetch-chat'
import { writeBrought } from './receive'

/** The outcome of a pull; some of it may be left to a merge. */
export interface Pulled {
  received: number
  /** branches that were moved on, or opened */
  updated: { branch: string; headMessageId: MessageId }[]
  /** branches that both sides have gone on with: `sourceBranchId` is the other side, for a merge into `targetBranchId` */
  diverged: (BranchStanding & { targetBranchId: BranchId; sourceBranchId: BranchId; sourceBranch: string })[]
}

/**
 * Fetches a chat, moves the own branches forward to their heads on the remote, and opens missing branches. A
 * branch that both sides have continued stays: it needs a merge.
 *
 * @param exchange.branch the only branch to pull; all by default
 */
export async function pullChat(
  ports: Uses,
  exchange: Exchange & { branch?: string | undefined },
): Promise<Pulled> {
  const { ownerId, chatId, remote, branch: only } = exchange
  const received = await bringChat(ports, exchange)
  const chat = await ports.exchange.standing(chatId, ownerId, remote.id)
  if (!chat) throw new NotFoundError('chat', chatId)
  const standings = standingsOf(chat).filter(({ branch }) => only === undefined || branch === only)
  if (only !== undefined && standings.length === 0) throw new NotFoundError('branch', only)
  const steps: Step[] = []
  const updated: Pulled['updated'] = []
  const diverged: Pulled['diverged'] = []
  const named = new Map(chat.branches.map((branch) => [branch.name, branch]))
  for (const standing of standings) {
    const { branch, state, remoteHeadMessageId: to } = standing
    const own = named.get(branch)
    if (to === null || (state === 'only there' && own?.isArchived)) continue
    if (state === 'behind' || state === 'only there') {
      const target = {
        branchId: own?.id ?? ports.newId(),
        name: branch,
        from: own ? own.messageId : undefined,
        to,
      }
      steps.push(...planReceive({ messages: [], branches: [target], at: ports.clock(), newId: ports.newId }))
      updated.push({ branch, headMessageId: to })
    } else if (state === 'diverged' && own) {
      const source = sourceOf(named, { name: trackingName(remote, branch), to }, ports)
      steps.push(...source.steps)
      diverged.push({
        ...standing,
        targetBranchId: own.id,
        sourceBranchId: source.id,
        sourceBranch: source.name,
      })
    }
  }
  const isMoved = updated.length > 0
  if (steps.length > 0)
    await writeBrought(ports, {
      ownerId,
      called: chatId,
      chat,
      pack: undefined,
      brought: undefined,
      steps: isMoved ? asReceived(steps) : steps,
    })
  return { received, updated, diverged }
}

/** Source of a merge with the other side: the tracking branch, a branch with that head, or a new one. */
function sourceOf(
  named: ReadonlyMap<string, OwnBranch>,
  { name, to }: { name: string; to: MessageId },
  { newId, clock }: Pick<Uses, 'newId' | 'clock'>,
): { id: BranchId; name: string; steps: Step[] } {
  const known = named.get(name)
  if (known?.messageId === to) return { id: known.id, name, steps: [] }
  const other = [...named.values()].find(({ messageId }) => messageId === to)
  if (other) return { id: other.id, name: other.name, steps: [] }
  const target = trackingBranch(known, { name, to }, newId)
  return {
    id: target.branchId,
    name,
    steps: planReceive({ messages: [], branches: [target], at: clock(), newId }),
  }
}
