'use client'

import { type ComponentProps, lazy, type ReactNode, Suspense } from 'react'
import { Sheet } from '@/components/ui/dialog'

const HistoryPanel = lazy(() => import('@/components/history/history-panel'))

/** The history in place of the graph; on a phone a sheet from below. */
export function HistoryPlace({
  phone,
  ...panel
}: { phone: boolean } & ComponentProps<typeof HistoryPanel>): ReactNode {
  const content = (
    <Suspense fallback={<div role="status" aria-label="Loading the history" className="h-full bg-canvas" />}>
      <HistoryPanel {...panel} />
    </Suspense>
  )
  if (!phone) return content
  return (
    <Sheet title="History of this chat" side="bottom" open onOpenChange={(open) => !open && panel.onClose()}>
      {content}
    </Sheet>
  )
}
