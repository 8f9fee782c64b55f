import { Skeleton } from '@/components/ui/skeleton'

const widths = ['w-2/5', 'w-11/12', 'w-3/5', 'w-4/5']
const lanes = [0, 0, 1, 0, 1, 0]

/** The shape of a conversation that is loading. */
export function ThreadSkeleton({ rows }: { rows: number }) {
  return (
    <div role="status" aria-label="Loading messages" className="flex flex-col gap-8 py-4 pr-1 pl-[23px]">
      {Array.from({ length: rows }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: place holders have no identity
        <div key={at} className="flex flex-col gap-2">
          <Skeleton className="h-3 w-16" />
          <Skeleton className={`h-4 ${widths[at % 4]}`} />
          {at % 2 === 1 && <Skeleton className="h-4 w-3/4" />}
        </div>
      ))}
    </div>
  )
}

/** Cards on two lanes, before the graph has arrived. */
export function GraphSkeleton() {
  return (
    <div
      role="status"
      aria-label="Loading the graph"
      className="flex h-full flex-col gap-4 overflow-hidden p-8"
    >
      {lanes.map((lane, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: place holders have no identity
        <div key={at} className="flex items-center gap-3" style={{ paddingInlineStart: lane * 32 }}>
          <Skeleton className="size-3 shrink-0 rounded-full" />
          <Skeleton className="h-8 w-44" />
        </div>
      ))}
    </div>
  )
}
