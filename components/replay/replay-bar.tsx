'use client'

import { GitCompareArrows, Pause, Play, Repeat, Square, X } from 'lucide-react'
import Link from 'next/link'
import { useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { dollars } from '@/components/app/dollars'
import { comparePath } from '@/components/app/paths'
import { chatUrl, useLoaded } from '@/components/session/read-chat'
import { modelName } from '@/components/thread/facts'
import { Button, IconButton } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { useStored } from '@/components/ui/stored-value'
import type { BranchId, ChatId } from '@/lib/events'
import { counted } from '@/lib/events/counted'
import type { GraphReplay, ReplayReport } from '@/lib/protocol'

interface ReplayBarProps {
  chatId: ChatId
  replay: GraphReplay
  /** the name of a branch, for the comparison */
  nameOf(id: BranchId): string
  onSteer(action: 'pause' | 'resume' | 'stop'): Promise<void>
}

/** Progress of the replay of the branch being read, above the message box. */
export default function ReplayBar({ chatId, replay, nameOf, onSteer }: ReplayBarProps) {
  const { models } = useApp()
  const { asked, total, status, reason, model } = replay
  const cost = useCost(chatId, replay)
  const [busy, setBusy] = useState(false)
  const [closed, setClosed] = useStored(`replay ${replay.replayId}`, '')
  const isOver = status === 'done' || status === 'stopped'
  if (isOver && closed !== '') return null

  const steer = async (action: 'pause' | 'resume' | 'stop') => {
    setBusy(true)
    await onSteer(action)
    setBusy(false)
  }
  const facts = [model && `with ${modelName(models, model)}`, cost !== null && cost > 0 && dollars(cost)]
  return (
    <section
      aria-label="Replay"
      className="arrive mb-2 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-xl border border-line bg-surface px-3 py-2 text-sm"
    >
      <Repeat
        size={15}
        aria-hidden
        className={cn('shrink-0', status === 'running' ? 'text-accent' : 'text-faint')}
      />
      <div className="min-w-0 flex-1 basis-48">
        <p role="status" className="tabular-nums">
          <span className="font-medium">{headlines[status](asked, total)}</span>{' '}
          <span className="text-muted">{facts.filter(Boolean).join(', ')}</span>
        </p>
        {reason && <p className="text-muted">{reason}</p>}
        {!isOver && (
          <div
            role="progressbar"
            aria-label="Questions asked"
            aria-valuemin={0}
            aria-valuemax={total}
            aria-valuenow={asked}
            className="mt-1.5 h-1 overflow-hidden rounded-full bg-ink/8"
          >
            <div
              className={cn(
                'h-full rounded-full transition-[width]',
                status === 'running' ? 'bg-accent' : 'bg-faint',
              )}
              // the last that was asked is not answered yet
              style={{ width: `${(100 * Math.max(0, asked - 0.5)) / total}%` }}
            />
          </div>
        )}
      </div>
      <div className="flex shrink-0 items-center gap-1">
        {status === 'running' && (
          <Button size="sm" disabled={busy} onClick={() => void steer('pause')}>
            <Pause size={13} aria-hidden /> Pause
          </Button>
        )}
        {status === 'paused' && (
          <Button size="sm" look="primary" disabled={busy} onClick={() => void steer('resume')}>
            <Play size={13} aria-hidden /> Go on
          </Button>
        )}
        {!isOver && (
          <Button
            size="sm"
            look="quiet"
            aria-label="Stop the replay"
            disabled={busy}
            onClick={() => void steer('stop')}
          >
            <Square size={12} aria-hidden /> Stop
          </Button>
        )}
        {isOver && asked > 0 && (
          <Link
            href={comparePath(chatId, nameOf(replay.sourceBranchId), nameOf(replay.branchId))}
            className="inline-flex h-7 shrink-0 items-center gap-1.5 whitespace-nowrap rounded-md border border-line bg-raised px-2 font-medium transition-colors hover:border-line-strong touch:h-11"
          >
            <GitCompareArrows size={13} aria-hidden /> Compare with the original
          </Link>
        )}
        {isOver && <IconButton label="Dismiss" size="tool" Icon={X} onClick={() => setClosed('closed')} />}
      </div>
    </section>
  )
}

const headlines: Record<GraphReplay['status'], (asked: number, total: number) => string> = {
  running: (asked, total) => `Replaying ${asked} of ${total}`,
  paused: (asked, total) => `Replay paused at ${asked} of ${total}`,
  stopped: (asked, total) => `Replay stopped at ${asked} of ${total}`,
  done: (_, total) => `Replayed ${counted(total, 'message')}`,
}

/** Cost of a replay's replies so far, in dollars; null while it is not known. */
function useCost(chatId: ChatId, { replayId, version }: GraphReplay): number | null {
  const [cost, setCost] = useState<number | null>(null)
  const take = ({ replays }: ReplayReport) =>
    setCost(replays.find((replay) => replay.replay_id === replayId)?.cost_usd ?? null)
  useLoaded<ReplayReport>(chatUrl('chats', chatId, 'replays'), take, version)
  return cost
}
