'use client'

import { useRouter } from 'next/navigation'
import { useRef, useState } from 'react'
import type { MessageId } from '@/lib/events'
import type { ChatActions, ChatView } from '@/lib/graph'
import { useApp } from './app-context'
import { ChatContext, type ChatTools } from './chat-context'
import { page } from './chat-state'
import { CheckpointPopover, type Naming } from './checkpoint-popover'
import { Composer } from './composer'
import { EmptyChat } from './empty-chat'
import { GonePage } from './gone-page'
import { useGraphHint } from './graph-hint'
import { GraphPanel } from './graph-panel'
import { NoticeBar } from './notice'
import { OfflineNote } from './offline-note'
import { comparePath, messagePath } from './paths'
import { Thread, type ThreadHandle } from './thread'
import { versionsOf } from './thread-rows'
import { useArrival } from './use-arrival'
import { useChatCommands } from './use-chat-commands'
import { useChatKeys } from './use-chat-keys'
import { useChatSession } from './use-chat-session'
import { useChatSummary } from './use-chat-summary'
import { useGraphMode } from './use-graph-mode'
import { useOpenMessage } from './use-open-message'
import { WorkspaceHeader } from './workspace-header'
import { WorkspaceLayout } from './workspace-layout'

interface WorkspaceProps {
  view: ChatView
  actions: ChatActions
  isNew: boolean
  compareHref?: string
}

export function Workspace({ view, actions, isNew, compareHref }: WorkspaceProps) {
  const app = useApp()
  const router = useRouter()
  const session = useChatSession(view, actions, isNew)
  const { state, dispatch, moves, sending, live, turn, head, loading } = session
  const { index, branchId, unsaved } = state
  const { graph } = index
  const thread = useRef<ThreadHandle>(null)
  const box = useRef<HTMLTextAreaElement>(null)
  const [naming, setNaming] = useState<Naming | null>(null)
  const title = useChatSummary(graph, unsaved, session.suggested)
  const place = useGraphMode()
  const hint = useGraphHint(graph.nodes.filter(({ role }) => role === 'user').length)
  const arriveAt = useArrival(state, dispatch, session.thread.rows, thread, place.threadShown)

  const open = (id: MessageId, block?: ScrollLogicalPosition) => {
    hint.done()
    moves.open(id)
    dispatch({ type: 'select', id })
    arriveAt(id, block)
  }
  const switchTo = (id: string) => {
    void moves.switchTo(id)
    thread.current?.toBottom()
  }
  const branchFrom = async (id: MessageId) => {
    hint.done()
    if (await moves.branchFrom(id)) {
      thread.current?.toBottom()
      box.current?.focus()
    }
  }
  const send = (text: string) => {
    sending.send(text)
    thread.current?.toBottom()
  }

  useOpenMessage(graph.chatId, (to) => {
    if (!index.byId(to.messageId)) return false
    history.pushState(null, '', messagePath(to))
    if (to.branch && to.branch.id !== branchId) void moves.switchTo(to.branch.id)
    dispatch({ type: 'select', id: to.messageId })
    place.showThread()
    arriveAt(to.messageId, 'start', true)
    return true
  })

  const tools: ChatTools = {
    busy: turn !== null,
    versionsOf: (id) => versionsOf(index, id),
    checkpointsAt: (id) => graph.checkpoints.filter(({ messageId }) => messageId === id),
    openVersion(id) {
      open(index.branchHolding(id) ? id : (index.newestBelow(id)?.id ?? id), 'nearest')
    },
    edit: sending.edit,
    retry: sending.retry,
    branchFrom,
    checkpoint: (messageId, anchor) => setNaming({ messageId, anchor }),
  }

  const lastId = head?.id ?? null
  useChatKeys({ ...tools, ...place, selectedId: state.selectedId, lastId })
  useChatCommands(graph, branchId, {
    ...place,
    switchTo,
    restore: moves.restore,
    branchFromHere: () => lastId && void branchFrom(lastId),
    checkpoint: () => lastId && setNaming({ messageId: lastId, anchor: box.current }),
  })

  if (live.gone) return <GonePage draft={sending.draft} />

  const summary = app.chats.find(({ id }) => id === graph.chatId)
  const branchName = index.branch(branchId)?.name ?? ''
  const goesElsewhere = head !== null && turn === null && index.childrenOf(head.id).length > 0
  return (
    <ChatContext value={tools}>
      <WorkspaceHeader
        title={title}
        onRename={summary && (() => app.renameChat(summary))}
        onDelete={summary && (() => app.deleteChat(summary))}
        branch={branchId}
        branches={
          unsaved
            ? []
            : graph.branches
                .filter(({ id, archivedAt }) => archivedAt === null || id === branchId)
                .map(({ id, name }) => ({ value: id, label: name }))
        }
        onBranch={switchTo}
        onCheckpoint={lastId ? (anchor) => setNaming({ messageId: lastId, anchor }) : undefined}
        compareHref={graph.branches.length > 1 ? compareHref : undefined}
        graphShown={place.mode !== 'hidden'}
        onToggleGraph={place.toggleGraph}
      />
      <WorkspaceLayout
        mode={place.mode}
        tab={place.tab}
        onTab={place.setTab}
        thread={
          <>
            <Thread
              ref={thread}
              path={branchId}
              rows={session.thread.rows}
              above={session.thread.above}
              loadingAt={loading.loading ? (session.thread.missing?.at ?? null) : null}
              problem={loading.problem && { problem: loading.problem, again: loading.again }}
              head={head}
              failure={state.index.branch(branchId)?.failure ?? null}
              turn={turn}
              turnLane={session.turnLane}
              onLoadMore={() => dispatch({ type: 'floor', depth: state.floor - page })}
              empty={<EmptyChat onOpener={send} onSample={app.openSample} />}
              note={
                goesElsewhere &&
                head.role !== 'user' && (
                  <p className="px-1 pt-2 pl-[23px] text-muted text-sm">
                    You are at an earlier point. What you send next is kept on <bdi>{branchName}</bdi>, and
                    everything else stays.
                  </p>
                )
              }
            />
            <Composer
              ref={box}
              draft={sending.draft}
              onDraft={sending.setDraft}
              onSend={send}
              busy={turn !== null}
              stopping={turn?.stopping ?? false}
              onStop={sending.stop}
              notice={
                <>
                  {sending.notice && <NoticeBar notice={sending.notice} onClose={sending.clearNotice} />}
                  <OfflineNote shown={live.offline && sending.notice?.problem.code !== 'offline'} />
                </>
              }
            />
          </>
        }
        graph={
          <GraphPanel
            graph={session.graph}
            branchId={branchId}
            selectedId={state.selectedId}
            onSelect={open}
            onOpen={(id) => {
              open(id)
              place.showThread()
            }}
            onBranchFrom={(id) => void branchFrom(id)}
            onCheckpoint={(messageId) => setNaming({ messageId, anchor: document.activeElement })}
            onSwitch={switchTo}
            onRestore={(name) => void moves.restore(name)}
            onCompare={
              compareHref
                ? (id) => router.push(comparePath(compareHref, branchName, index.branchHolding(id)?.name))
                : undefined
            }
            hint={hint.shown}
            onHintClose={hint.done}
          />
        }
      />
      <CheckpointPopover
        naming={naming}
        checkpoints={graph.checkpoints}
        onClose={() => setNaming(null)}
        onSave={(messageId, name) => void moves.saveCheckpoint(messageId, name)}
      />
    </ChatContext>
  )
}
