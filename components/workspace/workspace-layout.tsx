'use client'

import { Tabs } from 'radix-ui'
import {
  type ReactNode,
  type RefObject,
  type TouchEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { GraphLayout } from '@/components/actions/on-chat'
import { useOnClient } from '@/components/app/use-on-client'
import { cn } from '@/components/ui/cn'
import { useStored } from '@/components/ui/stored-value'
import { useMediaQuery } from '@/components/ui/use-media-query'
import { useSwipe } from '@/components/ui/use-swipe'
import { focusPlace, isFocusLost } from './focus-place'
import { Split } from './split'

type GraphMode = 'docked' | 'full' | 'hidden'
type Tab = 'thread' | 'graph'

/** A phone. */
const narrow = '(max-width: 639px)'

/**
 * The place of the graph: beside the thread, instead of it, or hidden. A phone shows one of the two.
 *
 * @param unbranched a chat that began on this page has no branch yet: its graph comes with the first, or when asked for
 */
export function useGraphMode(unbranched: boolean) {
  const phone = useMediaQuery(narrow)
  const [stored, setStored] = useStored('ramify-graph', 'docked')
  const [full, setFull] = useState(false)
  const [tab, setTab] = useState<Tab>('thread')
  const [layout, setLayout] = useGraphLayout(full)
  const [wanted, setWanted] = useState(false)
  const waits = unbranched && !wanted
  const mode: GraphMode = full ? 'full' : stored === 'hidden' || waits ? 'hidden' : 'docked'

  const keep = (next: 'docked' | 'hidden') => {
    setWanted(true)
    setStored(next)
  }
  const toggleGraph = () => {
    if (phone) return setTab(tab === 'graph' ? 'thread' : 'graph')
    if (full) return setFull(false)
    keep(mode === 'hidden' ? 'docked' : 'hidden')
  }

  return {
    phone,
    mode,
    /** it is hidden until the first branch */
    waits,
    tab,
    setTab,
    layout,
    setLayout,
    graphFull: full,
    toggleGraph,
    fillGraph() {
      if (phone) return setTab('graph')
      if (full) return setFull(false)
      keep('docked')
      setFull(true)
    },
    showThread() {
      setTab('thread')
      setFull(false)
    },
    showGraph() {
      if (phone) return setTab('graph')
      if (mode === 'hidden') keep('docked')
    },
    threadShown: phone ? tab === 'thread' : !full,
    graphInSight: phone ? tab === 'graph' : mode !== 'hidden',
  }
}

/** Drawing of the graph beside the thread, and in the full window: each has its own choice. */
function useGraphLayout(full: boolean): [GraphLayout, (layout: GraphLayout) => void] {
  const docked = useStored('ramify-graph-layout', 'outline')
  const filling = useStored('ramify-graph-layout-full', 'map')
  const [stored, choose] = full ? filling : docked
  return [stored === 'map' ? 'map' : 'outline', choose]
}

interface WorkspaceLayoutProps {
  thread: ReactNode
  graph: ReactNode
  /** in place of the graph, which keeps its state; null for nothing */
  side: ReactNode
  mode: GraphMode
  /** the side that a phone shows */
  tab: Tab
  onTab(tab: Tab): void
}

const tabs = { thread: 'Thread', graph: 'Graph' } as const

/**
 * Thread beside graph, or one of them alone; on a phone two tabs, and a swipe between them. The hidden one
 * stays as it is: a begun edit, a choice in the graph, the place in the thread.
 */
export function WorkspaceLayout({ thread, graph, side, mode, tab, onTab }: WorkspaceLayoutProps) {
  const phone = useMediaQuery(narrow)
  // a panel comes in from its side, but not when the page opens
  const [moved, setMoved] = useState(false)
  const to = (next: Tab) => {
    setMoved(true)
    onTab(next)
  }
  const swipe = useSwipe((direction) => to(direction === 'left' ? 'graph' : 'thread'))
  const alone = phone ? tab : mode === 'full' ? 'graph' : mode === 'hidden' ? 'thread' : null
  const hasSide = side !== null
  useEffect(() => {
    if (alone === 'graph' && isFocusLost()) focusPlace('graph')
  }, [alone])
  const hasGraph = useOnceTrue(alone !== 'thread' && !hasSide)
  const panel = { phone, moved: moved && phone, swipe }
  return (
    <Tabs.Root
      value={tab}
      onValueChange={(value) => to(value as Tab)}
      className="flex min-h-0 flex-1 flex-col overflow-hidden"
    >
      {phone && (
        <Tabs.List aria-label="View" className="flex shrink-0 border-line border-b" {...swipe}>
          {(['thread', 'graph'] as const).map((value) => (
            <Tabs.Trigger
              key={value}
              value={value}
              className={cn(
                // a tap focuses it from a script, which a browser shows as after a key
                '-mb-px -outline-offset-2 touch:outline-none h-11 flex-1 border-transparent border-b-2 text-muted',
                'data-[state=active]:border-accent data-[state=active]:text-ink',
              )}
            >
              {tabs[value]}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
      )}
      <Split
        shown={hasSide ? 'both' : alone === 'thread' ? 'first' : alone === 'graph' ? 'second' : 'both'}
        first={
          <Panel of="thread" shown={hasSide || alone !== 'graph'} {...panel}>
            {thread}
          </Panel>
        }
        second={
          <>
            <div className={cn('h-full', hasSide && 'hidden')}>
              <Panel of="graph" shown={!hasSide && alone !== 'thread'} {...panel}>
                {hasGraph && graph}
              </Panel>
            </div>
            {side}
          </>
        }
      />
    </Tabs.Root>
  )
}

interface PanelProps {
  of: Tab
  shown: boolean
  phone: boolean
  /** it comes in from its side */
  moved: boolean
  swipe: Record<string, (event: TouchEvent) => void>
  children: ReactNode
}

/** One of the two; on a phone, what a tab shows. */
function Panel({ of, shown, phone, moved, swipe, children }: PanelProps) {
  const frame = useKeptFocus(shown)
  const isThread = of === 'thread'
  return (
    <Tabs.Content
      ref={frame}
      value={of}
      forceMount
      tabIndex={!phone ? undefined : isThread ? -1 : 0}
      {...(!phone && { role: undefined, 'aria-labelledby': undefined })}
      className={cn(
        isThread ? 'flex min-h-0 flex-1 flex-col' : 'relative h-full',
        moved && shown && (isThread ? 'from-left' : 'from-right'),
      )}
      {...(phone && isThread && swipe)}
    >
      {children}
      {/* the graph itself moves under a finger, so there a swipe begins at the edge */}
      {phone && !isThread && <div className="absolute inset-y-0 left-0 z-20 w-4 touch-pan-y" {...swipe} />}
    </Tabs.Content>
  )
}

/** Keeps the focus of an element that is hidden, and gives it back with the element unless it is elsewhere by then. */
function useKeptFocus(shown: boolean): RefObject<HTMLDivElement | null> {
  const frame = useRef<HTMLDivElement>(null)
  const kept = useRef<HTMLElement | null>(null)

  useLayoutEffect(() => {
    const { activeElement, body } = document
    if (!shown) {
      // the browser takes the focus away with its next frame
      const within = activeElement instanceof HTMLElement && frame.current?.contains(activeElement)
      kept.current = within ? activeElement : null
      return
    }
    if (kept.current?.isConnected && activeElement === body) kept.current.focus({ preventScroll: true })
    kept.current = null
  }, [shown])

  return frame
}

/** True once `now` was true in the browser; on the server, true when it is. */
function useOnceTrue(now: boolean): boolean {
  const onClient = useOnClient()
  const [once, setOnce] = useState(false)
  if (onClient && now && !once) setOnce(true)
  return now || once
}
