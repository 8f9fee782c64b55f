import { History } from 'lucide-react'
import { whenWords } from './time-words'

interface TimeMarkProps {
  /** milliseconds since 1970 */
  at: number
  /** nobody had said anything by then */
  isEmpty: boolean
}

/** Says over the drawing that it is of another time, and frames it. */
export function TimeMark({ at, isEmpty }: TimeMarkProps) {
  return (
    <div className="appear @container pointer-events-none absolute inset-0 z-20 border border-line-strong border-dashed">
      <p className="absolute right-3 @max-md:bottom-auto @max-md:top-3 bottom-6 flex h-7 items-center gap-1.5 rounded-full border border-line bg-raised px-3 text-muted text-xs shadow-float">
        <History size={13} aria-hidden className="shrink-0" />
        <span>As it was {whenWords(at, new Date())}</span>
      </p>
      {isEmpty && (
        <p className="absolute inset-x-0 top-1/2 text-center text-muted text-sm">
          Nothing had been said yet.
        </p>
      )}
    </div>
  )
}
