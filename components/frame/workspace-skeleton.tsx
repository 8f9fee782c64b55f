import { GraphSkeleton, ThreadSkeleton } from '@/components/app/skeletons'
import { Skeleton } from '@/components/ui/skeleton'

/** A chat before it is loaded, in its final shape. */
export function WorkspaceSkeleton() {
  return (
    <>
      <div className="flex h-12 shrink-0 items-center gap-4 border-line border-b px-4">
        <Skeleton className="h-4 w-40" />
        <Skeleton className="h-4 w-20" />
      </div>
      <div className="flex min-h-0 flex-1">
        <div className="flex min-w-0 flex-1 flex-col">
          <div className="mx-auto w-full max-w-[720px] flex-1 px-3 pt-4 sm:px-5">
            <ThreadSkeleton rows={4} />
          </div>
          <div className="mx-auto w-full max-w-[720px] px-3 pb-4 sm:px-5">
            <div className="h-[92px] rounded-xl border border-line bg-raised" />
          </div>
        </div>
        <div className="hidden w-[42%] border-line border-l sm:block">
          <GraphSkeleton />
        </div>
      </div>
    </>
  )
}
