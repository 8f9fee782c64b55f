'use client'

import { deferred } from '@/components/app/deferred'
import { type Block, blocksOf } from '@/components/session/blocks'
import type { ChatMessage } from '@/lib/protocol'
import { PlainFallback } from './markdown/plain-fallback'
import { MessageBody } from './message-body'
import { longRun, StepRun, StepsOf } from './parts/step-run'

/** Everything but text, which is most messages: a chunk of its own. */
const OtherBlock = deferred(() => import('./parts/other-block'))

interface MessagePartsProps {
  message: Pick<ChatMessage, 'role' | 'parts' | 'metadata'> & { id?: string }
  streaming?: boolean
  /** the page has enough to draw: this message waits until it is seen */
  later?: boolean
}

/** A message whole: its text, and between it what the model thought, which tools it called, files and sources. */
export function MessageParts({ message, streaming = false, later = false }: MessagePartsProps) {
  const blocks = blocksOf(message)
  // sources stand at the end, wherever the model named them
  const lastSaid = blocks.findLastIndex(({ kind }) => kind !== 'sources')
  return (
    <div className="flex flex-col gap-3">
      {blocks.map((block, at) => {
        if (block.kind === 'text') {
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a block is its place, and none goes away
            <div key={at}>
              <MessageBody
                author={message.role}
                text={block.text}
                streaming={streaming && at === lastSaid}
                later={later}
              />
            </div>
          )
        }
        const run = filesFrom(blocks, at)
        const steps = stepsFrom(blocks, at, streaming)
        if (run === null || steps === null) return null
        const others = (
          <OtherBlocks blocks={run ?? steps ?? [block]} of={`${message.id} ${at}`} live={streaming} />
        )
        if (steps) {
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <StepRun key={at} line={<StepsOf parts={steps.map(partOf)} />}>
              {others}
            </StepRun>
          )
        }
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <div key={at} className={run ? fileRow : 'contents'}>
            {others}
          </div>
        )
      })}
    </div>
  )
}

/** Pictures, and below them the other files. */
const fileRow =
  "flex flex-wrap items-start gap-2 has-[img]:before:order-1 has-[img]:before:basis-full has-[img]:before:content-['']"

/** The files that stand beside each other from a place on; null within such a row, undefined for another block. */
function filesFrom(blocks: readonly Block[], at: number): Block[] | null | undefined {
  if (blocks[at]?.kind !== 'file') return undefined
  if (blocks[at - 1]?.kind === 'file') return null
  const end = blocks.findIndex(({ kind }, place) => place > at && kind !== 'file')
  return blocks.slice(at, end === -1 ? undefined : end)
}

/**
 * The steps that are folded from a place on, with the thoughts between them; null within such a run, undefined for
 * another block. A step that waits for a person is never folded, nor is the last block of a reply on its way.
 */
function stepsFrom(blocks: readonly Block[], at: number, live: boolean): Block[] | null | undefined {
  const folds = (place: number): boolean => {
    const block = blocks[place]
    if (live && place === blocks.length - 1) return false
    return (
      block?.kind === 'reasoning' || (block?.kind === 'tool' && block.part.state !== 'approval-requested')
    )
  }
  if (!folds(at)) return undefined
  let [start, end] = [at, at + 1]
  while (folds(start - 1)) start--
  while (folds(end)) end++
  const run = blocks.slice(start, end)
  if (run.filter(({ kind }) => kind === 'tool').length < longRun) return undefined
  return start === at ? run : null
}

const partOf = (block: Block) => (block.kind === 'tool' ? block.part : null)

interface OtherBlocksProps {
  blocks: readonly Block[]
  /** the prefix of their names on the page, under which the reader's opened blocks are kept */
  of: string
  /** more of the message is on its way */
  live?: boolean
}

/** Blocks without text, one below the other. A block that cannot be drawn leaves the rest of the page as it is. */
export function OtherBlocks({ blocks, of, live = false }: OtherBlocksProps) {
  return blocks.map((block, at) => (
    <PlainFallback
      // biome-ignore lint/suspicious/noArrayIndexKey: see above
      key={at}
      fallback={
        <p className="text-muted text-sm">This part could not be shown. Reload the page to try again.</p>
      }
    >
      <OtherBlock fallback={<div className="h-8" />} block={block} id={`${of} ${at}`} live={live} />
    </PlainFallback>
  ))
}
