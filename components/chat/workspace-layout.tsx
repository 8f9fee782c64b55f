'use client'

import { Tabs } from 'radix-ui'
import type { ReactNode } from 'react'
import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels'
import { cn } from '../ui/cn'
import { readStored, store } from '../ui/stored-value'
import { useMediaQuery } from '../ui/use-media-query'

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
  const saved = useDefaultLayout({ id: 'ramify-panels', storage, onlySaveAfterUserInteractions: true })
  if (mode === 'full') return <div className="min-h-0 flex-1">{graph}</div>
  return (
    <Group
      id="workspace-panels"
      className="min-h-0 flex-1"
      defaultLayout={saved.defaultLayout}
      onLayoutChanged={saved.onLayoutChanged}
    >
      <Panel id="thread-panel" minSize="30%" className="flex flex-col">
        {thread}
      </Panel>
      {mode === 'docked' && (
        <Separator
          aria-label="Resize the graph"
          className="w-px bg-line transition-colors hover:bg-accent data-[separator=active]:bg-accent data-[separator=hover]:bg-accent"
        />
      )}
      {mode === 'docked' && (
        <Panel id="graph-panel" defaultSize="42%" minSize="30%" maxSize="70%">
          {graph}
        </Panel>
      )}
    </Group>
  )
}

function PhoneLayout({ thread, graph, tab, onTab }: WorkspaceLayoutProps) {
  return (
    <Tabs.Root
      value={tab}
      onValueChange={(value) => onTab(value as Tab)}
      className="flex min-h-0 flex-1 flex-col"
    >
      <Tabs.List aria-label="View" className="flex shrink-0 border-line border-b">
        {(['thread', 'graph'] as const).map((value) => (
          <Tabs.Trigger
            key={value}
            value={value}
            className={cn(
              '-mb-px -outline-offset-2 h-10 flex-1 border-transparent border-b-2 text-muted capitalize',
              'data-[state=active]:border-accent data-[state=active]:text-ink',
            )}
          >
            {value === 'thread' ? 'Thread' : 'Graph'}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      <Tabs.Content
        value="thread"
        forceMount
        tabIndex={-1}
        className="flex min-h-0 flex-1 flex-col data-[state=inactive]:hidden"
      >
        {thread}
      </Tabs.Content>
      <Tabs.Content value="graph" tabIndex={-1} className="min-h-0 flex-1">
        {graph}
      </Tabs.Content>
    </Tabs.Root>
  )
}

const storage = { getItem: readStoredOnClient, setItem: store }

function readStoredOnClient(key: string): string | null {
  return typeof window === 'undefined' ? null : readStored(key)
}
