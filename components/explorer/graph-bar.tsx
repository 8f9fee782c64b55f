'use client'

import type { ReactNode, Ref } from 'react'
import { offerOf } from '@/components/actions/action'
import { ActionButton } from '@/components/actions/action-button'
import { fillWindow, type GraphLayout, type OnPlace } from '@/components/actions/on-chat'
import { Segmented } from '@/components/ui/segmented'
import { useMediaQuery } from '@/components/ui/use-media-query'
import { barPlace } from './bar-place'

const layouts = [
  { value: 'outline', label: 'Outline' },
  { value: 'map', label: 'Map' },
] as const satisfies readonly { value: GraphLayout; label: string }[]

interface GraphBarProps {
  on: OnPlace
  tools: Ref<HTMLDivElement>
  /** its button */
  history: ReactNode
}

/** Bar above the graph: its layout, the tools of its layout, its history, and its full window. */
export function GraphBar({ on, tools, history }: GraphBarProps) {
  // a phone shows the graph alone anyway
  const phone = useMediaQuery('(max-width: 639px)')
  return (
    <div className={`@container ${barPlace}`}>
      <Segmented
        label="Graph layout"
        value={on.layout}
        options={layouts}
        onChange={on.setLayout}
        className="shrink-0"
      />
      <div ref={tools} className="flex min-w-0 flex-1 justify-end" />
      {history}
      {!phone && <ActionButton offer={offerOf(fillWindow, on)} />}
    </div>
  )
}
