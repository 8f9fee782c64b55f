'use client'

import {
  type MouseEvent,
  type PointerEvent,
  useCallback,
  useEffect,
  useEffectEvent,
  useReducer,
  useRef,
  useState,
} from 'react'
import { useApp } from '@/components/app/app-context'
import { deferred } from '@/components/app/deferred'
import { chatPath } from '@/components/app/paths'
import { announce } from '@/components/app/toasts'
import { useNow } from '@/components/app/use-on-client'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { useOnChange, useOnChangeBeforePaint } from '@/components/ui/use-on-change'
import type { ChatId } from '@/lib/events'
import type { ChatSummary } from '@/lib/protocol'
import { ChatRow } from './chat-row'
import { groupChats } from './group-chats'
import { ListHead } from './list-head'
import { isFiltered } from './list-state'
import { changeSelection, isSelected, type SelectionAction, selectedCount } from './selection'
import { useRowKeys } from './use-row-keys'

// nothing is selected on the first view, and no menu is open
const RowMenu = deferred(() => import('./row-menu'), {
  floats: ({ onClose }) => ({ open: true, onOpenChange: onClose }),
})
const SelectionBar = deferred(async () => ({ default: (await import('./selection-bar')).SelectionBar }))

/** Lines that are laid out together: the browser draws only the visible ones of a long list. */
const CHUNK = 50

