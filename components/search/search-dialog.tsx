'use client'

import { Search } from 'lucide-react'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { messagePath } from '@/components/app/paths'
import type { ChatId } from '@/lib/events'
import type { SearchHit } from '@/lib/graph'
import { Button } from '../ui/button'
import { cn } from '../ui/cn'
import { Dialog, type OpenProps } from '../ui/dialog'
import { Segmented } from '../ui/segmented'
import { groupHits } from './hits'
import { SearchResults } from './search-results'
import { Failed, Keys, Nothing } from './search-states'
import { useSearch } from './use-search'

interface SearchDialogProps extends OpenProps {
  /** the open chat; null when none is stored, then all chats are searched */
  chatId: ChatId | null
}

interface SearchPanelProps extends Pick<SearchDialogProps, 'chatId'> {
  /** a hit was opened */
  onLeave(): void
}

type Where = 'all' | 'this'
type Who = 'anyone' | 'user' | 'assistant'

const places = [
  { value: 'all', label: 'All chats' },
  { value: 'this', label: 'This chat' },
] as const
const people = [
  { value: 'anyone', label: 'Anyone' },
  { value: 'user', label: 'You' },
  { value: 'assistant', label: 'Assistant' },
] as const

/** Searches every message, in all chats or in the one on the page. */
export function SearchDialog({ open, onOpenChange, chatId }: SearchDialogProps) {
  const leaving = useRef(false)
  return (
    <Dialog
      bare
      open={open}
      onOpenChange={onOpenChange}
      title="Search"
      className="w-[min(42rem,calc(100vw-2rem))] max-sm:top-2 max-sm:max-h-[calc(100dvh-1rem)] max-sm:w-[calc(100vw-1rem)]"
      onCloseAutoFocus={(event) => {
        // the message that was opened takes the focus
        if (leaving.current) event.preventDefault()
        leaving.current = false
      }}
    >
      <SearchPanel
        chatId={chatId}
        onLeave={() => {
          leaving.current = true
          onOpenChange(false)
        }}
      />
    </Dialog>
  )
}

/** The words, the filters and the hits: a combobox whose list stays open. */
function SearchPanel({ chatId, onLeave }: SearchPanelProps) {
  const app = useApp()
  const listId = useId()
  const [words, setWords] = useState('')
  const [where, setWhere] = useState<Where>('all')
  const [who, setWho] = useState<Who>('anyone')
  const [chosenId, setChosenId] = useState<string | null>(null)
  const search = useSearch({
    words,
    chatId: where === 'this' ? chatId : null,
    role: who === 'anyone' ? null : who,
  })

  const groups = groupHits(search.hits)
  const hits = groups.flatMap((group) => group.hits)
  // message ids are unique within a chat only
  const optionId = (hit: SearchHit) => `${listId}-${hit.chatId}-${hit.messageId}`
  const chosen = hits.findIndex((hit) => optionId(hit) === chosenId)
  const at = Math.max(0, chosen)
  const active = hits[at]

  const open = (hit: SearchHit, aside: boolean) => {
    if (aside) window.open(messagePath(hit), '_blank')
    else {
      onLeave()
      app.openMessage(hit)
    }
  }

  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || hits.length === 0) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const next = step === undefined ? undefined : hits.at((at + step) % hits.length)
    if (next) setChosenId(optionId(next))
    else if (event.key === 'Enter' && active && !search.waiting) open(active, event.ctrlKey || event.metaKey)
    else return
    event.preventDefault()
  }

  return (
    <>
      <div className="flex items-center gap-3 px-4">
        <Search size={16} aria-hidden className="shrink-0 text-faint" />
        <input
          // biome-ignore lint/a11y/noAutofocus: the dialog was opened to type in it
          autoFocus
          role="combobox"
          aria-label="Search messages"
          aria-expanded={hits.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={active && optionId(active)}
          dir="auto"
          autoComplete="off"
          enterKeyHint="search"
          maxLength={500}
          placeholder="Search what was said, on every branch"
          value={words}
          onChange={(event) => {
            setWords(event.target.value)
            setChosenId(null)
          }}
          onKeyDown={press}
          className="h-12 min-w-0 flex-1 bg-transparent text-lg outline-none"
        />
      </div>
      <div className="flex flex-wrap items-center gap-2 border-line border-b px-3 pb-3">
        {chatId !== null && <Segmented label="Where" value={where} options={places} onChange={setWhere} />}
        <Segmented label="Said by" value={who} options={people} onChange={setWho} />
        <p role="status" className="ml-auto px-1 text-faint text-xs max-sm:sr-only">
          {countWords(search, hits.length)}
        </p>
      </div>
      <div className="min-h-0 overflow-y-auto overscroll-contain" aria-busy={search.waiting}>
        <div className={cn('transition-opacity', search.waiting && hits.length > 0 && 'opacity-50')}>
          {active && (
            <SearchResults
              id={listId}
              groups={groups}
              activeId={optionId(active)}
              optionId={optionId}
              onActive={(hit) => setChosenId(optionId(hit))}
              onOpen={open}
            />
          )}
        </div>
        {search.problem && <Failed problem={search.problem} onAgain={search.again} />}
        {!search.problem && hits.length === 0 && (
          <Nothing
            words={words.trim()}
            state={search.waiting ? 'waiting' : search.partial ? 'partial' : 'answered'}
            narrowed={where === 'this' || who !== 'anyone'}
            isNew={app.viewer === null}
            onWiden={() => {
              setWhere('all')
              setWho('anyone')
            }}
          />
        )}
        {search.more && (
          <div className="px-2 pb-2">
            <Button look="quiet" className="w-full" onClick={() => void search.showMore()}>
              Show more
            </Button>
          </div>
        )}
      </div>
      {hits.length > 0 && <Keys />}
    </>
  )
}

function countWords(
  { waiting, more, partial, problem }: ReturnType<typeof useSearch>,
  count: number,
): string {
  if (problem || (count === 0 && !partial)) return ''
  if (partial) return 'Still looking through older chats'
  if (waiting) return 'Searching'
  return `${count}${more ? '+' : ''} ${count === 1 ? 'message' : 'messages'}`
}
