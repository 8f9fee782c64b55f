'use client'

import { type Offer, offers } from '@/components/actions/action'
import type { OnChat } from '@/components/actions/on-chat'
import { branchFromHere, tryAgain } from '@/components/actions/on-message'
import { WordButton } from '@/components/actions/word-button'
import { MoveNote } from '@/components/app/move-note'
import { plainPreview } from '@/components/app/plain-preview'
import { speakerOf } from '@/lib/graph/speaker'
import type { GraphNode } from '@/lib/protocol'

interface GraphFootProps {
  /** the last message of the branch being read; null where nothing is done to it */
  head: GraphNode | null
  /** the chat, where actions on a message mean the last one */
  on: OnChat
  /** acts on its branch */
  branchActs: readonly Offer[]
  /** the thread stands beside the graph, with the words of a move and the work on its last message */
  besideThread: boolean
}

/**
 * Bar below the graph: the reader's place, and the actions there; when the graph has the window to itself, the note
 * of a move too.
 */
export function GraphFoot({ head, ...place }: GraphFootProps) {
  const isEmpty = place.besideThread && place.branchActs.length === 0
  return (
    <>
      {!place.besideThread && <MoveNote className="border-line border-t px-3" />}
      {head && !isEmpty && <HereStrip head={head} {...place} />}
    </>
  )
}

function HereStrip({ head, on, branchActs, besideThread }: GraphFootProps & { head: GraphNode }) {
  const onHead = besideThread ? [] : offers([tryAgain, branchFromHere], on, true)
  const acts = [...onHead, ...branchActs]
  return (
    <section
      aria-label="Where you are"
      className="flex shrink-0 items-center gap-x-3 border-line border-t px-3 py-1.5 max-sm:flex-col max-sm:items-stretch max-sm:pb-[max(0.375rem,env(safe-area-inset-bottom))]"
    >
      <p className="flex min-w-0 flex-1 items-center gap-2 text-sm">
        <span aria-hidden className="size-2 shrink-0 rounded-full bg-accent" />
        <span className="shrink-0 font-medium">You are here</span>
        <span className="min-w-0 truncate text-muted">
          {speakerOf(head.role)}: <bdi>{plainPreview(head.preview) || 'Writing…'}</bdi>
        </span>
      </p>
      <div className="-mx-2 flex items-center gap-1">
        {acts.map((offer) => (
          <WordButton
            key={offer.id}
            offer={offer}
            // its words are its name: the branch they mean stands beside them
            aria-label={offer.short}
            size="sm"
            className="gap-1.5 px-2 text-xs touch:h-11"
            onClick={({ currentTarget }) => offer.run(currentTarget)}
          />
        ))}
      </div>
    </section>
  )
}
