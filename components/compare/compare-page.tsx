'use client'

import { useRouter } from 'next/navigation'
import { type ReactNode, useRef, useState, useTransition } from 'react'
import { comparePath } from '@/components/app/paths'
import { counted } from '@/lib/events/counted'
import type { ChatActions, Comparison } from '@/lib/protocol'
import { Button } from '../ui/button'
import { cn } from '../ui/cn'
import { Segmented } from '../ui/segmented'
import { CommonMessages } from './common-messages'
import { CompareHeader } from './compare-header'
import { CompareRows } from './compare-row'
import { compareRows } from './compare-rows'
import { ContextDifferences } from './context-differences'
import { ContinueBox } from './continue-box'
import { SideHead } from './side-head'
import { CompareContext, sideStyle, type Which } from './sides'
import { useBranchFrom } from './use-branch-from'
import { useMessages } from './use-messages'
import { useKeepRow, useRowKeys } from './use-rows'

interface ComparePageProps {
  comparison: Comparison
  actions: Pick<ChatActions, 'rewind' | 'undoMove'>
}

/** Two branches side by side, from where they part; a narrow window shows one of them at a time. */
export function ComparePage({ comparison, actions }: ComparePageProps) {
  const router = useRouter()
  const scroller = useRef<HTMLDivElement>(null)
  const [shown, setShown] = useState<Which>('left')
  const [reading, startReading] = useTransition()
  const keepRow = useKeepRow(scroller, shown)
  const messages = useMessages(comparison)
  const move = useBranchFrom(comparison, actions)
  useRowKeys(move.branchFrom)

  const { chatId, left, right } = comparison
  const show = (one: string, other: string) =>
    startReading(() => router.replace(comparePath(chatId, one, other)))
  const nameOf = (id: string) => comparison.branches.find((branch) => branch.id === id)?.name ?? id

  if (!right) {
    return (
      <>
        <CompareHeader comparison={comparison} />
        <NoComparison title="There is nothing to compare yet">
          This chat has one branch. Branch from any message, and the two stand beside each other here.
        </NoComparison>
      </>
    )
  }

  const sides = { left, right }
  const rows = compareRows(messages.left, messages.right)
  const head = (which: Which) => (
    <SideHead
      comparison={comparison}
      side={sides[which]}
      which={which}
      modelDiffers={left.model !== right.model}
      onBranch={(id) =>
        which === 'left' ? show(nameOf(id), right.branch.name) : show(left.branch.name, nameOf(id))
      }
    />
  )
  return (
    <CompareContext value={{ chatId, ...move }}>
      <CompareHeader
        comparison={comparison}
        onSwap={() => show(right.branch.name, left.branch.name)}
        busy={reading}
      />
      <div className="grid shrink-0 grid-cols-2 border-line border-b [&>*+*]:border-line [&>*+*]:border-l">
        {head('left')}
        {head('right')}
      </div>
      <div className="flex shrink-0 border-line border-b p-2 md:hidden">
        <Segmented
          label="Side"
          value={shown}
          options={[
            { value: 'left', label: `Left: ${left.branch.title}` },
            { value: 'right', label: `Right: ${right.branch.title}` },
          ]}
          onChange={(which) => {
            keepRow()
            setShown(which)
          }}
          className="w-full [&>*]:flex-1"
        />
      </div>
      {left.branch.id === right.branch.id ? (
        <NoComparison title="Both sides are the same branch">
          Choose another one for either side.
        </NoComparison>
      ) : (
        <>
          <div
            ref={scroller}
            aria-busy={reading}
            className={cn(
              'flex min-h-0 flex-1 flex-col overflow-y-auto overscroll-contain transition-opacity',
              reading && 'opacity-50',
            )}
          >
            <div className="flex shrink-0 flex-col items-center gap-1 border-line border-b py-3">
              <CommonMessages key={`${left.branch.id} ${comparison.common}`} comparison={comparison} />
              <ContextDifferences comparison={comparison} shown={shown} />
              {rows.some((row) => row.left && row.right) && (
                <p aria-hidden className="flex gap-2 px-4 text-faint text-xs">
                  Words that only one side has:
                  <del data-words="" style={sideStyle(left)}>
                    left
                  </del>
                  <ins data-words="" style={sideStyle(right)}>
                    right
                  </ins>
                </p>
              )}
            </div>
            <div className="relative flex-1 pb-4 md:before:absolute md:before:inset-y-0 md:before:left-1/2 md:before:w-px md:before:bg-line">
              {rows.length === 0 && (
                <NoComparison title="Both stand at the same message">
                  Neither has gone on from there.
                </NoComparison>
              )}
              <CompareRows rows={rows} left={left} right={right} shown={shown} />
              {messages.missing > 0 && (
                <div className="relative flex flex-col items-center gap-2 border-line border-t bg-canvas py-4">
                  {messages.problem && (
                    <p role="alert" className="text-muted text-sm">
                      {messages.problem.detail}
                    </p>
                  )}
                  <Button disabled={messages.loading} onClick={() => void messages.loadMore()}>
                    {messages.loading ? 'Loading' : 'Load more'}
                  </Button>
                  <p className="text-faint text-xs">{counted(messages.missing, 'message')} to go</p>
                </div>
              )}
            </div>
          </div>
          <div className="grid shrink-0 border-line border-t md:grid-cols-2">
            {(['left', 'right'] as const).map((which) => (
              <div
                key={sides[which].branch.id}
                className={cn(
                  'min-w-0',
                  which === 'right' && 'md:border-line md:border-l',
                  which !== shown && 'max-md:hidden',
                )}
              >
                <ContinueBox chatId={chatId} side={sides[which]} />
              </div>
            ))}
          </div>
        </>
      )}
    </CompareContext>
  )
}

/** Stands in place of the rows when there are none. */
function NoComparison({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="relative m-auto flex max-w-md flex-col gap-1 bg-canvas p-6 text-center">
      <h2 className="font-medium text-lg">{title}</h2>
      <p className="text-muted">{children}</p>
    </div>
  )
}
