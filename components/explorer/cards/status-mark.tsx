import {
  CircleStop,
  Copy,
  GitMerge,
  Hand,
  Paperclip,
  PenLine,
  SlidersHorizontal,
  TriangleAlert,
  Wrench,
} from 'lucide-react'
import { cn } from '@/components/ui/cn'
import { isStep } from '@/lib/graph'
import type { GraphNode } from '@/lib/protocol'
import { heldWords, markedOf, statusWords } from '../model/words'

const marks = {
  streaming: { Icon: PenLine, look: 'text-accent' },
  failed: { Icon: TriangleAlert, look: 'text-danger' },
  stopped: { Icon: CircleStop, look: 'text-warn' },
}

/** The state of a reply that is not complete, after its words. */
export function StatusMark({ status }: Pick<GraphNode, 'status'>) {
  if (status === 'done') return null
  const { Icon, look } = marks[status]
  return (
    <span aria-hidden className={cn('flex h-4 shrink-0 items-center gap-1 self-center text-xs', look)}>
      <Icon size={12} /> {statusWords[status]}
    </span>
  )
}

/** On a message in another context than the one before it. Its row or card says it in words to a screen reader. */
export const ContextMark = () => (
  <span aria-hidden title="Context changed here" className="grid h-4 shrink-0 place-items-center text-faint">
    <SlidersHorizontal size={12} />
  </span>
)

/** On a merge, a summary and a copy. Its row or card says it in words to a screen reader. */
export function OriginMark({ node, words }: { node: GraphNode; words: string | null }) {
  if (words === null) return null
  const Icon = node.mergeParentId === undefined ? Copy : GitMerge
  return (
    <span aria-hidden title={words} className="grid h-4 shrink-0 place-items-center text-faint">
      <Icon size={12} />
    </span>
  )
}

const heldIcons = { file: Paperclip, tool: Wrench, question: Hand }

/** Marks of a message's contents besides its text. Its row or card says them in words to a screen reader. */
export function HeldMarks({ node, asks }: { node: GraphNode; asks: boolean }) {
  const hasFailed = node.holds?.includes('failure')
  return markedOf(node, asks).map((held) => {
    // the words of a step are its call
    if (held === 'tool' && isStep(node)) return null
    const Icon = heldIcons[held]
    return (
      <span
        key={held}
        aria-hidden
        title={held === 'tool' && hasFailed ? 'Calls tools: one failed' : heldWords[held]}
        className={cn(
          'grid h-4 shrink-0 place-items-center',
          held === 'question' ? 'text-warn' : held === 'tool' && hasFailed ? 'text-danger' : 'text-faint',
        )}
      >
        <Icon size={12} />
      </span>
    )
  })
}
