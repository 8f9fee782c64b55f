'use client'

import { ChevronRight, type LucideIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { cn } from '@/components/ui/cn'

interface FoldProps {
  /** names it on the page: an open fold stays open when a reply that has ended is drawn as a stored one */
  id: string
  Icon: LucideIcon
  label: ReactNode
  /** beside the label: a state, or how long it took */
  note?: ReactNode
  tone?: 'calm' | 'bad' | 'waits'
  /** without a frame: one of many lines */
  plain?: boolean
  /** drawn once it is opened */
  children: () => ReactNode
}

/** The folds that are open on this page. */
const opened = new Set<string>()

/** A line that opens: its content is needed only now and then. */
export function Fold({ id, Icon, label, note, tone = 'calm', plain = false, children }: FoldProps) {
  const [open, setOpen] = useState(() => opened.has(id))
  const toggle = (next: boolean) => {
    if (next) opened.add(id)
    else opened.delete(id)
    setOpen(next)
  }
  return (
    <details
      open={open}
      // opened before the page had its code
      ref={(element) => {
        if (element?.open && !open) toggle(true)
      }}
      className={cn(
        'group/fold min-w-0 rounded-lg',
        plain ? 'open:border open:border-line' : 'border border-line',
      )}
      onToggle={(event) => toggle(event.currentTarget.open)}
    >
      <summary
        className={cn(
          'flex min-h-8 cursor-pointer list-none items-center gap-2 rounded-lg text-muted text-sm touch:min-h-11',
          plain ? '-mx-1.5 group-open/fold:mx-0 px-1.5' : 'px-2.5',
          'hover:bg-ink/4 hover:text-ink [&::-webkit-details-marker]:hidden',
        )}
      >
        <Line Icon={Icon} label={label} note={note} tone={tone} />
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

/** The same line with nothing in it. */
export function FlatLine(props: Omit<FoldProps, 'id' | 'children'>) {
  return (
    <p className="flex min-h-8 items-center gap-2 rounded-lg border border-line px-2.5 text-muted text-sm">
      <Line {...props} />
    </p>
  )
}

function Line({ Icon, label, note, tone }: Omit<FoldProps, 'id' | 'children'>) {
  return (
    <>
      <Icon
        size={14}
        aria-hidden
        className={cn('shrink-0', tone === 'bad' ? 'text-danger' : tone === 'waits' && 'text-warn')}
      />
      <span className="min-w-0 truncate">{label}</span>
      <span
        className={cn(
          'ml-auto max-w-[50%] shrink-0 truncate text-xs tabular-nums',
          tone === 'bad' ? 'text-danger' : 'text-faint',
        )}
      >
        {note}
      </span>
    </>
  )
}
