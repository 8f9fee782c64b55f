'use client'

import { retryWithModel } from '@/components/actions/on-message'
import { useApp } from '@/components/app/app-context'
import { deferred } from '@/components/app/deferred'
import { ReplayDialogs } from '@/components/replay/replay-dialogs'
import { readSince } from '@/components/session/read-chat'
import type { useChatSession } from '@/components/session/use-chat-session'
import type { MessageId } from '@/lib/events'
import { branchTitle } from '@/lib/graph/branch-title'
import type { ChatActions } from '@/lib/protocol'
import type { WorkspaceAsked } from './use-workspace-dialogs'

const ModelMenu = deferred(() => import('@/components/thread/model-menu'), {
  floats: ({ open, onClose }) => ({ open, onOpenChange: onClose }),
})
const MergingDialog = deferred(() => import('@/components/merging/merging-dialog'), {
  floats: (props) => props,
})
const FanOutDialog = deferred(() => import('@/components/fan-out/fan-out-dialog'), {
  floats: (props) => props,
})
const ExportDialog = deferred(() => import('@/components/export/export-dialog'), { floats: (props) => props })
const ShareDialog = deferred(() => import('@/components/shares/share-dialog'), { floats: (props) => props })
const ExchangeDialog = deferred(() => import('@/components/remotes/exchange-dialog'), {
  floats: (props) => props,
})
const ProposalsDialog = deferred(() => import('@/components/proposals/proposals-dialog'), {
  floats: (props) => props,
})
const PeopleDialog = deferred(() => import('@/components/people/people-dialog'), {
  floats: (props) => props,
})
const SteerDialog = deferred(() => import('@/components/steering/steer-dialog'), { floats: (props) => props })
const PromptDialog = deferred(() => import('@/components/inspector/prompt-dialog'), {
  floats: (props) => props,
})

interface WorkspaceDialogsProps {
  dialogs: WorkspaceAsked
  session: ReturnType<typeof useChatSession>
  actions: ChatActions
  model: string
  /** shows the end of the thread: something was added there */
  toEnd(): void
  openMessage(id: MessageId): void
}

/** Each comes with its first opening. */
export default function WorkspaceDialogs({
  dialogs,
  session,
  actions,
  model,
  toEnd,
  openMessage,
}: WorkspaceDialogsProps) {
  const {
    choosing,
    inspected,
    merging,
    fanning,
    exporting,
    shared,
    steering,
    exchanging,
    proposing,
    people,
  } = dialogs
  const { api } = useApp()
  const { state, dispatch, moves, sending } = session
  const { index, branchId } = state
  return (
    <>
      {choosing && (
        <ModelMenu
          choosing={choosing}
          open={choosing.open}
          label={retryWithModel.label}
          onChoose={(id, model) => {
            const node = index.byId(id)
            if (node) sending.retry(node, model)
          }}
          onClose={() => dialogs.setChoosing({ ...choosing, open: false })}
        />
      )}
      {fanning && (
        <FanOutDialog
          {...fanning}
          state={state}
          dispatch={dispatch}
          actions={actions}
          model={model}
          onOpenChange={(open) => dialogs.setFanning({ ...fanning, open })}
          onBegun={() => {
            moves.settle()
            if (fanning.of.messageId === undefined) sending.clear()
          }}
        />
      )}
      {inspected && (
        <PromptDialog
          key={inspected.id}
          chatId={index.graph.chatId}
          branchId={branchId}
          messageId={inspected.id}
          index={index}
          model={model}
          open={inspected.open}
          onOpenChange={(open) => dialogs.setInspected({ ...inspected, open })}
        />
      )}
      {exporting !== null && (
        <ExportDialog
          exported={{
            chatId: index.graph.chatId,
            branch:
              index.graph.branches.length > 1 ? { id: branchId, title: branchTitle(index, branchId) } : null,
          }}
          open={exporting}
          onOpenChange={dialogs.setExporting}
        />
      )}
      {shared && (
        <ShareDialog
          key={`share ${shared.key}`}
          index={index}
          messageId={shared.messageId}
          branchId={shared.branchId ?? index.branchHolding(shared.messageId ?? '', branchId)?.id ?? branchId}
          open={shared.open}
          onOpenChange={(open) => dialogs.setShared({ ...shared, open })}
        />
      )}
      {exchanging && (
        <ExchangeDialog
          key={`exchange ${exchanging.key}`}
          verb={exchanging.verb}
          chatId={index.graph.chatId}
          titleOf={(name) => {
            const branch = index.graph.branches.find((one) => one.name === name)
            return branch ? branchTitle(index, branch.id) : name
          }}
          open={exchanging.open}
          onOpenChange={(open) => dialogs.setExchanging({ ...exchanging, open })}
          onReceived={async () => {
            const delta = await readSince(api, index.graph.chatId, index.graph.seq)
            dispatch({ type: 'delta', complete: true, delta })
          }}
          onMerge={({ source_thread_id: sourceId, target_thread_id: targetId }, pulledFrom) => {
            dialogs.setExchanging({ ...exchanging, open: false })
            dialogs.merge({ kind: 'merge', sourceId, targetId, pulledFrom })
          }}
        />
      )}
      {proposing && (
        <ProposalsDialog
          key={`proposals ${proposing.key}`}
          index={index}
          branchId={branchId}
          open={proposing.open}
          onOpenChange={(open) => dialogs.setProposing({ ...proposing, open })}
          onTake={(asked) => {
            dialogs.setProposing({ ...proposing, open: false })
            dialogs.merge(asked)
          }}
        />
      )}
      {people && (
        <PeopleDialog
          key={`people ${people.key}`}
          chatId={index.graph.chatId}
          open={people.open}
          onOpenChange={(open) => dialogs.setPeople({ ...people, open })}
        />
      )}
      {steering && (
        <SteerDialog
          key={`steer ${steering.key}`}
          index={index}
          branchId={branchId}
          messageId={steering.messageId}
          open={steering.open}
          onOpenChange={(open) => dialogs.setSteering({ ...steering, open })}
          onSteer={async (asked) => {
            const steered = await moves.steer(asked)
            if (steered) toEnd()
            return steered
          }}
        />
      )}
      {merging && (
        <MergingDialog
          key={`merge ${merging.key}`}
          asked={merging.asked}
          index={index}
          branchId={branchId}
          actions={actions}
          make={moves.make}
          open={merging.open}
          onOpenChange={(open) => dialogs.setMerging({ ...merging, open })}
          onDone={toEnd}
          onOpenMessage={openMessage}
        />
      )}
      <ReplayDialogs
        place={dialogs.replay}
        state={state}
        dispatch={dispatch}
        actions={actions}
        model={model}
        onStarted={toEnd}
        onOpenMessage={openMessage}
      />
    </>
  )
}
