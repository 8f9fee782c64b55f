'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import { offers } from '@/components/actions/action'
import { mergeBranch } from '@/components/actions/on-merging'
import { tryAgain } from '@/components/actions/on-message'
import { useApp } from '@/components/app/app-context'
import { deferred } from '@/components/app/deferred'
import { LanesProvider } from '@/components/app/lane'
import { GonePage } from '@/components/app/no-chat'
import { comparePath } from '@/components/app/paths'
import { printBranch } from '@/components/export/print-chat'
import { threadAbove, useColumns } from '@/components/fan-out/use-columns'
import { useBranchModel } from '@/components/session/branch-model'
import { ChatContext, useRowTools } from '@/components/session/chat-context'
import { setEditing } from '@/components/session/editing'
import { filesOf, wordsOf } from '@/components/session/messages'
import { useChatNews } from '@/components/session/use-chat-news'
import { useChatSession } from '@/components/session/use-chat-session'
import { useChatSummary } from '@/components/session/use-chat-summary'
import { useHistory } from '@/components/session/use-history'
import { steeredAgent } from '@/components/steering/agent-note'
import { DropZone } from '@/components/thread/drop-zone'
import { MessageEditor } from '@/components/thread/message'
import { Thread, type ThreadHandle } from '@/components/thread/thread'
import type { BranchId } from '@/lib/events'
import { branchTitle } from '@/lib/graph/branch-title'
import type { ChatActions, ChatView } from '@/lib/protocol'
import { ContextPlace, useContextPlace } from './context-place'
import { EmptyChat } from './first-minute/empty-chat'
import { useGraphHint } from './first-minute/graph-hint'
import { useFirstRetry } from './first-minute/use-first-retry'
import { useTour } from './first-minute/use-tour'
import { focusPlace } from './focus-place'
import { GraphFoot } from './graph-foot'
import { GraphPanel, loadExplorer } from './graph-panel'
import { preloadBeside, RepliesBeside } from './replies-beside'
import { SkipLinks } from './skip-links'
import { threadNote } from './thread-note'
import { useChatActions } from './use-chat-actions'
import { useFindText } from './use-find-text'
import { useFirstFocus } from './use-first-focus'
import { useNaming } from './use-naming'
import { useReading } from './use-reading'
import { useWorkspaceDialogs } from './use-workspace-dialogs'
import { branchesToPick, branchShown, WorkspaceHeader } from './workspace-header'
import { useGraphMode, WorkspaceLayout } from './workspace-layout'
import { WritingPlace } from './writing-place'

