'use client'

import type { ComponentProps, ReactNode } from 'react'
import { deferred } from '@/components/app/deferred'
import { Sheet } from '@/components/ui/dialog'

const HistoryPanel = deferred(() => import('@/components/history/history-panel'))

/** The history in place of the graph; on a phone a sheet from below. */
export function HistoryPlace({
  phone,
  ...panel
}: { phone: boolean } & ComponentProps<typeof HistoryPanel>): ReactNode {
  const content = (
    <HistoryPanel
      fallback={<div role="status" aria-label="Loading the history" className="h-full bg-canvas" />}
      {...panel}
    />
  )
  if (!phone) return content
  return (
    <Sheet title="History of this chat" side="bottom" open onOpenChange={(open) => !open && panel.onClose()}>
      {content}
    </Sheet>
  )
}
