'use client'

import { ArrowDown, Layers } from 'lucide-react'
import {
  type Dispatch,
  Fragment,
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useRef,
} from 'react'
import { allArticles, articleAt, articleOf, openSteps } from '@/components/app/articles'
import { LoadFailed } from '@/components/app/notice'
import { ThreadSkeleton } from '@/components/app/skeletons'
import { pointing, useReadingMark } from '@/components/app/use-pointing'
import { blocksOf } from '@/components/session/blocks'
import { useChatTools } from '@/components/session/chat-context'
import type { ChatAction } from '@/components/session/chat-session'
import { contextLine } from '@/components/session/context-line'
import { hasWords, type JoinedRow, joinedRows, rowGroups } from '@/components/session/joined-rows'
import { wordsOf } from '@/components/session/messages'
import type { ThreadRow } from '@/components/session/thread-rows'
import type { ThreadView } from '@/components/session/use-chat-session'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { useMediaQuery } from '@/components/ui/use-media-query'
import { useOnChange } from '@/components/ui/use-on-change'
import type { MessageId } from '@/lib/events'
import { LiveTurn } from './live-turn'
import { preloadMarkdown } from './markdown/deferred-markdown'
import { type Drawing, useFirstDrawn } from './markdown/first-drawn'
import { Message } from './message'
import { longRun, StepRun, StepsOf } from './parts/step-run'
import { Unanswered } from './reply-status'
import { useArticleFocus, useArticleKeys } from './use-article-keys'
import { laidFromEnd, useAnchor, useStickToBottom } from './use-scrolling'

export interface ThreadHandle {
  toBottom(): void
  /** the first message in sight; null at the end */
  stands(): MessageId | null
  /** brings a message into view, marks it for a moment; `false` when it is not on the page */
  show(id: MessageId, block?: ScrollLogicalPosition, focus?: boolean): boolean
  /** the button of an action on a message, brought into view */
  buttonOf(id: MessageId, action: string): Element | null
}

interface ThreadProps {
  ref?: Ref<ThreadHandle>
  view: ThreadView
  dispatch: Dispatch<ChatAction>
  empty: ReactNode
  /** a line under the last message */
  note?: ReactNode
  /** a note below a message */
  pointed?: { id: MessageId; note: ReactNode } | null
  /** several replies, in the place of one */
  columns?: ReactNode
  /** to the box where the next message is written */
  onWrite(): void
}

