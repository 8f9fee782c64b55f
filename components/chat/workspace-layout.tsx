'use client'

import { Tabs } from 'radix-ui'
import { type ReactNode, useState } from 'react'
import { cn } from '../ui/cn'
import { Split } from '../ui/split'
import { useMediaQuery } from '../ui/use-media-query'
import { useSwipe } from '../ui/use-swipe'

export type GraphMode = 'docked' | 'full' | 'hidden'
export type Tab = 'thread' | 'graph'

interface WorkspaceLayoutProps {
  thread: ReactNode
  graph: ReactNode
  mode: GraphMode
  /** which of the two a phone shows */
  tab: Tab
  onTab(tab: Tab): void
}

/** Thread beside graph; on a phone, one or the other. */
export function WorkspaceLayout(props: WorkspaceLayoutProps) {
  const phone = useMediaQuery('(max-width: 639px)')
  return phone ? <PhoneLayout {...props} /> : <WideLayout {...props} />
}

function WideLayout({ thread, graph, mode }: WorkspaceLayoutProps) {
  if (mode === 'full') return <div className="relative min-h-0 flex-1">{graph}</div>
  return (
    <Split
      label="Resize the graph"
      share={{ initial: 42, min: 30, max: 70 }}
      remember="ramify-graph-share"
      first={thread}
      second={mode === 'docked' ? graph : null}
    />
  )
}

const tabs = { thread: 'Thread', graph: 'Graph' } as const

/** Two tabs, and a swipe from one to the other; the graph itself moves under a finger, so there it begins at the edge. */
function PhoneLayout({ thread, graph, tab, onTab }: WorkspaceLayoutProps) {
  // what comes in from the side shows where it is; nothing moves when the page opens
  const [moved, setMoved] = useState(false)
  const to = (next: Tab) => {
    setMoved(true)
    onTab(next)
  }
  const swipe = useSwipe((direction) => to(direction === 'left' ? 'graph' : 'thread'))
  return (
    <Tabs.Root
      value={tab}
      onValueChange={(value) => to(value as Tab)}
      className="flex min-h-0 flex-1 flex-col overflow-hidden"
    >
      <Tabs.List aria-label="View" className="flex shrink-0 border-line border-b" {...swipe}>
        {(['thread', 'graph'] as const).map((value) => (
          <Tabs.Trigger
            key={value}
            value={value}
            className={cn(
              '-mb-px -outline-offset-2 h-11 flex-1 border-transparent border-b-2 text-muted',
              'data-[state=active]:border-accent data-[state=active]:text-ink',
            )}
          >
            {tabs[value]}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      <Tabs.Content
        value="thread"
        forceMount
        tabIndex={-1}
        className={cn(
          'flex min-h-0 flex-1 flex-col data-[state=inactive]:hidden',
          moved && tab === 'thread' && 'from-left',
        )}
        {...swipe}
      >
        {thread}
      </Tabs.Content>
      <Tabs.Content
        value="graph"
        tabIndex={-1}
        className={cn('relative min-h-0 flex-1', moved && 'from-right')}
      >
        {graph}
        <div className="absolute inset-y-0 left-0 z-20 w-4 touch-pan-y" {...swipe} />
      </Tabs.Content>
    </Tabs.Root>
  )
}
