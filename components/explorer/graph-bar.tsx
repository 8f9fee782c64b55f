'use client'

import type { Ref } from 'react'
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

/** Above the graph: how it is drawn, whether it fills the window, and the tools of its layout. */
export function GraphBar({ on, tools }: { on: OnPlace; tools: Ref<HTMLDivElement> }) {
  // a phone shows the graph alone anyway
  const phone = useMediaQuery('(max-width: 639px)')
  return (
    <div className={barPlace}>
      <Segmented
        label="Graph layout"
        value={on.layout}
        options={layouts}
        onChange={on.setLayout}
        className="shrink-0"
      />
      <div ref={tools} className="flex min-w-0 flex-1 justify-end" />
      {!phone && <ActionButton offer={offerOf(fillWindow, on)} />}
    </div>
  )
}
