import { cn } from '@/components/ui/cn'
import type { Proposal } from '@/lib/protocol/remotes/proposals'

const words = { open: 'Open', declined: 'Declined' } as const

/** The end of a proposal, in a word or two. */
export function ProposalState({ state, taken_as }: Pick<Proposal, 'state' | 'taken_as'>) {
  const said = state === 'taken' ? (taken_as === 'messages' ? 'Taken in part' : 'Taken') : words[state]
  return (
    <span className={cn('shrink-0 text-xs', state === 'open' ? 'text-accent' : 'text-muted')}>{said}</span>
  )
}
