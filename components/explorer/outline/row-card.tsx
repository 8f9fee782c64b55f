'use client'

import { use } from 'react'
import { AppContext } from '@/components/app/app-context'
import { plainPreview } from '@/components/app/plain-preview'
import { ageWords } from '@/components/app/time-words'
import { branchTitle, type GraphIndex, type OutlineRow } from '@/lib/graph'
import { speakerOf } from '@/lib/graph/speaker'
import type { GraphBranch, GraphNode } from '@/lib/protocol'
import { messageCount } from '../model/words'

interface RowAboutProps {
  row: OutlineRow
  index: GraphIndex
}

/** Facts that do not fit into a row: the whole title of a branch, its last words, its model and its age. */
export function RowAbout({ row, index }: RowAboutProps) {
  switch (row.kind) {
    case 'branch':
      return (
        <About
          title={row.branch ? branchTitle(index, row.branch.id) : null}
          node={row.last ?? row.first}
          count={row.count}
          branch={row.branch}
        />
      )
    case 'message':
      return <About title={speakerOf(row.item.node.role)} node={row.item.node} branch={row.branches[0]} />
    case 'fold':
      return <About title={null} node={row.item.nodes[0]} count={row.item.nodes.length} />
    case 'more':
      return null
  }
}

interface AboutProps {
  title: string | null
  /** the message whose words are shown */
  node: GraphNode | null | undefined
  count?: number
  branch?: GraphBranch | null | undefined
}

function About({ title, node, count = 0, branch }: AboutProps) {
  const models = use(AppContext)?.models ?? []
  const facts = [
    count > 0 && messageCount(count),
    branch?.model && (models.find(({ id }) => id === branch.model)?.label ?? branch.model),
    node && node.status !== 'streaming' && ageWords(node.createdAt, Date.now()),
  ]
  return (
    <>
      {title && (
        <p className="mb-1 font-medium text-ink text-sm [overflow-wrap:anywhere]">
          <bdi>{title}</bdi>
        </p>
      )}
      {node && (
        <p className="line-clamp-4 text-muted text-sm [overflow-wrap:anywhere]">
          <bdi>{plainPreview(node.preview) || '…'}</bdi>
        </p>
      )}
      <p className="mt-1.5 text-faint text-xs">{facts.filter(Boolean).join(' · ')}</p>
    </>
  )
}

interface RowCardProps extends RowAboutProps {
  /** the top of the row, in px from the first one */
  y: number
  height: number
}

const gap = 4

/**
 * Card with the facts that do not fit into a row, beside it while the pointer rests on it. Hidden from screen
 * readers: a row's description says them.
 */
export function RowCard({ row, index, y, height }: RowCardProps) {
  const turn = (card: HTMLElement | null) => {
    const pane = card?.closest('.overflow-y-auto')
    if (!card || !pane) return
    const isBelow = card.getBoundingClientRect().bottom <= pane.getBoundingClientRect().bottom
    if (!isBelow) card.style.translate = `0 calc(-100% - ${height + 2 * gap}px)`
  }
  return (
    <div
      key={row.id}
      ref={turn}
      aria-hidden
      data-row-card
      style={{ top: y + height + gap }}
      className="pointer-events-none absolute right-3 z-20 w-72 max-w-[80%] rounded-lg border bg-raised p-3 shadow-float"
    >
      <RowAbout row={row} index={index} />
    </div>
  )
}
