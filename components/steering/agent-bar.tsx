'use client'

import { Check, Signpost, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { stopSteering } from '@/components/actions/on-steering'
import { timeWords } from '@/components/app/time-words'
import { useNow } from '@/components/app/use-on-client'
import { Button, IconButton } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { useStored } from '@/components/ui/stored-value'
import type { BranchId } from '@/lib/events'
import { type AgentStanding, agentName } from '@/lib/graph'

interface AgentBarProps {
  standing: AgentStanding
  titleOf(id: BranchId): string
  onBranch(id: BranchId): void
  onStop(): Promise<void>
  /** has the agent go on at the end of the branch being read */
  onSteer(): Promise<void>
}

/** Bar above the message box: the message at which an agent goes on with its next call, or has gone on. */
export default function AgentBar({ standing, titleOf, onBranch, onStop, onSteer }: AgentBarProps) {
  const { kind, agent } = standing
  const [busy, setBusy] = useState(false)
  const now = useNow()
  const [closed, setClosed] = useStored(`steering ${agent.branchId} ${agent.steering?.at}`, '')
  if (kind === 'followed' && closed !== '') return null
  const act = (does: () => Promise<void>) => async () => {
    setBusy(true)
    await does()
    setBusy(false)
  }
  const stop = (
    <Button size="sm" look="quiet" disabled={busy} onClick={act(onStop)}>
      {stopSteering.short}
    </Button>
  )
  const branch = (id: BranchId) => (
    <button
      type="button"
      className="rounded underline decoration-line-strong underline-offset-3 hover:decoration-ink"
      onClick={() => onBranch(id)}
    >
      <bdi>{titleOf(id)}</bdi>
    </button>
  )
  const since = agent.steering && (now ? `Steered ${timeWords(agent.steering.at, now)}` : 'Steered')
  const looks: Record<AgentStanding['kind'], () => { says: ReactNode; more: ReactNode; acts: ReactNode }> = {
    awaited: () => ({
      says: 'goes on from here with its next call',
      more: <>{since}. The call has not come yet.</>,
      acts: stop,
    }),
    leaving: () => ({
      says: <>moves to {standing.kind === 'leaving' && branch(standing.toId)} with its next call</>,
      more: <>{since}. The call has not come yet.</>,
      acts: stop,
    }),
    followed: () => ({
      says: (
        <>went on from here{standing.kind === 'followed' && now && ` at ${timeWords(standing.at, now)}`}</>
      ),
      more: <>It came from {branch(agent.branchId)}.</>,
      acts: <IconButton label="Dismiss" size="tool" Icon={X} onClick={() => setClosed('closed')} />,
    }),
    behind: () => ({
      says: 'does not know what follows its last call',
      more: 'Its next call opens a branch there, unless it is steered here.',
      acts: (
        <Button size="sm" disabled={busy} onClick={act(onSteer)}>
          <Signpost size={13} aria-hidden /> Steer it here
        </Button>
      ),
    }),
  }
  const { says, more, acts } = looks[kind]()
  const Icon = kind === 'followed' ? Check : Signpost
  return (
    <section
      aria-label="Agent"
      className="arrive mb-2 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-xl border border-line bg-surface px-3 py-2 text-sm"
    >
      <Icon
        size={15}
        aria-hidden
        className={cn('shrink-0', kind === 'behind' ? 'text-faint' : 'text-accent')}
      />
      <div className="min-w-0 flex-1 basis-48">
        <p role="status">
          <bdi className="font-medium">{agentName(agent)}</bdi> {says}
        </p>
        <p className="text-muted text-xs">
          {more}
          {agent.key && agent.client && (
            <>
              {' '}
              Key: <bdi>{agent.key}</bdi>.
            </>
          )}
        </p>
      </div>
      <div className="flex shrink-0 items-center gap-1">{acts}</div>
    </section>
  )
}
