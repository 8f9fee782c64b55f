import type { ReactNode } from 'react'
import { cn } from '@/components/ui/cn'
import { contentId } from './paths'

interface SkipNavProps {
  className?: string
  children: ReactNode
}

/** Links before everything else on a page, for those who come by Tab. Seen with the focus alone. */
export function SkipNav({ className, children }: SkipNavProps) {
  return (
    <nav
      aria-label="Skip"
      className={cn(
        'fixed top-2 left-2 z-50 flex -translate-y-20 gap-1 rounded-lg border border-line bg-raised p-1 shadow-float focus-within:translate-y-0',
        '[&>a]:rounded-md [&>a]:px-3 [&>a]:py-1.5 [&>a]:font-medium [&>a]:text-sm',
        className,
      )}
    >
      {children}
    </nav>
  )
}

interface SkipToContentProps {
  className?: string
  /** goes there in place of the address, where the page has a script */
  onSkip?(): void
}

/** The first stop of Tab on a page with one part to read: past all that repeats on other pages. */
export function SkipToContent({ className, onSkip }: SkipToContentProps) {
  return (
    <SkipNav className={className}>
      <a
        href={`#${contentId}`}
        onClick={
          onSkip &&
          ((event) => {
            event.preventDefault()
            onSkip()
          })
        }
      >
        Skip to content
      </a>
    </SkipNav>
  )
}
