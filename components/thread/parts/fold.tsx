'use client'

import { ChevronRight, type LucideIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { cn } from '@/components/ui/cn'

interface FoldProps {
  Icon: LucideIcon
  label: ReactNode
  /** beside the label: a state, or how long it took */
  note?: ReactNode
  tone?: 'calm' | 'bad' | 'waits'
  /** drawn once it is opened */
  children: () => ReactNode
}

/** A line that opens: what a reader of the reply needs now and then. */
export function Fold({ Icon, label, note, tone = 'calm', children }: FoldProps) {
  const [open, setOpen] = useState(false)
  return (
    <details
      className="group/fold min-w-0 rounded-lg border border-line"
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary
        className={cn(
          'flex min-h-8 cursor-pointer list-none items-center gap-2 rounded-lg px-2.5 text-muted text-sm touch:min-h-11',
          'hover:bg-ink/4 hover:text-ink [&::-webkit-details-marker]:hidden',
        )}
      >
        <Icon
          size={14}
          aria-hidden
          className={cn('shrink-0', tone === 'bad' && 'text-danger', tone === 'waits' && 'text-warn')}
        />
        <span className="min-w-0 truncate">{label}</span>
        <span className="ml-auto shrink-0 text-faint text-xs tabular-nums">{note}</span>
        <ChevronRight
          size={14}
          aria-hidden
          className="shrink-0 text-faint transition-transform group-open/fold:rotate-90 motion-reduce:transition-none"
        />
      </summary>
      {open && <div className="border-line border-t px-2.5 py-2">{children()}</div>}
    </details>
  )
}
