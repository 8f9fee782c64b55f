import { Skeleton } from '../ui/skeleton'

const widths = ['w-11/12', 'w-4/5', 'w-3/5']

/** Hits that are on their way, in their shape. */
export function SearchSkeleton() {
  return (
    <div role="status" aria-label="Searching" className="flex flex-col gap-4 p-4">
      <Skeleton className="h-3 w-28" />
      {widths.map((width) => (
        <div key={width} className="flex gap-3">
          <Skeleton className="mt-1 size-2 shrink-0 rounded-full" />
          <div className="flex flex-1 flex-col gap-2">
            <Skeleton className={`h-4 ${width}`} />
            <Skeleton className="h-3 w-40" />
          </div>
        </div>
      ))}
    </div>
  )
}
