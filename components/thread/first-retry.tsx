'use client'

import { Check } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { foldInto } from '@/components/app/fold-into'
import { useTakenOver } from '@/components/app/use-taken-over'
import type { ThreadRow } from '@/components/session/thread-rows'
import type { Turn } from '@/components/session/turn'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import type { BranchId } from '@/lib/events'
import { LiveTurn } from './live-turn'
import { Message } from './message'

interface FirstRetryProps {
  before: ThreadRow
  beforeOn: BranchId | null
  /** the new reply, once it is there */
  now: ThreadRow | null
  nowOn: BranchId
  turn: Turn | null
  lane: number
  /** goes back to the reply of before */
  onBefore(): void
  /** the person goes on */
  onOver(): void
}

/**
 * A reply and the reply that was asked for in its place, side by side: the first time a person tries again shows that
 * nothing is replaced. The reply that is not kept goes to its row in the graph when the person goes on.
 */
export default function FirstRetry({
  before,
  beforeOn,
  now,
  nowOn,
  turn,
  lane,
  onBefore,
  onOver,
}: FirstRetryProps) {
  const old = useRef<HTMLDivElement>(null)
  const fresh = useRef<HTMLDivElement>(null)
  const isDone = now !== null && turn === null
  const keepNow = () => {
    if (old.current) foldInto(old.current, before.node.id, beforeOn)
    onOver()
  }
  const keepBefore = () => {
    if (now && fresh.current) foldInto(fresh.current, now.node.id, nowOn)
    onOver()
    onBefore()
  }
  useTakenOver(isDone, '[data-first-retry]', keepNow)
  return (
    <section
      aria-label="Before and now"
      data-first-retry
      className="arrive @container mx-auto w-full max-w-[1120px] px-3 pb-6 sm:px-5"
    >
      <p className="px-1 pb-2 pl-[23px] text-muted text-sm">
        Trying again replaces nothing: both answers are kept, each on its own branch.
      </p>
      <div className="grid @xl:grid-cols-2 grid-cols-1 items-start gap-3">
        <Side of={old} title="Before" onKeep={isDone ? keepBefore : null}>
          <Message answeredIn="" isStep={false} {...before} isHead={false} later={false} />
        </Side>
        <Side of={fresh} title="Now" isNow onKeep={isDone ? keepNow : null}>
          {turn ? (
            <LiveTurn key={turn.key} turn={turn} lane={lane} onGrow={grown} />
          ) : (
            now && <Message answeredIn="" isStep={false} {...now} isHead later={false} />
          )}
        </Side>
      </div>
    </section>
  )
}

/** The thread sees for itself that it has grown. */
const grown = () => undefined

interface SideProps {
  of: React.RefObject<HTMLDivElement | null>
  title: string
  isNow?: boolean
  /** null while there is nothing to choose */
  onKeep: (() => void) | null
  children: ReactNode
}

const Side = ({ of, title, isNow = false, onKeep, children }: SideProps) => (
  <div
    ref={of}
    className={cn('min-w-0 rounded-lg border bg-raised', isNow ? 'border-accent/50' : 'border-line')}
  >
    <div className="flex min-h-11 items-center justify-between gap-2 border-line border-b px-4 touch:py-1.5">
      <h3 className={cn('font-medium text-sm', isNow ? 'text-accent' : 'text-muted')}>{title}</h3>
      {onKeep && (
        <Button size="sm" onClick={onKeep}>
          <Check size={14} aria-hidden /> Keep this one
        </Button>
      )}
    </div>
    <div className="px-1">{children}</div>
  </div>
)
