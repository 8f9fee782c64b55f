'use client'

import { lazy, Suspense } from 'react'
import { type Block, blocksOf } from '@/components/session/blocks'
import type { ChatMessage } from '@/lib/protocol'
import { MessageBody } from './message-body'

/** Everything but text, which is most messages: a chunk of its own. */
const OtherBlock = lazy(() => import('./parts/other-block'))

interface MessagePartsProps {
  message: Pick<ChatMessage, 'role' | 'parts' | 'metadata'>
  streaming?: boolean
  /** the page has enough to draw: this message waits until it is seen */
  later?: boolean
}

/** A message whole: its text, and between it what the model thought, which tools it called, files and sources. */
export function MessageParts({ message, streaming = false, later = false }: MessagePartsProps) {
  const blocks = blocksOf(message)
  const text = (block: Block | undefined, isLast: boolean) => (
    <MessageBody
      author={message.role}
      text={block?.kind === 'text' ? block.text : ''}
      streaming={streaming && isLast}
      later={later}
    />
  )
  const [first] = blocks
  if (!first || (blocks.length === 1 && first.kind === 'text')) return text(first, true)
  return (
    <div className="flex flex-col gap-3">
      {blocks.map((block, at) =>
        block.kind === 'text' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a block is its place, and none goes away
          <div key={at}>{text(block, at === blocks.length - 1)}</div>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <OtherBlocks key={at} blocks={[block]} />
        ),
      )}
    </div>
  )
}

/** Blocks without text, one below the other. */
export function OtherBlocks({ blocks }: { blocks: readonly Block[] }) {
  return blocks.map((block, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    <Suspense key={at} fallback={<div className="h-8" />}>
      <OtherBlock block={block} />
    </Suspense>
  ))
}
