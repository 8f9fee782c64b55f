'use client'

import {
  type Dispatch,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { getJson } from '@/components/app/api'
import { useApp } from '@/components/app/app-context'
import { articleOf } from '@/components/app/articles'
import { foldInto } from '@/components/app/fold-into'
import { problemOf, unreached } from '@/components/app/problem'
import { announce, problemToast } from '@/components/app/toasts'
import type { ChatAction, ChatSession } from '@/components/session/chat-session'
import { chatUrl, messagesUrl, useLoaded } from '@/components/session/read-chat'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { useOnChange } from '@/components/ui/use-on-change'
import type { BranchId, RunId } from '@/lib/events'
import type { RepliesBeside, ReplyBeside } from '@/lib/graph'
import type { ContextInUse, GraphNode, ThreadWindow } from '@/lib/protocol'
import { type ColumnActions, ReplyColumn } from './reply-column'
import { useReplyWords } from './use-reply-words'

interface FanOutColumnsProps {
  beside: RepliesBeside
  state: ChatSession
  dispatch: Dispatch<ChatAction>
  /** keeps one; the branches of the others are archived */
  onKeep(branchId: BranchId, others: readonly BranchId[]): Promise<void>
  onKeepAll(): void
  /** asks for a reply to the message once more, on a branch that got none */
  onAgain(asked: GraphNode, branchId: BranchId): void
}

/** Several replies to one message: beside each other where there is room, else one at a time to swipe through. */
export default function FanOutColumns({
  beside,
  state,
  dispatch,
  onKeep,
  onKeepAll,
  onAgain,
}: FanOutColumnsProps) {
  const { api } = useApp()
  const { index, bodies } = state
  const { chatId } = index.graph
  const { replies, messageId } = beside
  const words = useReplyWords(chatId, beside, state.readTo, dispatch)
  useBodies(beside, state, dispatch)
  const contexts = useContexts(chatId, beside)
  const [stopping, setStopping] = useState<ReadonlySet<RunId>>(new Set())
  const [choosing, setChoosing] = useState(false)
  /** the reply that stays, once the others have gone to the graph */
  const [kept, setKept] = useState<BranchId | null>(null)
  const row = useRef<HTMLDivElement>(null)
  const { current, overflows } = useColumnInSight(row, replies.length)
  const writing = replies.flatMap(({ run }) => (run ? [run.runId] : []))

  /** Resolves when the replies are stored as far as they were written; `false` where one goes on. */
  const stop = async (runs: readonly RunId[]): Promise<boolean> => {
    setStopping((before) => new Set([...before, ...runs]))
    const headers = { 'content-type': 'application/json' }
    try {
      await Promise.all(
        runs.map((runId) =>
          api.fetch(chatUrl('chat', chatId, 'stop'), {
            method: 'POST',
            headers,
            body: JSON.stringify({ runId }),
          }),
        ),
      )
      return true
    } catch (error) {
      setStopping((before) => new Set([...before].filter((runId) => !runs.includes(runId))))
      problemToast(problemOf(error, unreached))
      return false
    }
  }

  /** Keeps one reply; replies that are still being written are stopped first. */
  const keep = async (id: BranchId) => {
    setChoosing(true)
    const others = replies.filter(({ branch }) => branch.id !== id)
    if (await stop(others.flatMap(({ run }) => (run ? [run.runId] : [])))) {
      for (const { branch, node } of others) {
        const card = row.current?.querySelector(`[data-branch="${CSS.escape(branch.id)}"]`)
        if (card) foldInto(card, node?.id ?? messageId, branch.id)
      }
      setKept(id)
      await onKeep(
        id,
        others.map(({ branch }) => branch.id),
      )
    }
    // after a refusal all replies are there again
    setKept(null)
    setChoosing(false)
  }
  const again = (branchId: BranchId) => {
    const asked = index.byId(messageId)
    if (asked) onAgain(asked, branchId)
  }
  const on = useLatest({ stop: (runId) => void stop([runId]), keep: (id) => void keep(id), again })

  const show = (at: number) => {
    const column = row.current?.children[at]
    column?.scrollIntoView({ block: 'nearest', inline: 'start' })
    if (column instanceof HTMLElement) column.focus({ preventScroll: true })
  }

  const says =
    writing.length > 0
      ? `${replies.length} replies, ${writing.length} being written`
      : `${replies.length} replies`
  return (
    <section
      aria-label="Replies side by side"
      className="arrive flex flex-col gap-2 px-3 pb-6 sm:px-5"
      onKeyDown={scrollFirst}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p role="status" className="font-medium text-muted text-sm">
          {says}
        </p>
        {overflows && (
          <nav aria-label="Replies" className="flex items-center">
            {replies.map(({ branch }, at) => (
              <button
                key={branch.id}
                type="button"
                aria-label={`Reply ${at + 1}`}
                aria-current={at === current}
                onClick={() => show(at)}
                className="grid size-6 place-items-center touch:size-11"
              >
                <span
                  className={cn(
                    'size-2 rounded-full transition-colors',
                    at === current ? 'bg-accent' : 'bg-line-strong',
                  )}
                />
              </button>
            ))}
          </nav>
        )}
        <span className="ml-auto flex items-center gap-2">
          {writing.length > 0 && (
            <Button
              size="sm"
              disabled={choosing || writing.every((runId) => stopping.has(runId))}
              onClick={() => void stop(writing)}
            >
              Stop all
            </Button>
          )}
          <Button
            size="sm"
            disabled={choosing}
            onClick={() => {
              onKeepAll()
              announce('Every reply stays, each on its own branch')
            }}
          >
            Keep all
          </Button>
        </span>
      </div>
      <div
        ref={row}
        className={cn(
          '-mx-3 grid items-start auto-cols-[minmax(min(18rem,88%),1fr)] grid-flow-col gap-3 overflow-x-auto px-3 pb-1 sm:-mx-5 sm:px-5',
          'snap-x snap-mandatory scroll-px-3 overscroll-x-contain sm:scroll-px-5',
        )}
      >
        {replies.map((reply, at) => (
          <ReplyColumn
            key={reply.branch.id}
            index={index}
            reply={reply}
            place={at + 1}
            count={replies.length}
            message={reply.node ? bodies.get(reply.node.id) : undefined}
            words={lastWords(words, reply)}
            context={contexts.get(reply.branch.id)}
            isHere={reply.branch.id === state.branchId}
            stopping={reply.run !== null && stopping.has(reply.run.runId)}
            choosing={choosing}
            isFolded={kept !== null && kept !== reply.branch.id}
            on={on}
          />
        ))}
      </div>
    </section>
  )
}

/** The same object for as long as the columns are shown: new functions draw no column anew. */
function useLatest(actions: ColumnActions): ColumnActions {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  return useMemo(
    () => ({
      stop: (runId) => latest.current.stop(runId),
      keep: (branchId) => latest.current.keep(branchId),
      again: (branchId) => latest.current.again(branchId),
    }),
    [],
  )
}

/** The words of a reply as they came, also while the stored ones are being loaded. */
function lastWords(words: ReturnType<typeof useReplyWords>, { run, node }: ReplyBeside) {
  if (run) return words.get(run.runId)
  return [...words.values()].find(({ message }) => message && message.id === node?.id)
}

/** Words that tell the contexts of the replies apart, by branch; none where all were asked in the same one. */
function useContexts(chatId: string, { messageId, replies }: RepliesBeside): ReadonlyMap<BranchId, string> {
  const [loaded, setLoaded] = useState<{ of: string; contexts: ContextInUse[] } | null>(null)
  const of = `${messageId} ${replies.map(({ branch }) => branch.id)}`
  useLoaded<{ contexts: ContextInUse[] }>(
    chatUrl('chats', chatId, 'contexts'),
    ({ contexts }) => setLoaded({ of, contexts }),
    of,
  )
  return useMemo(() => {
    const ids = of.split(/[ ,]/)
    const asked = loaded?.of === of ? loaded.contexts : []
    const here = asked.filter(({ branch_ids }) => branch_ids.some((id) => ids.includes(id)))
    if (here.length < 2) return new Map()
    return new Map(here.flatMap(({ branch_ids, opening }) => branch_ids.map((id) => [id, opening])))
  }, [loaded, of])
}

/** Loads the stored replies that the page has not read yet. */
function useBodies(
  { replies }: RepliesBeside,
  { index, bodies }: ChatSession,
  dispatch: Dispatch<ChatAction>,
): void {
  const { api } = useApp()
  const { chatId } = index.graph
  const asked = useRef(new Set<string>())
  useEffect(() => {
    for (const { node, branch } of replies) {
      if (!node || bodies.has(node.id) || asked.current.has(node.id)) continue
      asked.current.add(node.id)
      const url = messagesUrl(chatId, branch.id, node.depth + 1, 1)
      getJson<ThreadWindow>(api, url).then(
        ({ messages }) => dispatch({ type: 'bodies', bodies: messages }),
        (error: unknown) => {
          asked.current.delete(node.id)
          problemToast(problemOf(error, unreached))
        },
      )
    }
  }, [api, chatId, replies, bodies, dispatch])
}

/** The first column in sight, and whether some are out of it. */
function useColumnInSight(row: RefObject<HTMLElement | null>, count: number) {
  const [seen, setSeen] = useState({ current: 0, overflows: false })
  useOnChange([row, count], () => {
    const element = row.current
    if (!element) return
    const look = () => {
      const left = element.getBoundingClientRect().left
      const at = [...element.children].findIndex((column) => column.getBoundingClientRect().right > left + 80)
      const overflows = element.scrollWidth > element.clientWidth + 1
      setSeen((before) =>
        before.current === at && before.overflows === overflows ? before : { current: at, overflows },
      )
    }
    const resized = new ResizeObserver(look)
    resized.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      resized.disconnect()
      element.removeEventListener('scroll', look)
    }
  })
  return seen
}

/** In a column that is longer than its place, the arrows scroll before they lead on. */
function scrollFirst(event: KeyboardEvent): void {
  const { key, target } = event
  const column = target instanceof Element ? articleOf(target) : null
  if (!column || target !== column) return
  const below = column.scrollHeight - column.clientHeight - column.scrollTop
  if ((key === 'ArrowDown' && below > 1) || (key === 'ArrowUp' && column.scrollTop > 0))
    event.stopPropagation()
}
