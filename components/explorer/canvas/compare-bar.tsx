'use client'

import { Cherry, GitCompareArrows, X } from 'lucide-react'
import type { Route } from 'next'
import Link from 'next/link'
import { cherryPickTo } from '@/components/actions/on-merging'
import { plainPreview } from '@/components/app/plain-preview'
import { IconButton } from '@/components/ui/button'
import type { BranchId, MessageId } from '@/lib/events'
import { branchTitle } from '@/lib/graph'
import type { GraphBranch } from '@/lib/protocol'
import type { GraphModel } from '../model/graph-model'
import { comparedBranch } from './graph-commands'

interface CompareBarProps {
  model: GraphModel
  /** one message or more, in the order they were picked */
  marked: readonly MessageId[]
  compareUrl(left: BranchId, right: BranchId): Route
  /** asks where the messages are copied to */
  onPick(): void
  onClear(): void
}

/** The messages that are picked: a link to their comparison once there are two, and the way to copy them elsewhere. */
export function CompareBar({ model, marked, compareUrl, onPick, onClear }: CompareBarProps) {
  const [left, right] = marked
  if (left === undefined) return null
  const one = comparedBranch(model, left)
  const other = right === undefined ? undefined : comparedBranch(model, right)
  /** A side is a branch where the message is on one, else the message itself. */
  const nameOf = (id: MessageId, branch: GraphBranch | undefined): string =>
    branch ? branchTitle(model.index, branch.id) : plainPreview(model.index.byId(id)?.preview ?? '')
  const isSame = one !== undefined && one.id === other?.id
  return (
    <fieldset
      aria-label="Compare"
      className="arrive absolute inset-x-3 top-3 z-20 mx-auto flex h-10 max-w-lg items-center gap-2 rounded-lg border bg-raised pr-1 pl-3 text-sm shadow-float touch:h-13"
    >
      {marked.length > 2 ? (
        <span className="min-w-0 flex-1 truncate">{marked.length} messages picked</span>
      ) : isSame ? (
        <span className="min-w-0 flex-1 truncate text-muted">
          Both are on <bdi className="font-medium text-ink">{nameOf(left, one)}</bdi>
        </span>
      ) : (
        <>
          <Side name={nameOf(left, one)} />
          <GitCompareArrows size={14} aria-hidden className="shrink-0 text-faint" />
          {right === undefined ? (
            <span className="min-w-0 flex-1 truncate text-muted">
              Pick another<span className="touch:hidden"> with Shift-click or Space</span>
            </span>
          ) : (
            <Side name={nameOf(right, other)} />
          )}
        </>
      )}
      <span className="ml-auto flex shrink-0 items-center gap-2">
        {one && other && !isSame && marked.length === 2 && (
          <Link
            href={compareUrl(one.id, other.id)}
            className="inline-flex h-7 items-center rounded-md bg-accent px-2.5 font-medium text-on-accent hover:bg-accent/90 touch:h-11"
          >
            Compare
          </Link>
        )}
        <IconButton label={cherryPickTo.label} size="tool" Icon={Cherry} onClick={onPick} />
        <IconButton label="Stop comparing" size="tool" Icon={X} onClick={onClear} />
      </span>
    </fieldset>
  )
}

function Side({ name }: { name: string }) {
  return <bdi className="min-w-0 max-w-[38%] truncate font-medium">{name}</bdi>
}
