'use client'

import { Button } from '@/components/ui/button'
import { useStored } from '@/components/ui/stored-value'

const key = 'ramify-graph-hint'

/** Points to the graph once, after the second turn. Using the graph, or closing the hint, ends it for good. */
export function useGraphHint(turns: number) {
  const [state, setState] = useStored(key, 'pending')
  return { shown: state === 'pending' && turns >= 2, done: () => state === 'pending' && setState('done') }
}

/** A line below the graph, so that it covers nothing of it. */
export function GraphHint({ onClose }: { onClose(): void }) {
  return (
    <div
      role="note"
      className="appear flex min-h-10 shrink-0 items-center gap-2 border-line border-t bg-raised py-1 pr-1 pl-3 text-sm"
    >
      <p className="min-w-0 flex-1">
        Every message and every branch is here.{' '}
        <span className="text-muted">Pick any to go on from there.</span>
      </p>
      <Button look="quiet" size="sm" onClick={onClose}>
        Got it
      </Button>
    </div>
  )
}
