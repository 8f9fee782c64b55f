'use client'

import { Search, X } from 'lucide-react'
import { useEffectEvent, useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { deferred } from '@/components/app/deferred'
import { Button } from '@/components/ui/button'
import { useOnChange } from '@/components/ui/use-on-change'
import { FilterButton } from './filter-button'
import { isFiltered } from './list-state'

const FilterMenu = deferred(() => import('./filter-menu'))

/** A list that is longer than this can be filtered by title. */
const LONG = 15

/** A pause in typing after which the list is asked for, in ms. */
const PAUSE = 200

/** The head of the list, with its filter and its order. */
export function ListHead() {
  const { list } = useApp()
  const { query, ask, shown, next } = list
  const isLong = shown.length > LONG || next !== null || query.q !== ''
  if (shown.length === 0 && list.phase === 'ready' && !isFiltered(query)) return null
  return (
    <div className="flex flex-col gap-1 px-2 pb-1">
      <div className="flex h-8 items-center gap-1 touch:h-11">
        {isLong ? (
          <TitleFilter />
        ) : (
          <Filters word={query.archived ? 'Archived' : query.agents ? 'Agents' : 'Chats'} />
        )}
        {isLong && <Filters />}
      </div>
      {(query.archived || query.agents || query.tag !== undefined) && (
        <div className="flex flex-wrap gap-1 px-1">
          {query.archived && <Chip label="Archived" onClear={() => ask({ archived: false })} />}
          {query.agents && <Chip label="Agents" onClear={() => ask({ agents: undefined })} />}
          {query.tag !== undefined && <Chip label={query.tag} onClear={() => ask({ tag: undefined })} />}
        </div>
      )}
    </div>
  )
}

function Chip({ label, onClear }: { label: string; onClear(): void }) {
  return (
    <Button
      size="sm"
      aria-label={`Show more than ${label}`}
      className="h-6 max-w-full gap-1 rounded-full px-2 font-normal text-xs touch:h-11"
      onClick={onClear}
    >
      <bdi className="truncate">{label}</bdi>
      <X size={12} aria-hidden className="text-faint" />
    </Button>
  )
}

function TitleFilter() {
  const { list } = useApp()
  const { ask } = list
  const [typed, setTyped] = useState(list.query.q)
  const send = useEffectEvent(() => {
    if (typed.trim() !== list.query.q.trim()) ask({ q: typed })
  })
  useOnChange([typed], () => {
    const timer = setTimeout(() => send(), PAUSE)
    return () => clearTimeout(timer)
  })
  // cleared elsewhere
  const [before, setBefore] = useState(list.query.q)
  if (before !== list.query.q) {
    setBefore(list.query.q)
    if (list.query.q === '') setTyped('')
  }
  return (
    <label className="flex h-7 min-w-0 flex-1 items-center gap-2 rounded-md border border-transparent px-2 text-faint focus-within:border-accent hover:border-line touch:h-11">
      <Search size={13} aria-hidden className="shrink-0" />
      <input
        type="search"
        aria-label="Filter chats by title"
        placeholder="Filter by title"
        dir="auto"
        value={typed}
        maxLength={200}
        autoComplete="off"
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || typed === '') return
          event.preventDefault()
          event.stopPropagation()
          setTyped('')
        }}
        className="min-w-0 flex-1 bg-transparent text-ink text-sm outline-none placeholder:text-faint [&::-webkit-search-cancel-button]:hidden"
      />
    </label>
  )
}

/** @param word name of the list, where the button has it in place of an icon */
function Filters({ word }: { word?: string }) {
  const [isOpened, setOpened] = useState(false)
  if (isOpened) return <FilterMenu word={word} fallback={<FilterButton word={word} />} />
  return <FilterButton word={word} onClick={() => setOpened(true)} />
}
