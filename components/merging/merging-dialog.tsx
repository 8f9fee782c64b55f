'use client'

import type { Merging } from '@/components/session/merging'
import type { useMoves } from '@/components/session/use-moves'
import { Dialog, type OpenProps } from '@/components/ui/dialog'
import type { BranchId, MessageId } from '@/lib/events'
import { branchTitle, type GraphIndex } from '@/lib/graph'
import type { ChatActions } from '@/lib/protocol'
import { CompactForm } from './compact-form'
import { MergeForm } from './merge-form'
import { PickForm } from './pick-form'

const headings: Record<Merging['kind'], { title: string; description: string }> = {
  merge: { title: 'Merge', description: 'Brings what one branch has found into another.' },
  pick: {
    title: 'Bring single messages along',
    description: 'Messages are copied to the end of another branch.',
  },
  compact: {
    title: 'Sum up and go on',
    description: 'A new branch begins with one summary of everything up to here.',
  },
}

function headingOf(asked: Merging): { title: string; description: string } {
  if ('proposal' in asked && asked.proposal)
    return {
      title: 'Take proposal',
      description: 'Brings all or some of the proposal to a branch of yours. Its author is told.',
    }
  if (asked.kind === 'merge' && asked.pulledFrom)
    return {
      title: 'Merge',
      description: `Both sides have gone on. This brings what ${asked.pulledFrom} has found into your branch; push it then.`,
    }
  return headings[asked.kind]
}

interface MergingDialogProps extends OpenProps {
  asked: Merging
  index: GraphIndex
  branchId: BranchId
  actions: ChatActions
  make: ReturnType<typeof useMoves>['make']
  /** a move was made, and its branch is read */
  onDone(): void
  onOpenMessage(id: MessageId): void
}

/** Asks how branches and messages are brought together, and does it. */
export default function MergingDialog({
  asked,
  index,
  branchId,
  actions,
  make,
  ...props
}: MergingDialogProps) {
  const { onDone, onOpenMessage, ...dialog } = props
  const { chatId } = index.graph
  const close = () => dialog.onOpenChange(false)
  const done = (value: unknown): boolean => {
    if (value === null) return false
    close()
    onDone()
    return true
  }
  const open = (id: MessageId) => {
    close()
    onOpenMessage(id)
  }
  const forms = {
    merge: ({ sourceId, targetId, proposal }: Merging & { kind: 'merge' }) => (
      <MergeForm
        index={index}
        branchId={targetId ?? branchId}
        sourceId={sourceId}
        isProposal={proposal !== undefined}
        onOpenMessage={open}
        onCancel={close}
        onMerge={async ({ sourceId, ...merge }, target) =>
          done(
            await (proposal
              ? make(
                  actions.takeProposal({
                    chatId,
                    ...merge,
                    proposalId: proposal.id,
                    headId: proposal.headId,
                  }),
                  `Took “${proposal.title}” into ${target}`,
                )
              : make(
                  actions.mergeBranches({ chatId, sourceId, ...merge }),
                  `Merged ${branchTitle(index, sourceId)} into ${target}`,
                )),
          )
        }
      />
    ),
    pick: ({ messageIds, targetId, proposal }: Merging & { kind: 'pick' }) => (
      <PickForm
        index={index}
        branchId={targetId ?? branchId}
        messageIds={messageIds}
        isProposal={proposal !== undefined}
        onCancel={close}
        onPick={async (target, ids) =>
          done(
            await make(
              proposal
                ? actions.takeProposal({
                    chatId,
                    targetId: target,
                    proposalId: proposal.id,
                    headId: proposal.headId,
                    mode: 'messages',
                    messageIds: [...ids],
                  })
                : actions.pickMessages({ chatId, branchId: target, messageIds: [...ids] }),
              `Copied ${ids.length === 1 ? 'a message' : `${ids.length} messages`} to ${branchTitle(index, target)}`,
            ),
          )
        }
      />
    ),
    compact: ({ branchId: compacted, messageId }: Merging & { kind: 'compact' }) => {
      const holder = messageId === null ? undefined : index.branchHolding(messageId, branchId)?.id
      const of = compacted ?? holder ?? branchId
      return (
        <CompactForm
          branchId={of}
          title={branchTitle(index, of)}
          messageId={messageId}
          onCancel={close}
          onCompact={async (compact) =>
            done(
              await make(
                actions.compactBranch({ chatId, ...compact }),
                `A new branch begins with a summary of ${branchTitle(index, of)}`,
              ),
            )
          }
        />
      )
    },
  }
  return (
    <Dialog
      {...dialog}
      {...headingOf(asked)}
      className="top-[6dvh] max-h-[88dvh] w-[min(44rem,calc(100vw-2rem))]"
    >
      {asked.kind === 'merge'
        ? forms.merge(asked)
        : asked.kind === 'pick'
          ? forms.pick(asked)
          : forms.compact(asked)}
    </Dialog>
  )
}
