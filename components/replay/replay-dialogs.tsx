'use client'

import { deferred } from '@/components/app/deferred'
import { headOf } from '@/components/session/chat-session'
import { type MessageId, newId } from '@/lib/events'
import { branchTitle } from '@/lib/graph'
import { type ReplayProps, takeIn } from './replay-note'
import type { ReplayAsked } from './use-replay-place'

const BisectDialog = deferred(() => import('./bisect-dialog'), {
  floats: (props) => props,
})
const ReplayDialog = deferred(() => import('./replay-dialog'), {
  floats: (props) => props,
})

/** The dialogs of replays and bisects. */
export function ReplayDialogs(props: ReplayDialogsProps) {
  return (
    <>
      <ReplayWishes {...props} />
      <Search {...props} />
    </>
  )
}

function Search({ place: { searched, endBisect }, state: { index }, onOpenMessage }: ReplayDialogsProps) {
  if (!searched) return null
  const questions = index.chainTo(searched.id).filter(({ role }) => role === 'user')
  return (
    <BisectDialog
      key={searched.id}
      chatId={index.graph.chatId}
      messageId={searched.id}
      turns={Math.max(0, questions.length - 1)}
      previewOf={(id) => index.byId(id)?.preview}
      open={searched.open}
      onOpenChange={(open) => !open && endBisect()}
      onOpenMessage={onOpenMessage}
    />
  )
}

interface ReplayDialogsProps extends ReplayProps {
  place: ReplayAsked
  model: string
  onStarted(): void
  onOpenMessage(id: MessageId): void
}

function ReplayWishes({
  place: { asked, close },
  state,
  dispatch,
  actions,
  model,
  onStarted,
}: ReplayDialogsProps) {
  if (!asked) return null
  const { index } = state
  const { messageId } = asked
  const isHere = messageId === null || index.isOnChain(messageId, headOf(index, state.branchId))
  const holder = isHere ? undefined : index.branchHolding(messageId)?.id
  const branchId = asked.branchId ?? holder ?? state.branchId
  return (
    <ReplayDialog
      key={asked.time}
      index={index}
      branchId={branchId}
      messageId={messageId}
      model={model}
      title={branchTitle(index, branchId)}
      open={asked.open}
      onOpenChange={(open) => !open && close()}
      onStart={async (wish) => {
        const { chatId } = index.graph
        const started = actions.replay({ chatId, branchId, replayId: newId(), ...wish })
        const moved = await takeIn(dispatch, started)
        if (moved) onStarted()
        return moved !== null
      }}
    />
  )
}
