'use client'

import type { Ref } from 'react'
import { useApp } from '@/components/app/app-context'
import { deferred } from '@/components/app/deferred'
import { MoveNote } from '@/components/app/move-note'
import { ReplayNote } from '@/components/replay/replay-note'
import type { useChatSession } from '@/components/session/use-chat-session'
import { AgentNote } from '@/components/steering/agent-note'
import { Composer } from '@/components/thread/composer'
import type { BranchId } from '@/lib/events'
import type { ChatActions, ChatView } from '@/lib/protocol'
import { SendingNotes } from './sending-notes'
import type { useWorkspaceDialogs } from './use-workspace-dialogs'

const SignInFirst = deferred(async () => ({
  default: (await import('@/components/app/sign-in-first')).SignInFirst,
}))
const ReaderBar = deferred(() => import('@/components/people/reader-bar'))

interface WritingPlaceProps {
  session: ReturnType<typeof useChatSession>
  actions: ChatActions
  /** set in a chat of someone else */
  lent: ChatView['lent']
  model: string
  onModel(id: string): void
  box: Ref<HTMLTextAreaElement>
  dialogs: ReturnType<typeof useWorkspaceDialogs>
  threadShown: boolean
  onSend(text: string): void
  onBranch(id: BranchId): void
  onLeave(): void
}

/** The message box below a thread, or what stands there for a person who cannot write. */
export function WritingPlace({ session, actions, lent, dialogs, ...props }: WritingPlaceProps) {
  const app = useApp()
  const { state, dispatch, moves, sending, live } = session
  const { index, branchId } = state
  const busy = session.thread.turn !== null
  if (lent) return <ReaderBar chatId={index.graph.chatId} {...lent} />
  if (!app.viewer && !app.access.guests) return <SignInFirst />
  return (
    <Composer
      model={props.model}
      onModel={props.onModel}
      ref={props.box}
      draft={sending.draft}
      onDraft={sending.setDraft}
      attachments={sending.attachments}
      onSend={props.onSend}
      onFanOut={(text) => dialogs.fanOut({ text, files: sending.attachments.files })}
      onLeave={props.onLeave}
      busy={busy}
      stopping={session.thread.turn?.stopping ?? false}
      onStop={sending.stop}
      notice={
        <>
          <ReplayNote state={state} dispatch={dispatch} actions={actions} />
          <AgentNote index={index} branchId={branchId} moves={moves} onBranch={props.onBranch} />
          {props.threadShown && <MoveNote className="mb-2 px-1" />}
          <SendingNotes sending={sending} live={live} busy={busy} />
        </>
      }
    />
  )
}