export function Thread({ ref, view, dispatch, empty, note, pointed, columns, onWrite }: ThreadProps) {
  const { path, rows, above, below, loadingAt, head, turn } = view
  const { problem, again } = view.bodies
  const scroller = useRef<HTMLDivElement>(null)
  const isEnd = below === 0
  const drawn = useFirstDrawn(rows.map(drawingOf))
  const still = useMediaQuery('(prefers-reduced-motion: reduce)')
  const { atBottom, toBottom, settle, letGo } = useStickToBottom(scroller, isEnd)
  const onKeyDown = useArticleKeys(scroller, onWrite)
  useArticleFocus(scroller)
  useReadingMark(scroller, `${path} ${rows.map(({ node }) => node.id).join(' ')} ${turn?.replyId}`)
  const isComing = loadingAt !== null || turn !== null
  useEffect(() => {
    if (isComing) preloadMarkdown()
  }, [isComing])
  useAnchor(scroller, rows[0]?.node.id, loadingAt === 0 && rows.length > 0)

  useImperativeHandle(ref, () => ({
    toBottom,
    stands() {
      if (!scroller.current || (atBottom && isEnd)) return null
      const room = scroller.current.getBoundingClientRect()
      const first = allArticles(scroller.current).find(
        (article) => article.getBoundingClientRect().bottom > room.top + 8,
      )
      return first?.dataset.messageId ?? null
    },
    show(id, block = 'start', focus = false) {
      const article = scroller.current && articleAt(id, scroller.current)
      if (!article) return false
      letGo()
      openSteps(article)
      article.scrollIntoView({ block, behavior: 'instant' })
      if (focus) article.focus({ preventScroll: true })
      article.classList.remove('mark')
      requestAnimationFrame(() => article.classList.add('mark'))
      return true
    },
    buttonOf(id, action) {
      const article = scroller.current && articleAt(id, scroller.current)
      const button = article?.querySelector(`[data-action="${action}"]`) ?? null
      button?.scrollIntoView({ block: 'nearest' })
      return button
    },
  }))

  const isSettled = loadingAt === null && !problem
  // folded steps may leave the ends in sight however many are there
  const top = useNear(scroller, isSettled && above > 0, above, () => dispatch({ type: 'earlier' }))
  const bottom = useNear(scroller, isSettled && !isEnd, rows.length, () => dispatch({ type: 'later' }))

  useOnChange([path, rows.at(-1)?.node.id, settle], () => settle())

  const { versionsOf, checkpointsAt } = useChatTools()
  const isHead = ({ node, answeredIn }: JoinedRow) =>
    head !== null && (node.id === head?.id || answeredIn.includes(head?.id ?? ''))
  const groups = rowGroups(
    joinedRows(rows),
    (row) =>
      !isHead(row) &&
      // a row that was loaded meanwhile begins a run of its own
      row.at !== loadingAt &&
      versionsOf(row.node.id) === null &&
      checkpointsAt(row.node.id).length === 0,
  )
  const drawnRow = (row: JoinedRow, isStep = false) => (
    <Message
      key={row.node.id}
      node={row.node}
      message={row.message}
      answeredIn={row.answeredIn.join(' ')}
      isHead={isHead(row)}
      isStep={isStep}
      next={rows[row.at + 1]?.message}
      later={drawn.get(row.node.id) === false}
    />
  )

  const unanswered = !turn && !columns && head?.role === 'user' ? head : null
  const isEmpty = rows.length === 0 && !turn && isSettled
  return (
    <div className="relative min-h-0 flex-1">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the messages in it */}
      <div
        ref={scroller}
        id="messages"
        className={cn('h-full overflow-y-auto overscroll-contain [overflow-anchor:none]', laidFromEnd)}
        onKeyDown={onKeyDown}
        // earlier messages come into sight soon
        onWheel={preloadMarkdown}
        onTouchMove={preloadMarkdown}
        {...threadPointing}
      >
        <div className="flex min-h-full shrink-0 flex-col">
          <div
            className={cn(
              'mx-auto flex w-full max-w-[720px] flex-col px-3 pt-4 sm:px-5',
              columns ? 'pb-2' : 'grow pb-6',
            )}
          >
            <div ref={top} />
            {problem && <LoadFailed problem={problem} onAgain={again} />}
            {isEmpty && empty}
            {groups.map((group) => {
              const [first] = group.kind === 'row' ? [group.row] : group.rows
              const before = first?.at === loadingAt && <ThreadSkeleton rows={1} />
              return (
                <Fragment key={first?.node.id}>
                  {before}
                  {group.kind === 'row' ? drawnRow(group.row) : <Folded {...group}>{drawnRow}</Folded>}
                  {first?.node.id === pointed?.id && pointed?.note}
                </Fragment>
              )
            })}
            {loadingAt === rows.length && <ThreadSkeleton rows={rows.length === 0 ? 4 : 1} />}
            <div ref={bottom} />
            {turn && isEnd && <LiveTurn key={turn.key} turn={turn} lane={view.turnLane} onGrow={settle} />}
            {unanswered && isEnd && rows.length > 0 && loadingAt === null && (
              <Unanswered node={unanswered} failure={view.failure} />
            )}
            {!isEmpty && isEnd && note && <p className="px-1 pt-2 pl-[23px] text-muted text-sm">{note}</p>}
          </div>
          {isEnd && columns}
        </div>
      </div>
      {(!atBottom || !isEnd) && !isEmpty && (
        <Button
          size="sm"
          className="appear absolute bottom-3 left-1/2 -translate-x-1/2 rounded-full px-3 shadow-float"
          onClick={() => {
            dispatch({ type: 'end' })
            toBottom(isEnd && !still ? 'smooth' : 'auto')
          }}
        >
          <ArrowDown size={14} aria-hidden /> Jump to latest
        </Button>
      )}
    </div>
  )
}

interface FoldedProps {
  kind: 'steps' | 'context'
  rows: readonly JoinedRow[]
  children(row: JoinedRow, isStep: boolean): ReactNode
}

/**
 * Messages in a row that no person has written: steps, with the words between them, or context that an agent has
 * added.
 */
function Folded({ kind, rows, children }: FoldedProps) {
  const line = kind === 'steps' ? runLine(rows) : rows.length > 1 && contextLine(addedIn(rows))
  const drawn = rows.map((row) => children(row, Boolean(line) || !hasWords(row)))
  if (!line) return drawn
  return (
    <div className="px-1 pl-[23px]">
      <StepRun line={line} Icon={kind === 'context' ? Layers : undefined}>
        {drawn}
      </StepRun>
    </div>
  )
}

/** The steps of a run on one line; null where each is a line of its own. */
function runLine(rows: readonly JoinedRow[]): ReactNode {
  const parts = rows.flatMap(({ message }) =>
    blocksOf(message).flatMap((block) => (block.kind === 'tool' ? block.part : [])),
  )
  return parts.length < longRun ? null : <StepsOf parts={parts} />
}

const addedIn = (rows: readonly JoinedRow[]): unknown[] =>
  rows.flatMap(({ message }) =>
    blocksOf(message).flatMap((block) => (block.kind === 'context' ? block.added : [])),
  )

/** Calls back each time the returned ref, placed at an end of the list, comes near. */
function useNear(
  scroller: RefObject<HTMLElement | null>,
  isOn: boolean,
  version: number,
  onNear: () => unknown,
): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null)
  const near = useEffectEvent(onNear)
  useOnChange([scroller, isOn, version], () => {
    if (!place.current || !isOn) return
    const around = { root: scroller.current, rootMargin: '600px 0px' }
    const seen = new IntersectionObserver((entries) => entries.some(isSeen) && near(), around)
    seen.observe(place.current)
    return () => seen.disconnect()
  })
  return place
}

const threadPointing = pointing('thread', (element) => articleOf(element)?.dataset.messageId)

const isSeen = ({ isIntersecting }: IntersectionObserverEntry): boolean => isIntersecting

const drawingOf = ({ node, message }: ThreadRow): Drawing => ({
  id: node.id,
  texts: [{ author: node.role, text: wordsOf(message) }],
})
