'use client'

import { useState } from 'react'
import { useStored } from '@/components/ui/stored-value'
import { useMediaQuery } from '@/components/ui/use-media-query'
import type { GraphMode, Tab } from './workspace-layout'

/** The place of the graph: beside the thread, instead of it, or hidden. A phone shows one of the two. */
export function useGraphMode() {
  const phone = useMediaQuery('(max-width: 639px)')
  const [stored, setStored] = useStored('ramify-graph', 'docked')
  const [full, setFull] = useState(false)
  const [tab, setTab] = useState<Tab>('thread')
  const mode: GraphMode = full ? 'full' : stored === 'hidden' ? 'hidden' : 'docked'

  const toggleGraph = () => {
    if (phone) return setTab(tab === 'graph' ? 'thread' : 'graph')
    if (full) return setFull(false)
    setStored(mode === 'hidden' ? 'docked' : 'hidden')
  }

  return {
    mode,
    tab,
    setTab,
    toggleGraph,
    fillGraph() {
      if (phone) return setTab('graph')
      setStored('docked')
      setFull(true)
    },
    showThread() {
      setTab('thread')
      setFull(false)
    },
    threadShown: phone ? tab === 'thread' : !full,
  }
}