/** The list of chats with its filter, and bulk actions. */
export function ChatList({ pathname, onLeave }: { pathname: string; onLeave?(): void }) {
  const app = useApp()
  const { shown, query, next, total, phase, loadMore } = app.list
  const [selection, select] = useReducer(changeSelection, null)
  const [renamingId, setRenaming] = useState<ChatId | null>(null)
  const [menu, setMenu] = useState<{ chat: ChatSummary; button: HTMLElement } | null>(null)
  const [activeId, setActive] = useState<ChatId | null>(null)
  const scroller = useRef<HTMLElement>(null)
  const selectedBefore = useRef(false)
  const today = useNow()?.setHours(0, 0, 0, 0) ?? null

  const count = next === null ? shown.length : Math.max(total ?? 0, shown.length)
  const selectAnd = (action: SelectionAction) => {
    select(action)
    const after = changeSelection(selection, action)
    announce(after ? `${selectedCount(after, count).toLocaleString('en')} selected` : 'Nothing selected')
  }

  const isListed = (id: ChatId | null) => id !== null && shown.some((chat) => chat.id === id)
  const here = shown.find(({ id }) => pathname === chatPath(id))?.id ?? shown[0]?.id ?? null
  const tabbableId = isListed(activeId) ? activeId : here
  const order = () => shown.map(({ id }) => id)

  const open = (id: ChatId) => {
    onLeave?.()
    if (pathname !== chatPath(id)) app.openChat(id)
  }

  // chats that have left the list are not selected any more
  useEffect(() => select({ type: 'keep', order: shown.map(({ id }) => id) }), [shown])
  // another list begins at its top, and nothing of it is selected
  useOnChange([query.archived, query.agents, query.tag, query.sort, query.q], () => {
    select({ type: 'leave' })
    scroller.current?.scrollTo({ top: 0 })
  })

  const onKeyDown = useRowKeys({
    shown,
    selection,
    select: selectAnd,
    open,
    rename: setRenaming,
  })
  const longPress = useLongPress((id) => selectAnd({ type: 'begin', id }))
  const keepFocus = useKeptFocus(scroller, shown)
  const isSelecting = selection !== null
  // the button that began or ended it is gone
  useOnChangeBeforePaint([isSelecting], () => {
    if (tabbableId === null || selectedBefore.current === isSelecting) return
    selectedBefore.current = isSelecting
    if (document.activeElement === document.body) rowOf(scroller.current, tabbableId)?.focus()
  })

  const onClick = (event: MouseEvent<HTMLElement>) => {
    const target = event.target as Element
    const id = target.closest<HTMLElement>('[data-chat]')?.dataset.chat
    const chat = shown.find((other) => other.id === id)
    if (!chat || id === undefined) return
    const button = target.closest<HTMLElement>('[data-more]')
    if (button) return setMenu({ chat, button })
    if (longPress.swallow()) return event.preventDefault()
    if (target.closest('label')) {
      // the click on the label; its checkbox has one of its own, which counts
      if (target.tagName !== 'INPUT') return
      if (event.shiftKey) selectAnd({ type: 'stretch', to: id, order: order() })
      else selectAnd({ type: 'toggle', id })
      return
    }
    if (!target.closest('a')) return
    if (event.shiftKey) selectAnd({ type: 'stretch', to: id, order: order() })
    else if (event.ctrlKey || event.metaKey || selection) selectAnd({ type: 'toggle', id })
    else open(id)
    event.preventDefault()
  }

  const { retitle } = app
  const onTitle = useCallback(
    (chat: ChatSummary, title: string | null) => {
      setRenaming(null)
      setActive(chat.id)
      if (title !== null) retitle(chat, title)
    },
    [retitle],
  )

  return (
    <>
      <ListHead />
      <nav
        ref={scroller}
        aria-label="Your chats"
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-2 pb-4"
        onClick={onClick}
        onKeyDown={onKeyDown}
        onFocus={(event) => {
          const id = event.target.closest<HTMLElement>('[data-chat]')?.dataset.chat
          if (id !== undefined) setActive(id)
          keepFocus.onFocus(id)
        }}
        onBlur={keepFocus.onBlur}
        {...longPress.handlers}
      >
        {groupChats(shown, query, today === null ? null : new Date(today)).map((group) => (
          <section key={group.label} className="pt-4 first:pt-2">
            <h2 className="min-h-5 px-2 pb-1 font-medium text-faint text-xs">{group.label}</h2>
            {chunksOf(group.chats).map((chats, at) => (
              <ul
                // biome-ignore lint/suspicious/noArrayIndexKey: a chunk is a stretch of the list, whatever it holds
                key={at}
                style={
                  group.chats.length > CHUNK
                    ? { contentVisibility: 'auto', containIntrinsicSize: `auto ${chats.length * 32}px` }
                    : undefined
                }
              >
                {chats.map((chat) => (
                  <ChatRow
                    key={chat.id}
                    chat={chat}
                    news={chat.waits ? 'waits' : app.news.all.has(chat.id) ? 'ended' : null}
                    current={pathname === chatPath(chat.id)}
                    tabbable={chat.id === tabbableId}
                    selecting={selection !== null}
                    selected={isSelected(selection, chat.id)}
                    renaming={chat.id === renamingId}
                    menuOpen={chat.id === menu?.chat.id}
                    onTitle={onTitle}
                  />
                ))}
              </ul>
            ))}
          </section>
        ))}
        {shown.length === 0 && phase === 'ready' && <Nothing />}
        <ListEnd phase={phase} next={next} first={shown.length === 0} onMore={loadMore} />
      </nav>
      {selection && <SelectionBar selection={selection} select={selectAnd} count={count} />}
      {menu && (
        <RowMenu
          {...menu}
          onClose={() => setMenu(null)}
          renameChat={(chat) => setRenaming(chat?.id ?? null)}
          select={({ id }) => selectAnd({ type: 'begin', id })}
        />
      )}
    </>
  )
}

const rowOf = (list: HTMLElement | null, id: ChatId) =>
  list?.querySelector<HTMLElement>(`[data-chat="${CSS.escape(id)}"] a`)

function chunksOf<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / CHUNK) }, (_, at) =>
    all.slice(at * CHUNK, (at + 1) * CHUNK),
  )
}

/** Words of a list that shows no chat. */
function Nothing() {
  const { list } = useApp()
  const { archived, tag, q, agents } = list.query
  if (!isFiltered(list.query))
    return <p className="px-2 py-4 text-muted text-sm">Your chats will be listed here.</p>
  const words =
    q.trim() !== ''
      ? `No title holds “${q.trim()}”.`
      : tag !== undefined
        ? `No chat${archived ? ' in the archive' : ''} has the tag “${tag}”.`
        : agents
          ? `No agent has written here yet. \`ramify run -- claude\` has one write.`
          : 'No chat is archived.'
  return (
    <div className="flex flex-col items-start gap-3 px-2 py-4 text-muted text-sm">
      <p>{words}</p>
      <Button
        size="sm"
        onClick={() => list.ask({ archived: false, agents: undefined, tag: undefined, q: '' })}
      >
        Show all chats
      </Button>
    </div>
  )
}

