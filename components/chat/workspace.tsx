'use client'

import { startTransition, useCallback, useRef, useState } from 'react'
import type { BranchId, MessageId } from '@/lib/events'
import type { ChatActions, ChatView } from '@/lib/graph'
import { useApp } from './app-context'
import { ChatContext } from './chat-context'
import { CheckpointPopover, type Naming } from './checkpoint-popover'
import { Composer } from './composer'
import { EmptyChat } from './empty-chat'
import { findInChat } from './find-in-chat'
import { GonePage } from './gone-page'
import { useGraphHint } from './graph-hint'
import { GraphPanel } from './graph-panel'
import { NoticeBar } from './notice'
import { OfflineNote } from './offline-note'
import { comparePath, messagePath } from './paths'
import { Thread, type ThreadHandle } from './thread'
import { page } from './thread-window'
import { TimeStore } from './time-store'
import { useArrival } from './use-arrival'
import { useChatCommands } from './use-chat-commands'
import { useChatKeys } from './use-chat-keys'
import { useChatSession } from './use-chat-session'
import { useChatSummary } from './use-chat-summary'
import { useGraphMode } from './use-graph-mode'
import { useOpenMessage } from './use-open-message'
import { useRowTools } from './use-row-tools'
import { WorkspaceHeader } from './workspace-header'
import { WorkspaceLayout } from './workspace-layout'

interface WorkspaceProps {
  view: ChatView
  actions: ChatActions
  isNew: boolean
}

export function Workspace({ view, actions, isNew }: WorkspaceProps) {
  const app = useApp()
  const session = useChatSession(view, actions, isNew)
  const { state, dispatch, moves, sending, live, turn, head, loading } = session
  const { index, branchId, unsaved } = state
  const { graph } = index
  const thread = useRef<ThreadHandle>(null)
  const box = useRef<HTMLTextAreaElement>(null)
  const [time] = useState(() => new TimeStore())
  const [naming, setNaming] = useState<Naming | null>(null)
  const title = useChatSummary(graph, unsaved, session.suggested)
  const place = useGraphMode()
  const hint = useGraphHint(graph.nodes.filter(({ role }) => role === 'user').length)
  const arriveAt = useArrival(state, dispatch, session.thread.rows, thread, place.threadShown)

  const open = (id: MessageId, block?: ScrollLogicalPosition) => {
    hint.done()
    moves.open(id)
    dispatch({ type: 'select', id })
    // the graph shows at once what was picked; the thread may have far to go
    startTransition(() => arriveAt(id, block))
  }
  const switchTo = (id: string) => {
    void moves.switchTo(id)
    thread.current?.toBottom()
  }
  const branchFrom = async (id: MessageId, seenOn?: BranchId) => {
    hint.done()
    const branched = await moves.branchFrom(id, seenOn)
    if (branched) {
      thread.current?.toBottom()
      box.current?.focus()
    }
    return branched !== null
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

  /** On this page alone: whoever looks at the past goes nowhere by it. */
  const look = (id: MessageId, andRead: boolean) => {
    const holder = index.branchHolding(id, branchId)
    const reads = holder?.archivedAt === null
    if (reads && holder.id !== branchId) dispatch({ type: 'branch', branchId: holder.id })
    dispatch({ type: 'select', id })
    if (reads) arriveAt(id)
    if (reads && andRead) place.showThread()
  }

  const tools = useRowTools(index, turn !== null, {
    openVersion(id) {
      open(index.branchHolding(id) ? id : (index.newestBelow(id)?.id ?? id), 'nearest')
    },
    edit: sending.edit,
    retry: sending.retry,
    branchFrom: (id) => void branchFrom(id),
    checkpoint: (messageId, anchor) => setNaming({ messageId, anchor }),
  })

  const { api } = app
  const { chatId } = graph
  const findText = useCallback(
    (words: string, signal: AbortSignal) => findInChat(api, chatId, words, signal),
    [api, chatId],
  )

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
  /** a message that is a head stands for its branch, any other for the one that holds it */
  const branchOf = (id: MessageId): string =>
    (index.branchesAt(id)[0] ?? index.branchHolding(id, branchId))?.name ?? branchName
  const compares = graph.branches.length > 1
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
        compareUrl={compares ? comparePath(graph.chatId, branchName) : undefined}
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
              below={session.thread.below}
              loadingAt={session.loadingAt}
              problem={loading.problem && { problem: loading.problem, again: loading.again }}
              head={head}
              failure={state.index.branch(branchId)?.failure ?? null}
              turn={turn}
              turnLane={session.turnLane}
              onLoadMore={() => dispatch({ type: 'floor', depth: state.floor - page })}
              onLater={() => dispatch({ type: 'later' })}
              onLatest={() => dispatch({ type: 'end' })}
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
            arriving={session.wholeGraph}
            branchId={branchId}
            selectedId={state.selectedId}
            onSelect={open}
            onDeselect={() => dispatch({ type: 'select', id: null })}
            onOpen={(id) => {
              open(id)
              place.showThread()
            }}
            onBranchFrom={(id) => void branchFrom(id)}
            onSaveCheckpoint={(messageId, name) => void moves.saveCheckpoint(messageId, name)}
            onRemoveCheckpoint={(name) => void moves.removeCheckpoint(name)}
            onRestore={(name) => void moves.restore(name)}
            onSwitch={switchTo}
            onRenameBranch={(id, name) => void moves.renameBranch(id, name)}
            onArchive={(id) => void moves.archive(id)}
            onUnarchive={(id) => void moves.unarchive(id)}
            compareUrl={
              compares
                ? (left, right) => comparePath(graph.chatId, branchOf(left), branchOf(right))
                : undefined
            }
            findText={findText}
            time={time}
            onLook={look}
            onBranchFromThen={branchFrom}
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
