'use client'

import type { ReactNode } from 'react'
import { offers, shownKeys } from '@/components/actions/action'
import { type OnChat, redoMove, undoMove } from '@/components/actions/on-chat'
import { closeHistory } from '@/components/actions/on-graph'
import { LoadFailed } from '@/components/app/notice'
import { quoted } from '@/components/app/plain-preview'
import { dayWords } from '@/components/app/time-words'
import { Button, IconButton } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import type { BranchId, MessageId } from '@/lib/events'
import { shownNames } from '@/lib/graph/branch-title'
import type { GraphIndex } from '@/lib/graph/graph-index'
import type { MoveNames } from '@/lib/graph/history/move-words'
import { HistoryRow } from './history-row'
import { byDay, withStanding } from './standing'
import { useMoveList } from './use-move-list'

/** Places that a line of the history leads to. */
export interface HistoryWays {
  /** shows the graph as it was after a position of the log */
  see(seq: number): void
  /** opens a branch, at a message if there is one */
  goTo(branchId: BranchId | undefined, messageId: MessageId | undefined): void
  undoTo(seq: number): void
}

interface HistoryPanelProps extends HistoryWays {
  index: GraphIndex
  on: OnChat
  /** the line of time */
  line: ReactNode
  /** the position of the log that the graph is shown at; null for now */
  shown: number | null
  onClose(): void
}

/** As near to the end of the list are earlier lines loaded, in px. */
const nearEnd = 600

/** Panel of the chat's history: the line of time, and below it each move, the latest first. */
export default function HistoryPanel({ index, on, line, shown, onClose, ...ways }: HistoryPanelProps) {
  const { chatId, seq } = index.graph
  const { moves, latest, earlier, more } = useMoveList(chatId, seq)
  const names: MoveNames = {
    ...shownNames(index),
    quote(id) {
      const preview = index.byId(id)?.preview
      return preview === undefined ? undefined : quoted(preview)
    },
  }
  const lines = moves && withStanding(moves)
  const atTime = shown === null ? undefined : lines?.find(({ entry }) => entry.seq <= shown)
  const isThere = (entry: { branchId?: BranchId | undefined; messageId?: MessageId | undefined }) =>
    (entry.branchId !== undefined && index.branch(entry.branchId) !== undefined) ||
    (entry.messageId !== undefined && index.byId(entry.messageId) !== undefined)
  return (
    <section
      aria-label="History"
      className="arrive relative z-30 flex h-[min(26rem,55%)] min-h-0 shrink-0 flex-col border-line border-t bg-canvas"
    >
      <header className="flex h-10 shrink-0 items-center gap-1 pr-2 pl-4 touch:h-13">
        <h2 className="min-w-0 flex-1 font-medium">History</h2>
        {offers([undoMove, redoMove], on, true).map(({ id, label, hotkey, Icon, refused, run }) => (
          <IconButton
            key={id}
            label={label}
            hint={hotkey}
            Icon={Icon}
            size="tool"
            aria-disabled={refused}
            onClick={() => !refused && run()}
            className="aria-disabled:opacity-45"
          />
        ))}
        <IconButton
          label={closeHistory.label}
          hint={closeHistory.keys?.flatMap(shownKeys)}
          Icon={closeHistory.Icon}
          size="tool"
          onClick={onClose}
        />
      </header>
      {line}
      <div
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain pb-4"
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          if (more && !earlier.loading && scrollHeight - scrollTop - clientHeight < nearEnd) more()
        }}
      >
        {latest.problem ? (
          <div className="p-4">
            <LoadFailed problem={latest.problem} onAgain={latest.again} />
          </div>
        ) : !lines ? (
          <div role="status" aria-label="Loading the history" className="flex flex-col gap-3 p-4">
            <Skeleton className="h-5" />
            <Skeleton className="h-5" />
            <Skeleton className="h-5" />
          </div>
        ) : lines.length === 0 ? (
          <p className="p-4 text-muted text-sm">
            Nothing has happened yet. Branches, checkpoints and turns are listed here, and each can be undone.
          </p>
        ) : (
          byDay(lines).map(({ day, lines }) => (
            <section key={day} aria-label={dayWords(lines[0]?.entry.at ?? 0, new Date())}>
              <h3 className="sticky top-0 z-10 bg-canvas px-4 pt-3 pb-1 font-medium text-faint text-xs">
                {dayWords(lines[0]?.entry.at ?? 0, new Date())}
              </h3>
              <ul>
                {lines.map((line) => (
                  <HistoryRow
                    key={`${line.entry.kind} ${line.entry.seq}`}
                    line={line}
                    names={names}
                    isThere={isThere(line.entry)}
                    isShown={line === atTime}
                    {...ways}
                  />
                ))}
              </ul>
            </section>
          ))
        )}
        {earlier.problem && (
          <div className="p-4">
            <LoadFailed problem={earlier.problem} onAgain={earlier.again} />
          </div>
        )}
        {moves && more && !earlier.problem && (
          <div className="px-4 pt-3">
            <Button size="sm" disabled={earlier.loading} onClick={more}>
              {earlier.loading ? 'Loading …' : 'Show earlier'}
            </Button>
          </div>
        )}
      </div>
    </section>
  )
}
