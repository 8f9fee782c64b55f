import { cn } from './cn'

/** A grey place holder in the shape of what is coming. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={cn('skeleton', className)} />
}
