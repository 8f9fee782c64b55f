import { ChevronRight, ListChecks, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { deferred } from '@/components/app/deferred'

/** Few chats have steps; the code that reads them is not small. */
const StepsLine = deferred(() => import('./steps-line'), { keepsFallback: 'untold' })

/** The steps among parts of messages, on one line. */
export const StepsOf = ({ parts }: { parts: readonly unknown[] }) => (
  <StepsLine parts={parts} fallback="Steps" />
)

/** From so many steps on, their sum says more than they do. */
export const longRun = 3

interface StepRunProps {
  line: ReactNode
  Icon?: LucideIcon | undefined
  children: ReactNode
}

/**
 * Many steps as one line that opens: `8 edits, 1 failed`. Its steps are on the page, so that they can be found and
 * shown.
 */
export function StepRun({ line, Icon = ListChecks, children }: StepRunProps) {
  return (
    <details data-steps className="group/run min-w-0">
      <summary className="-mx-1.5 flex min-h-8 w-fit max-w-full cursor-pointer list-none items-center gap-2 rounded-md px-1.5 text-muted text-sm hover:bg-ink/4 hover:text-ink touch:min-h-11 [&::-webkit-details-marker]:hidden">
        <Icon size={14} aria-hidden className="shrink-0 text-faint" />
        <span className="min-w-0 truncate">{line}</span>
        <ChevronRight
          size={14}
          aria-hidden
          className="shrink-0 text-faint transition-transform group-open/run:rotate-90 motion-reduce:transition-none"
        />
      </summary>
      <div className="ml-[7px] border-line border-l pl-3">{children}</div>
    </details>
  )
}
