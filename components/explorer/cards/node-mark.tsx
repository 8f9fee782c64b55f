import { cn } from '@/components/ui/cn'
import type { GraphNode } from '@/lib/protocol'

/** Who wrote it, by shape as well as colour: a hollow square for you, a disc for the assistant, a diamond else. */
export function NodeMark({ node, isHead }: { node: GraphNode; isHead: boolean }) {
  return (
    <span className="relative grid w-6 shrink-0 place-items-center self-stretch">
      {node.status === 'streaming' && (
        <>
          <span className="absolute size-4 animate-ping rounded-full bg-(--lane) opacity-40 motion-reduce:hidden" />
          {/* said by shape too, where nothing moves and no word can be read */}
          <span className="absolute size-6 rounded-full border-2 border-(--lane) border-dashed group-data-far/graph:scale-(--mark)" />
        </>
      )}
      <span
        className={cn(
          'relative size-3 group-data-far/graph:scale-(--mark)',
          isHead && 'ring-3 ring-accent-soft',
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
