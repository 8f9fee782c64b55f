import { cn } from '@/components/ui/cn'
import type { GraphNode } from '@/lib/graph'

/** Who wrote it, by shape as well as colour: a hollow square for you, a disc for the assistant, a diamond else. */
export function NodeMark({ node, isHead }: { node: GraphNode; isHead: boolean }) {
  return (
    <span className="relative grid w-7 shrink-0 place-items-center self-stretch">
      {/* what React Flow finds when it measures: lines meet in the mark. Its own Handle subscribes to the store twice per card. */}
      <span className="source target absolute top-1/2 left-1/2 size-0" data-handlepos="top" />
      {node.status === 'streaming' && (
        <>
          <span className="absolute size-4 animate-ping rounded-full bg-(--lane) opacity-40 motion-reduce:hidden" />
          {/* said by shape too, where nothing moves and no word can be read */}
          <span className="absolute size-6 rounded-full border-2 border-(--lane) border-dashed group-data-far/graph:scale-175" />
        </>
      )}
      <span
        className={cn(
          'relative size-3 transition-transform group-data-far/graph:scale-175',
          isHead && 'ring-4 ring-accent-soft',
          node.role === 'user'
            ? 'rounded-[3px] border-[2.5px] border-(--lane) bg-canvas'
            : node.role === 'assistant'
              ? 'rounded-full bg-(--lane)'
              : 'rotate-45 rounded-[2px] border-2 border-(--lane) bg-canvas',
        )}
      />
    </span>
  )
}