interface ListEndProps {
  phase: 'ready' | 'loading' | 'failed'
  /** the cursor of the next page */
  next: string | null
  /** nothing is listed yet */
  first: boolean
  onMore(): void
}

/** The end of the list so far: it asks for more before it comes into view. */
function ListEnd({ phase, next, first, onMore }: ListEndProps) {
  const end = useRef<HTMLDivElement>(null)
  const ask = useEffectEvent(onMore)
  useEffect(() => {
    const { current } = end
    if (!current || next === null || phase !== 'ready') return
    const around = { root: current.parentElement, rootMargin: '600px' }
    // on a busy page several come at once, and the first may be of before it was scrolled
    const seen = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && ask(),
      around,
    )
    seen.observe(current)
    return () => seen.disconnect()
    // a page may come before its loading is drawn: the end is then looked for once more, wherever it was before
  }, [next, phase])
  return (
    <div ref={end} className="min-h-px">
      {phase === 'loading' && (
        <div role="status" aria-label="Loading chats" className="flex flex-col gap-4 px-2 py-3">
          {['w-4/5', 'w-3/5', 'w-2/3', ...(first ? ['w-1/2', 'w-3/4', 'w-2/5'] : [])].map((width) => (
            <Skeleton key={width} className={`h-4 ${width}`} />
          ))}
        </div>
      )}
      {phase === 'failed' && (
        <div role="alert" className="flex flex-col items-start gap-2 px-2 py-3 text-muted text-sm">
          <p>{first ? 'The chats' : 'More chats'} could not be loaded.</p>
          <Button size="sm" onClick={onMore}>
            Try again
          </Button>
        </div>
      )}
    </div>
  )
}

/** A finger that stays on a row begins to select. The click that follows is not one. */
function useLongPress(begin: (id: ChatId) => void) {
  const press = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number } | null>(null)
  const isPast = useRef(false)
  const end = () => {
    if (press.current) clearTimeout(press.current.timer)
    press.current = null
  }
  useEffect(() => () => clearTimeout(press.current?.timer), [])
  return {
    /** true when the click that comes is the end of a long press */
    swallow() {
      const past = isPast.current
      isPast.current = false
      return past
    },
    handlers: {
      onPointerDown(event: PointerEvent<HTMLElement>) {
        end()
        isPast.current = false
        const id = (event.target as Element).closest('a')?.closest<HTMLElement>('[data-chat]')?.dataset.chat
        if (event.pointerType !== 'touch' || id === undefined) return
        const timer = setTimeout(() => {
          isPast.current = true
          press.current = null
          begin(id)
        }, LONG_PRESS)
        press.current = { timer, x: event.clientX, y: event.clientY }
      },
      onPointerMove(event: PointerEvent<HTMLElement>) {
        const from = press.current
        if (from && Math.hypot(event.clientX - from.x, event.clientY - from.y) > 10) end()
      },
      onPointerUp: end,
      onPointerCancel: end,
      onContextMenu(event: MouseEvent<HTMLElement>) {
        if (press.current || isPast.current) event.preventDefault()
      },
    },
  }
}

/** Time that a finger stays on a row to select it, in ms. */
const LONG_PRESS = 500

/** Keeps the focus in the list when the row that had it leaves: the row that takes its place has it. */
function useKeptFocus(list: { current: HTMLElement | null }, shown: readonly ChatSummary[]) {
  const at = useRef<number | null>(null)
  useOnChangeBeforePaint([list, shown], () => {
    if (at.current === null || document.activeElement !== document.body) return
    const rows = list.current?.querySelectorAll<HTMLElement>('[data-chat] a') ?? []
    rows[Math.min(at.current, rows.length - 1)]?.focus({ preventScroll: true })
  })
  return {
    onFocus(id: ChatId | undefined) {
      at.current = id === undefined ? null : shown.findIndex((chat) => chat.id === id)
    },
    onBlur({ relatedTarget }: { relatedTarget: EventTarget | null }) {
      // a removed row gives the focus to no element
      if (relatedTarget !== null) at.current = null
    },
  }
}
