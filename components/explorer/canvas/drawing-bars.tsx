import type { GraphModel } from '../model/graph-model'
import type { GraphActions } from '../model/graph-props'
import { CompareBar } from './compare-bar'
import { FindBar } from './find-bar'
import type { Drawing } from './use-drawing'
import type { StandingState } from './use-standing'

interface DrawingBarsProps {
  drawing: Drawing
  model: GraphModel
  standing: StandingState
  on: GraphActions
}

/** The bar at the top of the drawing: for finding, else for the messages that are picked. */
export function DrawingBars({
  drawing: { find, step, endFind },
  model,
  standing: { marked, clearMarks },
  on,
}: DrawingBarsProps) {
  if (find.words !== null) return <FindBar find={find} onStep={step} onClose={endFind} />
  if (marked.length === 0 || !on.compareUrl) return null
  return (
    <CompareBar
      model={model}
      marked={marked}
      compareUrl={on.compareUrl}
      onPick={() => {
        on.merging({ kind: 'pick', messageIds: marked })
        clearMarks()
      }}
      onClear={clearMarks}
    />
  )
}
