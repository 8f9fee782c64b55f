'use client'

import { Ellipsis, GitBranch } from 'lucide-react'
import { memo, useDeferredValue } from 'react'
import { dollars } from '@/components/app/dollars'
import { titleOf } from '@/components/app/listed'
import { type NewsKind, newsWords } from '@/components/app/news'
import { chatPath } from '@/components/app/paths'
import { TitleField } from '@/components/app/title-field'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import type { ChatSummary } from '@/lib/protocol'
import { AgentMark } from './agent-mark'

interface ChatRowProps {
  chat: ChatSummary
  news: NewsKind | null
  /** its page is shown */
  current: boolean
  /** the one row that Tab goes to */
  tabbable: boolean
  selecting: boolean
  selected: boolean
  renaming: boolean
  menuOpen: boolean
  onTitle(chat: ChatSummary, title: string | null): void
}

/** One line of the list. Its clicks and keys are the list's: thousands of lines have one handler. */
export const ChatRow = memo(function ChatRow({ chat, news, current, onTitle, ...row }: ChatRowProps) {
  const { tabbable, selecting, selected, renaming, menuOpen } = row
  const title = titleOf(chat)
  // the page is read before a row is pointed at
  const isUsable = useDeferredValue(true, false)
  if (renaming) {
    return (
      <li data-chat={chat.id}>
        <TitleField
          title={chat.title ?? ''}
          onDone={(next) => onTitle(chat, next)}
          after={() => document.querySelector<HTMLElement>(`[data-chat="${CSS.escape(chat.id)}"] a`)}
          className="text-sm"
        />
      </li>
    )
  }
  const [tag] = chat.tags
  const more = chat.tags.length > 1 ? ` +${chat.tags.length - 1}` : ''
  return (
    <li data-chat={chat.id} className="group relative">
      <a
        href={chatPath(chat.id)}
        draggable={false}
        tabIndex={tabbable ? 0 : -1}
        aria-current={current ? 'page' : undefined}
        className={cn(
          'chat-row',
          selecting ? 'pr-9 group-focus-within:pr-9 group-hover:pr-9' : menuOpen && 'pr-15',
          selected
            ? 'bg-accent-soft text-ink hover:bg-accent-soft aria-[current=page]:bg-accent-soft'
            : menuOpen && 'bg-ink/5 text-ink aria-[current=page]:bg-ink/7',
        )}
      >
        {news && (
          <span
            aria-hidden
            title={newsWords[news]}
            className={cn('size-2 shrink-0 rounded-full', news === 'waits' ? 'bg-warn' : 'bg-accent')}
          />
        )}
        <span dir="auto" className={cn('min-w-0 flex-1 truncate', news && 'font-medium text-ink')}>
          {title}
        </span>
        {news && <span className="sr-only">, {newsWords[news].toLowerCase()}</span>}
        <span className={cn('chat-row-about', (selecting || menuOpen) && 'hidden')}>
          {news === 'waits' && (
            <span aria-hidden className="shrink-0 text-warn">
              waits for you
            </span>
          )}
          {tag !== undefined && news !== 'waits' && (
            <span className="flex min-w-0">
              <span className="sr-only">, tags: {chat.tags.join(', ')}</span>
              <bdi aria-hidden className="truncate">
                {tag}
              </bdi>
              <span aria-hidden className="whitespace-pre">
                {more}
              </span>
            </span>
          )}
          {chat.agent !== null && chat.costUsd !== null && (
            <span className="shrink-0 tabular-nums" title="What its replies cost, sub-agents included">
              <span className="sr-only">, cost: </span>
              {dollars(chat.costUsd)}
            </span>
          )}
          {chat.branchCount > 1 && (
            <span className="flex items-center gap-0.5 text-muted">
              <GitBranch size={12} aria-hidden />
              <span className="sr-only">, branches:</span>
              {chat.branchCount}
            </span>
          )}
          {chat.agent !== null && <AgentMark agent={chat.agent} />}
        </span>
      </a>
      {isUsable && (
        <div className="pointer-events-none absolute inset-y-0 right-0.5 flex items-center">
          <label
            className={cn(
              'grid size-7 cursor-pointer place-items-center touch:size-11',
              selecting
                ? 'pointer-events-auto'
                : 'opacity-0 focus-within:opacity-100 group-focus-within:pointer-events-auto group-focus-within:opacity-100 group-hover:pointer-events-auto group-hover:opacity-100 touch:hidden',
            )}
          >
            <input
              type="checkbox"
              aria-label={`Select ${title}`}
              tabIndex={-1}
              checked={selected}
              readOnly
              className="size-3.5 accent-accent touch:size-5"
            />
          </label>
          {!selecting && (
            <Button
              look="quiet"
              size="icon-sm"
              data-more
              tabIndex={tabbable ? 0 : -1}
              aria-label={`More about ${title}`}
              aria-haspopup="menu"
              aria-expanded={menuOpen}
              className={cn(
                'focus-visible:opacity-100 group-focus-within:pointer-events-auto group-focus-within:opacity-100',
                'group-hover:pointer-events-auto group-hover:opacity-100 touch:pointer-events-auto touch:opacity-100',
                menuOpen ? 'opacity-100' : 'opacity-0',
              )}
            >
              <Ellipsis size={16} aria-hidden />
            </Button>
          )}
        </div>
      )}
    </li>
  )
})