const CheckpointPopover = deferred(() => import('./checkpoint-popover'), {
  floats: ({ naming, onClose }) => ({ open: naming !== null, onOpenChange: onClose }),
})
const WorkspaceDialogs = deferred(() => import('./workspace-dialogs'), {
  floats: ({ dialogs }) => ({ open: dialogs.isOpen, onOpenChange: dialogs.close }),
})
const HistoryPanel = deferred(() => import('@/components/history/history-panel'))
const TourBar = deferred(() => import('./first-minute/tour-bar'))
const NowYou = deferred(() => import('./first-minute/now-you'))

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
  const readOnly = view.lent !== undefined
  const { head, turn } = session.thread
  const { index, branchId, unsaved } = state
  const { graph } = index
  const thread = useRef<ThreadHandle>(null)
  const box = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    CheckpointPopover.preload()
    MessageEditor.preload()
    preloadBeside()
  }, [])
  const [model, setModel] = useBranchModel(state, dispatch, actions)
  const dialogs = useWorkspaceDialogs()
  const context = useContextPlace()
  const history = useHistory(session.graph)
  const title = useChatSummary(state, session.suggested, !readOnly)
  useChatNews(graph.chatId)
  const place = useGraphMode(isNew && graph.branches.length < 2)
  useEffect(() => {
    // the graph loads it again where that fails
    if (place.waits && !unsaved) loadExplorer().catch(() => undefined)
  }, [place.waits, unsaved])
  const tour = useTour(session, place)
  /** the chat as it is, or as it was when the tour shows it */
  const shown = tour.shown ?? { index, branchId, graph: session.graph, view: session.thread }
  const columns = useColumns(shown.index, shown.branchId)
  const first = useFirstRetry(session)
  const hint = useGraphHint(graph.nodes.filter(({ role }) => role === 'user').length)
  const reading = useReading({ session, place, hint, thread, box })
  const { open, openMessage, switchTo, branchFrom } = reading
  useFirstFocus(box)
  const send = (text: string) => {
    sending.send(text)
    thread.current?.toBottom()
  }

  const newCheckpoint = useNaming(index)
  const tools = useRowTools(shown, view.lent?.owner ?? null, turn !== null, model, app.models.length > 1, {
    openVersion(id) {
      // the version that has the focus goes: the other one takes it
      const goesOn = document.activeElement?.closest('article, [role="dialog"]') != null
      open(index.branchHolding(id) ? id : (index.newestBelow(id)?.id ?? id), 'nearest', goesOn)
    },
    edit: sending.edit,
    retry(node, by) {
      first.begin(node)
      sending.retry(node, by)
    },
    goOn: sending.goOn,
    answer: sending.answer,
    inspect: dialogs.inspect,
    leaveOut: (id, leftOut) => void moves.leaveOut(id, leftOut),
    fanOut: (messageId) => dialogs.fanOut({ messageId }),
    replay: dialogs.replay.ask,
    share: dialogs.share,
    bisect: dialogs.replay.bisect,
    chooseModel(messageId, anchor) {
      const writtenBy = state.bodies.get(messageId)?.metadata?.model
      const asked = index.byId(messageId)?.role === 'user' ? messageId : index.parentOf(messageId)?.id
      dialogs.choose({
        messageId,
        writtenBy,
        mustTake: filesOf(state.bodies.get(asked ?? '')).map(({ mediaType }) => mediaType),
        anchor: anchor?.closest('button') ?? thread.current?.buttonOf(messageId, tryAgain.id) ?? box.current,
      })
    },
    branchFrom: (id) => void branchFrom(id),
    merging: dialogs.merge,
    steer: dialogs.steer,
    openMessage,
    checkpoint: newCheckpoint.begin,
  })

  const { chatId } = graph
  const findText = useFindText(chatId)
  const nameOf = (id: BranchId): string => index.branch(id)?.name ?? ''
  const compares = graph.branches.length > 1
  const contextDocked = context.shown && !place.phone
  /** shows the graph where a panel takes its place */
  const showGraph = () => {
    context.close()
    place.showGraph()
  }
  const graphShown = place.graphInSight && !contextDocked
  const showHistory = (isOpen: boolean) => {
    hint.done()
    history.onOpen(isOpen)
    if (!isOpen) dispatch({ type: 'look over' })
  }
  const steered = steeredAgent(index, branchId)
  const chat = useChatActions({
    index,
    branchId,
    tools,
    switchTo,
    selectedId: state.selectedId,
    lastId: head?.id ?? null,
    graphShown,
    toggleGraph: contextDocked ? showGraph : place.toggleGraph,
    graphFull: place.graphFull,
    fillGraph() {
      context.close()
      place.fillGraph()
    },
    layout: place.layout,
    setLayout: place.setLayout,
    showThread: place.showThread,
    showGraph,
    contextShown: context.shown,
    toggleContext: context.toggle,
    toggleHistory() {
      if (history.isOpen && graphShown) return showHistory(false)
      flushSync(showGraph)
      showHistory(true)
    },
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
    exchange: dialogs.exchange,
    showProposals: dialogs.showProposals,
    showPeople: dialogs.showPeople,
    printBranch: () => void printBranch(app.api, chatId, branchId),
    stopSteering: steered && !readOnly ? () => void moves.stopSteering(steered.branchId) : undefined,
    compare: compares && !readOnly ? () => router.push(comparePath(chatId, nameOf(branchId))) : undefined,
  })

  if (live.gone) return <GonePage draft={sending.draft} shared={readOnly} />

  const contextPanel = context.shown && (
    <ContextPlace
      place={context}
      phone={place.phone}
      chatId={chatId}
      dispatch={dispatch}
      model={model}
      begins={unsaved ? view.begins : undefined}
      branch={{ id: branchId, title: branchTitle(index, branchId) }}
      seq={graph.seq}
      onOpenMessage={(id) => {
        if (place.phone) context.close()
        openMessage(id)
      }}
    />
  )
  const branchActs = () =>
    offers([mergeBranch], {
      branch: index.branch(branchId),
      title: branchTitle(index, branchId),
      past: readOnly,
      merging: dialogs.merge,
      severalBranches: compares,
    })
  const editNow = () => {
    if (tour.endedAt) setEditing(tour.endedAt, true)
    tour.onEnded()
  }
  return (
    <ChatContext value={tools}>
      <LanesProvider lanes={session.graph.lanes}>
        {/* painted in parts, messages move as the box below them comes */}
        <link rel="expect" href="#composer" blocking="render" />
        <SkipLinks on={chat} />
        <WorkspaceHeader
          title={title}
          on={chat}
          branch={unsaved ? null : branchShown(shown)}
          branches={() => branchesToPick(index, branchId)}
          onBranch={switchTo}
          branchActs={branchActs}
        />
        <WorkspaceLayout
          mode={place.mode}
          tab={place.tab}
          onTab={place.setTab}
          side={contextDocked ? contextPanel : null}
          thread={
            <DropZone onFiles={readOnly ? undefined : sending.attachments.add}>
              <Thread
                ref={thread}
                view={threadAbove(shown.view, shown.index, readOnly ? null : (columns.shown ?? first.pair))}
                pointed={
                  tour.endedAt && {
                    id: tour.endedAt,
                    note: <NowYou onEdit={editNow} onClose={tour.onEnded} />,
                  }
                }
                columns={
                  !readOnly &&
                  (columns.shown || first.pair) && (
                    <RepliesBeside
                      columns={columns}
                      first={first}
                      state={state}
                      dispatch={dispatch}
                      switchTo={switchTo}
                      onKeep={moves.keep}
                      onAgain={(asked, on) => sending.retry(asked, undefined, on)}
                    />
                  )
                }
                dispatch={dispatch}
                onWrite={() => box.current?.focus()}
                empty={readOnly ? null : <EmptyChat onOpener={send} onSample={app.openSample} />}
                note={tour.shown || readOnly ? null : threadNote({ session, columns })}
              />
              <WritingPlace
                session={session}
                actions={actions}
                lent={view.lent}
                model={model}
                onModel={setModel}
                box={box}
                dialogs={dialogs}
                threadShown={place.threadShown}
                onSend={send}
                onBranch={switchTo}
                onLeave={() => focusPlace('messages')}
              />
            </DropZone>
          }
          graph={
            <GraphPanel
              note={
                <GraphFoot
                  head={tour.shown || history.isOpen ? null : head}
                  on={chat}
                  branchActs={branchActs()}
                  besideThread={place.threadShown}
                />
              }
              graph={shown.graph}
              readOnly={readOnly}
              arriving={session.whole}
              history={history}
              frame={(line) => (
                <HistoryPanel
                  fallback={<section aria-label="History">{line}</section>}
                  index={index}
                  on={chat}
                  line={line}
                  shown={history.seq}
                  onClose={() => showHistory(false)}
                  undoTo={moves.undoTo}
                  see={history.onOpenAt}
                  goTo={reading.goTo}
                />
              )}
              branchId={shown.branchId}
              selectedId={state.selectedId}
              onSelect={open}
              onDeselect={() => dispatch({ type: 'select', id: null })}
              onOpen={openMessage}
              onBranchFrom={(id, cameFrom) => void reading.branchFromOpened(id, cameFrom)}
              {...moves}
              switchTo={switchTo}
              replay={dialogs.replay.ask}
              share={dialogs.share}
              merging={dialogs.merge}
              steer={dialogs.steer}
              compareUrl={
                compares && !readOnly
                  ? (left, right) => comparePath(graph.chatId, nameOf(left), nameOf(right))
                  : undefined
              }
              findText={findText}
              onReveal={showGraph}
              layout={place.layout}
              onLayout={place.setLayout}
              full={place.graphFull}
              onFull={place.fillGraph}
              writing={state.turns}
              onLook={reading.look}
              onLookOver={() => dispatch({ type: 'look over' })}
              onBranchFromThen={(id, seenOn) =>
                branchFrom(id, { seenOn, cameFrom: state.lookedFrom ?? undefined })
              }
              hint={hint.shown && !readOnly && !tour.shown && tour.endedAt === null}
              onHintClose={hint.done}
            />
          }
        />
        {tour.bar && <TourBar {...tour.bar} />}
        {place.phone && contextPanel}
        {dialogs.isUsed && (
          <WorkspaceDialogs
            dialogs={dialogs}
            session={session}
            actions={actions}
            model={model}
            openMessage={openMessage}
            toEnd={() => {
              place.showThread()
              thread.current?.toBottom()
            }}
          />
        )}
        {newCheckpoint.isUsed && (
          <CheckpointPopover
            naming={newCheckpoint.naming}
            checkpoints={graph.checkpoints}
            onClose={newCheckpoint.end}
            onSave={moves.saveCheckpoint}
          />
        )}
      </LanesProvider>
    </ChatContext>
  )
}
