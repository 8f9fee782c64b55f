import { cn } from './cn'

/** A grey placeholder in the shape of the content. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={cn('skeleton', className)} />
}
