'use client'

import { GitBranch } from 'lucide-react'
import { useEffect } from 'react'
import type { SearchHit } from '@/lib/graph'
import { speakerOf } from '@/lib/graph/speaker'
import { cn } from '../ui/cn'
import { type HitGroup, snippetParts } from './hits'

interface SearchResultsProps {
  id: string
  groups: readonly HitGroup[]
  /** the option the keyboard is on */
  activeId: string
  optionId(hit: SearchHit): string
  onActive(hit: SearchHit): void
  /** `aside`: in a tab of its own */
  onOpen(hit: SearchHit, aside: boolean): void
}

/** The hits, by chat. The focus stays in the box above; the list only shows the active hit. */
export function SearchResults({ id, groups, activeId, optionId, onActive, onOpen }: SearchResultsProps) {
  useEffect(() => {
    document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])

  return (
    <div id={id} role="listbox" aria-label="Messages found" className="p-2">
      {groups.map((group) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot stand in a listbox
        <div
          key={group.chatId}
          role="group"
          aria-labelledby={`${id}-${group.chatId}`}
          className="pb-2 last:pb-0"
        >
          <div
            id={`${id}-${group.chatId}`}
            dir="auto"
            className="sticky top-0 z-10 truncate bg-raised px-2 pt-2 pb-1 font-medium text-faint text-xs"
          >
            {group.title}
            {group.archived && <span className="font-normal"> · Archived</span>}
          </div>
          {group.hits.map((hit) => (
            <Hit
              key={hit.messageId}
              id={optionId(hit)}
              hit={hit}
              active={optionId(hit) === activeId}
              onActive={() => onActive(hit)}
              onOpen={(aside) => onOpen(hit, aside)}
            />
          ))}
        </div>
      ))}
    </div>
  )
}

interface HitProps {
  id: string
  hit: SearchHit
  active: boolean
  onActive(): void
  onOpen(aside: boolean): void
}

function Hit({ id, hit, active, onActive, onOpen }: HitProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the combobox's
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={active}
      data-message-id={hit.messageId}
      // not on enter: a list that slides under a resting mouse chooses nothing
      onMouseMove={active ? undefined : onActive}
      onMouseDown={(event) => event.preventDefault()}
      onClick={(event) => onOpen(event.ctrlKey || event.metaKey)}
      className="flex scroll-mt-9 scroll-mb-2 gap-3 rounded-md px-2 py-2 aria-selected:bg-ink/6"
    >
      <span
        aria-hidden
        className={cn(
          'mt-[7px] size-2 shrink-0 border-2 border-faint',
          hit.role === 'user' ? 'rounded-[2px]' : 'rounded-full bg-faint',
        )}
      />
      <span className="min-w-0 flex-1">
        <span dir="auto" className="line-clamp-2 [overflow-wrap:anywhere]">
          {snippetParts(hit.snippet).map(({ text, found }, at) =>
            found ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other identity
              <mark key={at} className="rounded-[3px] bg-accent-soft px-px font-medium text-ink">
                {text}
              </mark>
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <span key={at}>{text}</span>
            ),
          )}
        </span>
        <span className="mt-0.5 flex min-w-0 items-center gap-3 text-muted text-xs">
          <span>{speakerOf(hit.role)}</span>
          {hit.branch && (
            <span className="flex min-w-0 items-center gap-1.5">
              <GitBranch size={12} aria-hidden className="shrink-0 text-faint" />
              <span className="sr-only">on branch {hit.branch.title}, </span>
              <bdi aria-hidden className="truncate">
                {hit.branch.title}
              </bdi>
              <span className="shrink-0 tabular-nums">
                {hit.branch.count} {hit.branch.count === 1 ? 'message' : 'messages'}
              </span>
            </span>
          )}
          <time dateTime={new Date(hit.createdAt).toISOString()} className="shrink-0">
            {dayOf(hit.createdAt)}
          </time>
        </span>
      </span>
    </div>
  )
}

const thisYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const anyYear = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

function dayOf(time: number): string {
  const isThisYear = new Date(time).getFullYear() === new Date().getFullYear()
  return (isThisYear ? thisYear : anyYear).format(time)
}
