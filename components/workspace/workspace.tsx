'use client'

import { WifiOff } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { lazy, Suspense, startTransition, useCallback, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { retryWithModel } from '@/components/actions/on-message'
import { getJson } from '@/components/app/api'
import { useApp } from '@/components/app/app-context'
import { MoveNote } from '@/components/app/move-note'
import { GonePage } from '@/components/app/no-chat'
import { NoticeBar } from '@/components/app/notice'
import { comparePath, messagePath } from '@/components/app/paths'
import { threadAbove, useColumns } from '@/components/fan-out/use-columns'
import { useBranchModel } from '@/components/session/branch-model'
import { ChatContext, useRowTools } from '@/components/session/chat-context'
import { isArchived } from '@/components/session/chat-session'
import { filesOf, wordsOf } from '@/components/session/messages'
import { useChatSession } from '@/components/session/use-chat-session'
import { useChatSummary } from '@/components/session/use-chat-summary'
import { Composer } from '@/components/thread/composer'
import { DropZone } from '@/components/thread/drop-zone'
import { MessageEditor } from '@/components/thread/message'
import { Thread, type ThreadHandle } from '@/components/thread/thread'
import { useArrival, useOpenMessage } from '@/components/thread/use-arrival'
import { Button } from '@/components/ui/button'
import { deferred } from '@/components/ui/deferred'
import type { BranchId, MessageId } from '@/lib/events'
import type { SearchPage } from '@/lib/graph'
import { branchLines } from '@/lib/graph/branch-lines'
import { branchTitle } from '@/lib/graph/branch-title'
import type { ChatActions, ChatView } from '@/lib/protocol'
import type { Naming } from './checkpoint-popover'
import { ContextPlace, useSidePlace } from './context-place'
import { EmptyChat } from './empty-chat'
import { besideMessage, focusPlace } from './focus-place'
import { useGraphHint } from './graph-hint'
import { GraphPanel } from './graph-panel'
import { HistoryPlace } from './history-place'
import { ReplayNote } from './replay-note'
import { SkipLinks } from './skip-links'
import { useChatActions } from './use-chat-actions'
import { useFirstFocus } from './use-first-focus'
import { useWorkspaceDialogs } from './use-workspace-dialogs'
import { WorkspaceHeader } from './workspace-header'
import { useGraphMode, WorkspaceLayout } from './workspace-layout'

const CheckpointPopover = deferred(() => import('./checkpoint-popover'))
const WorkspaceDialogs = lazy(() => import('./workspace-dialogs'))
const WaitingMessage = lazy(() => import('@/components/thread/waiting-message'))
const FanOutColumns = lazy(() => import('@/components/fan-out/fan-out-columns'))
const SignInFirst = lazy(async () => ({
  default: (await import('@/components/app/sign-in-first')).SignInFirst,
}))

/** As many as the server gives in one answer. */
const mostFound = 100

export interface WorkspaceProps {
  view: ChatView
  actions: ChatActions
  /** nothing of the chat is stored yet */
  isNew: boolean
}

export function Workspace({ view, actions, isNew }: WorkspaceProps) {
  const app = useApp()
  const router = useRouter()
  const session = useChatSession(view, actions, isNew)
  const { state, dispatch, moves, sending, live } = session
  const { head, turn } = session.thread
  const { index, branchId, unsaved } = state
  const { graph } = index
  const thread = useRef<ThreadHandle>(null)
  const box = useRef<HTMLTextAreaElement>(null)
  const [naming, setNaming] = useState<Naming | null>(null)
  const [hasNamed, setHasNamed] = useState(false)
  useEffect(() => {
    CheckpointPopover.preload()
    MessageEditor.preload()
  }, [])
  const [model, setModel] = useBranchModel(index, branchId)
  const dialogs = useWorkspaceDialogs()
  const columns = useColumns(index, branchId)
  const side = useSidePlace(graph.chatId)
  /** the time that the graph is to show; another object each time it is asked for */
  const [seen, setSeen] = useState<{ seq: number } | null>(null)
  const title = useChatSummary(graph, unsaved, session.suggested)
  const place = useGraphMode()
  const hint = useGraphHint(graph.nodes.filter(({ role }) => role === 'user').length)
  const arriveAt = useArrival(state, dispatch, session.thread.rows, thread, place.threadShown)

  /** where the reader stood before a message was opened: a double click opens it twice, and leads back as a whole */
  const stood = useRef<{ before: MessageId; at: MessageId | null } | null>(null)

  const open = (id: MessageId, block?: ScrollLogicalPosition) => {
    hint.done()
    if (stood.current?.before !== id) stood.current = { before: id, at: thread.current?.stands() ?? null }
    moves.open(id)
    dispatch({ type: 'select', id })
    // a reply that is being written is the end of its branch
    if (!index.byId(id)) {
      dispatch({ type: 'end' })
      return thread.current?.toBottom()
    }
    // the graph shows at once what was picked; the thread may have far to go
    startTransition(() => arriveAt(id, block))
  }
  const switchTo = (id: string) => {
    moves.switchTo(id)
    thread.current?.toBottom()
  }
  const branchFrom = async (id: MessageId, from?: Parameters<typeof moves.branchFrom>[1]) => {
    // only a stored message can be branched from
    if (!index.byId(id)) return false
    hint.done()
    const branched = await moves.branchFrom(id, from)
    if (branched) {
      // a box that is out of sight takes no focus
      flushSync(place.showThread)
      thread.current?.toBottom()
      box.current?.focus()
    }
    return branched !== null
  }
  /** Brings back what was in sight when a move was made. */
  const backTo = (at: MessageId | null) => () => {
    if (at === null) thread.current?.toBottom()
    else arriveAt(at, 'start')
  }
  useFirstFocus(box)
  const send = (text: string) => {
    sending.send(text)
    thread.current?.toBottom()
  }

  const arriving = session.whole?.loading ?? false
  useOpenMessage(graph.chatId, arriving, (to) => {
    if (!index.byId(to.messageId)) return false
    const isHere = index.isOnChain(to.messageId, head?.id ?? null)
    const branch = isHere && index.branch(branchId)
    history.pushState(null, '', messagePath(branch ? { ...to, branch } : to))
    // the branch being read stays, where it holds the message
    if (to.branch && !isHere) moves.switchTo(to.branch.id)
    dispatch({ type: 'select', id: to.messageId })
    place.showThread()
    arriveAt(to.messageId, 'start', true)
    return true
  })

  /** Shows a message of the past, on this page alone and until the look is over. */
  const look = (id: MessageId, andRead: boolean) => {
    const holder = index.branchHolding(id, branchId)
    const reads = holder?.archivedAt === null
    if (reads) dispatch({ type: 'look', branchId: holder.id })
    dispatch({ type: 'select', id })
    if (reads) arriveAt(id)
    if (reads && andRead) place.showThread()
  }

  const tools = useRowTools(state, turn !== null, model, app.models.length > 1, {
    openVersion(id) {
      open(index.branchHolding(id) ? id : (index.newestBelow(id)?.id ?? id), 'nearest')
    },
    edit: sending.edit,
    retry: sending.retry,
    answer: sending.answer,
    inspect: dialogs.inspect,
    fanOut: (messageId) => dialogs.fanOut({ messageId }),
    ...{ replay: dialogs.replay.ask, share: dialogs.share, bisect: dialogs.replay.bisect },
    chooseModel(messageId, anchor) {
      const writtenBy = state.bodies.get(messageId)?.metadata?.model
      const asked = index.byId(messageId)?.role === 'user' ? messageId : index.parentOf(messageId)?.id
      dialogs.choose({
        messageId,
        writtenBy,
        mustTake: filesOf(state.bodies.get(asked ?? '')).map(({ mediaType }) => mediaType),
        anchor:
          anchor?.closest('button') ?? thread.current?.buttonOf(messageId, retryWithModel.id) ?? box.current,
      })
    },
    branchFrom: (id) => void branchFrom(id),
    merging: dialogs.merge,
    openMessage(id) {
      open(id)
      place.showThread()
    },
    checkpoint(messageId, anchor) {
      if (index.byId(messageId)) setHasNamed(true)
      setNaming({ messageId, from: anchor, beside: besideMessage(messageId, anchor) })
    },
  })

  const { api } = app
  const { chatId } = graph
  /** The messages of the chat, on any branch, that hold all the words; of very many the best. */
  const findText = useCallback(
    async (words: string, signal: AbortSignal) => {
      const query = new URLSearchParams({ q: words, chat: chatId, limit: String(mostFound) })
      const { hits } = await getJson<SearchPage>(api, `/api/search?${query}`, signal)
      return hits.map(({ messageId }) => messageId)
    },
    [api, chatId],
  )

  const nameOf = (id: BranchId): string => index.branch(id)?.name ?? ''
  const branchName = nameOf(branchId)
  const compares = graph.branches.length > 1
  const sideDocked = side.shown !== null && !place.phone
  /** shows the graph where a panel takes its place */
  const showGraph = () => {
    side.close()
    place.showGraph()
  }
  const chat = useChatActions({
    ...{ index, branchId, tools, switchTo },
    selectedId: state.selectedId,
    lastId: head?.id ?? null,
    graphShown: place.mode !== 'hidden' && !sideDocked,
    toggleGraph: sideDocked ? showGraph : place.toggleGraph,
    graphFull: place.graphFull,
    fillGraph() {
      side.close()
      place.fillGraph()
    },
    ...{ layout: place.layout, setLayout: place.setLayout },
    showThread: place.showThread,
    showGraph,
    contextShown: side.shown === 'Context',
    toggleContext: (from) => side.toggle('Context', from),
    historyShown: side.shown === 'History',
    toggleHistory: (from) => side.toggle('History', from),
    undo: moves.undo,
    redo: moves.redo,
    canUndo: moves.canUndo,
    canRedo: moves.canRedo,
    textOf(id) {
      const message = state.bodies.get(id)
      return message ? wordsOf(message) : ''
    },
    restore: (name) => void moves.restore(name),
    exportChat: dialogs.exportChat,
    compare: compares ? () => router.push(comparePath(chatId, branchName)) : undefined,
  })

  if (live.gone) return <GonePage draft={sending.draft} />

  const sidePanel =
    side.shown === 'History' ? (
      <HistoryPlace
        {...{ phone: place.phone, index, on: chat }}
        onClose={side.close}
        undoTo={moves.undoTo}
        see={(seq) => {
          setSeen({ seq })
          flushSync(showGraph)
          focusPlace('graph')
        }}
        goTo={(to, messageId) => {
          if (place.phone) side.close()
          const holds = messageId !== undefined && index.isOnChain(messageId, head?.id ?? null)
          if (to !== undefined && index.branch(to) && !(holds && to === branchId)) moves.switchTo(to)
          else if (messageId !== undefined) moves.open(messageId)
          place.showThread()
          if (messageId === undefined || !index.byId(messageId)) return thread.current?.toBottom()
          dispatch({ type: 'select', id: messageId })
          arriveAt(messageId, 'start', true)
        }}
      />
    ) : (
      side.shown && (
        <ContextPlace
          {...{ place: side, phone: place.phone, chatId, unsaved, model }}
          branch={{ id: branchId, title: branchTitle(index, branchId) }}
          seq={graph.seq}
          onOpenMessage={(id) => {
            if (place.phone) side.close()
            open(id)
            place.showThread()
          }}
        />
      )
    )
  const isEarlier =
    head !== null && head.role !== 'user' && turn === null && index.childrenOf(head.id).length > 0
  return (
    <ChatContext value={tools}>
      <SkipLinks on={chat} />
      <WorkspaceHeader
        title={title}
        on={chat}
        branch={
          unsaved
            ? null
            : {
                ...{ id: branchId, name: branchName, lane: head?.lane ?? null },
                title: branchTitle(index, branchId),
              }
        }
        branches={() =>
          branchLines(index).filter(({ id, archivedAt }) => archivedAt === null || id === branchId)
        }
        onBranch={switchTo}
      />
      <WorkspaceLayout
        mode={place.mode}
        tab={place.tab}
        onTab={place.setTab}
        side={sideDocked ? sidePanel : null}
        thread={
          <DropZone onFiles={sending.attachments.add}>
            <Thread
              ref={thread}
              view={threadAbove(session.thread, index, columns.shown)}
              columns={
                columns.shown && (
                  <Suspense>
                    <FanOutColumns
                      key={columns.shown.messageId}
                      beside={columns.shown}
                      {...{ state, dispatch }}
                      onKeep={moves.keep}
                      onKeepAll={columns.close}
                      onAgain={sending.retry}
                    />
                  </Suspense>
                )
              }
              dispatch={dispatch}
              onWrite={() => box.current?.focus()}
              empty={<EmptyChat onOpener={send} onSample={app.openSample} />}
              note={
                isArchived(index, branchId) ? (
                  <>
                    <bdi>{branchTitle(index, branchId)}</bdi> is archived. What you send next brings it back.
                  </>
                ) : isEarlier ? (
                  <>
                    You are at an earlier point. What you send next is kept on{' '}
                    <bdi>{branchTitle(index, branchId)}</bdi>, and everything else stays.
                  </>
                ) : columns.hidden ? (
                  <Button look="quiet" size="sm" className="-ml-2 touch:h-11" onClick={columns.reopen}>
                    Show the {columns.hidden.replies.length} replies side by side
                  </Button>
                ) : null
              }
            />
            {!app.viewer && !app.access.guests ? (
              <Suspense>
                <SignInFirst />
              </Suspense>
            ) : (
              <Composer
                model={model}
                onModel={setModel}
                ref={box}
                draft={sending.draft}
                onDraft={sending.setDraft}
                attachments={sending.attachments}
                onSend={send}
                onFanOut={(text) => dialogs.fanOut({ text, files: sending.attachments.files })}
                onLeave={() => focusPlace('messages')}
                busy={turn !== null}
                stopping={turn?.stopping ?? false}
                onStop={sending.stop}
                notice={
                  <>
                    <ReplayNote {...{ state, dispatch, actions }} />
                    {place.threadShown && <MoveNote className="mb-2 px-1" />}
                    {sending.next && (
                      <Suspense>
                        <WaitingMessage next={sending.next} busy={turn !== null} />
                      </Suspense>
                    )}
                    {sending.notice && <NoticeBar notice={sending.notice} onClose={sending.clearNotice} />}
                    <OfflineNote shown={live.offline && sending.notice?.problem.code !== 'offline'} />
                  </>
                }
              />
            )}
          </DropZone>
        }
        graph={
          <GraphPanel
            note={!place.threadShown && <MoveNote className="border-line border-t px-3" />}
            graph={session.graph}
            arriving={session.whole}
            seen={seen}
            branchId={branchId}
            selectedId={state.selectedId}
            onSelect={open}
            onDeselect={() => dispatch({ type: 'select', id: null })}
            onOpen={(id) => {
              open(id)
              place.showThread()
            }}
            onBranchFrom={(id, cameFrom) => {
              const onBack = stood.current?.before === id ? backTo(stood.current.at) : undefined
              stood.current = null
              void branchFrom(id, { cameFrom, onBack })
            }}
            {...moves}
            switchTo={switchTo}
            replay={dialogs.replay.ask}
            share={dialogs.share}
            merging={dialogs.merge}
            compareUrl={
              compares ? (left, right) => comparePath(graph.chatId, nameOf(left), nameOf(right)) : undefined
            }
            findText={findText}
            onReveal={showGraph}
            layout={place.layout}
            onLayout={place.setLayout}
            full={place.graphFull}
            onFull={place.fillGraph}
            writing={state.turns}
            onLook={look}
            onLookOver={() => dispatch({ type: 'look over' })}
            onBranchFromThen={(id, seenOn) =>
              branchFrom(id, { seenOn, cameFrom: state.lookedFrom ?? undefined })
            }
            hint={hint.shown}
            onHintClose={hint.done}
          />
        }
      />
      {place.phone && sidePanel}
      {dialogs.isUsed && (
        <Suspense>
          <WorkspaceDialogs
            {...{ dialogs, session, actions, model }}
            openMessage={tools.openMessage}
            toEnd={() => {
              place.showThread()
              thread.current?.toBottom()
            }}
          />
        </Suspense>
      )}
      {hasNamed && (
        <CheckpointPopover
          naming={naming}
          checkpoints={graph.checkpoints}
          onClose={() => setNaming(null)}
          onSave={moves.saveCheckpoint}
        />
      )}
    </ChatContext>
  )
}

/** A line above the box while the server is out of reach. A screen reader reads it out: its place is always there. */
function OfflineNote({ shown }: { shown: boolean }) {
  return (
    <div role="status">
      {shown && (
        <p className="arrive mb-2 flex items-center gap-2 px-1 text-muted text-sm">
          <WifiOff size={14} aria-hidden className="shrink-0" /> Offline: what you write is kept.
        </p>
      )}
    </div>
  )
}
