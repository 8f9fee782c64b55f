'use client'

import '@xyflow/react/dist/style.css'
import { ReactFlowProvider } from '@xyflow/react'
import { type RefObject, useDeferredValue, useLayoutEffect, useRef, useState } from 'react'
import { commandsOf } from '@/components/actions/action'
import { toggleHistory } from '@/components/actions/on-chat'
import { closeHistory, returnToNow } from '@/components/actions/on-graph'
import { useOffer } from '@/components/actions/use-offer'
import { WordButton } from '@/components/actions/word-button'
import type { MessageId } from '@/lib/events'
import { GraphCanvas } from './canvas/graph-canvas'
import { GraphBar } from './graph-bar'
import type { Size } from './model/geometry'
import type { ConversationGraphProps, TimeTravel } from './model/graph-props'
import { useGraphModel } from './model/use-graph-model'
import { OutlineCanvas } from './outline/outline-canvas'
import { EmptyGraph } from './picture/empty-graph'
import { TimeBar, TimeMark } from './time/time-bar'
import { useTime } from './time/use-time'
import { useTimeModel } from './time/use-time-model'

/**
 * The explorer: every message of a chat, now or as it was, as an outline or as a map of lines. It changes nothing
 * itself: its parent is asked for every move. Needs a `HintProvider` above it.
 */
export default function ConversationGraph({
  graph,
  branchId,
  pending = false,
  travel,
  layout,
  onLayout,
  full,
  onFull,
  writing,
  opening,
  ...props
}: ConversationGraphProps) {
  // a click shows its selection at once; the other path that it may lead to is drawn after that
  const read = useDeferredValue(branchId)
  const [live, folding] = useGraphModel(graph, read, props.selectedId, layout === 'map')
  const clock = useRef<HTMLButtonElement>(null)
  const time = useTime(live, travel, clock)
  const [frame, size] = useSize(opening)
  const isEmpty = live.visible.nodes.length === 0
  const [model, held] = useTimeModel(live, time.timeline, time.shown, props.selectedId) ?? [live, folding]
  useOffer(
    () => (travel ? commandsOf('Graph', [returnToNow, closeHistory], () => time.on) : []),
    props.onReveal,
  )
  const [tools, setTools] = useState<HTMLElement | null>(null)
  const movement = time.timeline?.movements[(time.shown ?? 0) - 1]

  const on =
    travel && model.past
      ? {
          ...props,
          compareUrl: undefined,
          onSelect: (id: MessageId) => travel.onLook(id, false),
          onOpen: (id: MessageId) => travel.onLook(id, true),
          onBranchFrom: (id: MessageId) => void time.branchFrom(id),
        }
      : props
  const asOf = model.past ? (movement?.at ?? null) : null
  const drawing = size && { ...on, model, folding: held, size, asOf }
  // during a look at the past the thumb moves first: its position is drawn once, after that
  const later = useDeferredValue(drawing)
  const drawn = model.past ? later : drawing
  return (
    <section
      aria-label="Conversation graph"
      aria-busy={pending}
      className="relative flex h-full w-full flex-col overflow-hidden bg-canvas"
      onKeyDown={isEmpty ? undefined : time.onKeyDown}
    >
      {!isEmpty && (
        <GraphBar
          on={{ layout, setLayout: onLayout, graphFull: full, fillGraph: () => onFull(!full) }}
          tools={setTools}
          history={travel && <HistoryButton ref={clock} travel={travel} onLeave={time.on.leave} />}
        />
      )}
      <div ref={frame} className="relative min-h-0 flex-1">
        {isEmpty && <EmptyGraph />}
        {!isEmpty && drawn && (
          <ReactFlowProvider
            key={`${graph.chatId} ${layout}`}
            initialWidth={drawn.size.width}
            initialHeight={drawn.size.height}
          >
            {layout === 'outline' ? (
              <OutlineCanvas {...drawn} now={live.index} tools={tools} writing={writing} />
            ) : (
              <GraphCanvas {...drawn} />
            )}
          </ReactFlowProvider>
        )}
        {model.past && movement && <TimeMark isEmpty={model.visible.nodes.length === 0} />}
      </div>
      {travel?.isOpen && travel.frame(!isEmpty && <TimeBar time={time} travel={travel} index={live.index} />)}
      {pending && <div aria-hidden className="late absolute inset-x-0 top-0 z-30 h-0.5 bg-accent" />}
    </section>
  )
}

interface HistoryButtonProps {
  ref: RefObject<HTMLButtonElement | null>
  travel: TimeTravel
  onLeave(): void
}

/** Shows the history below the graph, and hides it. */
function HistoryButton({ travel: { isOpen, onOpen }, onLeave, ...props }: HistoryButtonProps) {
  const { label, Icon, keys } = toggleHistory
  const offer = { label, short: label, Icon, hint: keys?.[0], refused: false }
  return (
    <WordButton
      {...props}
      offer={offer}
      size="sm"
      aria-pressed={isOpen}
      className="text-xs touch:h-11 touch:min-w-11"
      wordClass="hidden @md:inline"
      onClick={isOpen ? onLeave : () => onOpen(true)}
    />
  )
}

/**
 * The size of an element, null until it is first visible; while it is hidden the last one.
 *
 * @param opening tells the size that it will probably have
 */
function useSize(opening: () => Size | null = () => null): [RefObject<HTMLDivElement | null>, Size | null] {
  const frame = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState(opening)
  useLayoutEffect(() => {
    const element = frame.current
    if (!element) return
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = element
      if (width === 0 || height === 0) return
      setSize((known) => (known?.width === width && known.height === height ? known : { width, height }))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [frame, size]
}
