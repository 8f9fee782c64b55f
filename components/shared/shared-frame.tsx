'use client'

import { PanelRight, Search } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { contentId } from '@/components/app/paths'
import { SkipToContent } from '@/components/app/skip-to-content'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { HintProvider } from '@/components/ui/hint'
import { useMediaQuery } from '@/components/ui/use-media-query'
import type { BranchId, MessageId } from '@/lib/events'
import { FindInPage } from './find-in-page'
import { SharedGraph } from './shared-graph'

interface SharedFrameProps {
  token: string
  signedIn: boolean
  /** the branch and message that are read in the graph; null for a link that opens one branch */
  graph: { branchId: BranchId; atId: MessageId | null } | null
  /** names the messages of the page */
  page: string
  brand: ReactNode
  continues: ReactNode
  /** the person's messages, to go to; nothing where there are few */
  outline: ReactNode
  children: ReactNode
}

/** The page of a link: a bar of tools, the messages, and beside them the graph once it is asked for. */
export function SharedFrame({
  token,
  signedIn,
  graph,
  page,
  brand,
  continues,
  outline,
  children,
}: SharedFrameProps) {
  const isWide = useMediaQuery('(min-width: 1024px)')
  // beside the chat where there is room for both, until a reader chooses
  const [chosen, setGraphShown] = useState<boolean | null>(null)
  const graphShown = chosen ?? (isWide && graph !== null)
  // the page has its shape before the browser knows how wide it is
  const hasGraph = graph !== null && (chosen ?? true)
  const [finding, setFinding] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const main = useRef<HTMLElement>(null)
  return (
    <HintProvider>
      <SkipToContent />
      <div className="flex h-dvh flex-col">
        <header className="flex h-12 shrink-0 items-center gap-1 border-line border-b pr-2 pl-4 touch:h-14">
          {brand}
          <div className="ml-auto flex items-center gap-1">
            <Button
              ref={opener}
              look="quiet"
              aria-pressed={finding}
              className="px-2 touch:min-w-11"
              aria-label="Find in this chat"
              onClick={() => setFinding(!finding)}
            >
              <Search size={15} aria-hidden />
              <span className="max-md:hidden">Find</span>
            </Button>
            {graph && (
              <Button
                look="quiet"
                className="px-2 touch:min-w-11"
                aria-label={graphShown ? 'Hide graph' : 'Show graph'}
                onClick={() => setGraphShown(!graphShown)}
              >
                <PanelRight size={15} aria-hidden className={cn(graphShown && 'text-accent')} />
                <span className="max-md:hidden">Graph</span>
              </Button>
            )}
            {continues}
          </div>
        </header>
        {finding && (
          <FindInPage
            token={token}
            signedIn={signedIn}
            page={page}
            branchId={graph?.branchId ?? null}
            within={main}
            onRead={() => !isWide && setGraphShown(false)}
            onClose={() => {
              setFinding(false)
              opener.current?.focus()
            }}
          />
        )}
        <main className="flex min-h-0 flex-1">
          <section
            ref={main}
            id={contentId}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keys
            tabIndex={0}
            aria-label="Shared chat"
            className={cn(
              'min-w-0 flex-1 overflow-y-auto outline-offset-[-2px]',
              graphShown && !isWide && 'hidden',
            )}
          >
            <div className="mx-auto flex max-w-[76rem] justify-center">
              {outline && !hasGraph && <aside className="w-60 shrink-0 max-xl:hidden">{outline}</aside>}
              <div className="w-full min-w-0 max-w-[46rem] px-4 pt-8 pb-16 sm:px-6">{children}</div>
              {/* the column stands in the middle of the page */}
              {outline && !hasGraph && <div className="w-60 shrink-0 max-xl:hidden" />}
            </div>
          </section>
          {graph && hasGraph && (
            <div
              className={cn(
                'min-w-0 flex-1 border-line lg:max-w-[42%] lg:border-l',
                chosen === null && 'max-lg:hidden',
              )}
            >
              {graphShown && (
                <SharedGraph
                  token={token}
                  signedIn={signedIn}
                  branchId={graph.branchId}
                  atId={graph.atId}
                  onRead={() => !isWide && setGraphShown(false)}
                />
              )}
            </div>
          )}
        </main>
      </div>
    </HintProvider>
  )
}
