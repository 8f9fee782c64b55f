'use client'

import { useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { problemOf } from '@/components/app/problem'
import type { Merging } from '@/components/session/merging'
import { chatUrl, useLoaded } from '@/components/session/read-chat'
import { Button } from '@/components/ui/button'
import { Dialog, type OpenProps } from '@/components/ui/dialog'
import type { BranchId } from '@/lib/events'
import { branchTitle, type GraphIndex } from '@/lib/graph'
import type { Proposal, ProposalList } from '@/lib/protocol/remotes/proposals'
import { ProposalState } from './proposal-state'
import { countWords, ProposalView } from './proposal-view'
import { ProposeForm } from './propose-form'

interface ProposalsDialogProps extends OpenProps {
  index: GraphIndex
  /** the branch that is read */
  branchId: BranchId
  /** the merge, or the pick, by which one is taken is to be reviewed */
  onTake(asked: Merging): void
}

type Place = { at: 'list' } | { at: 'form' } | { at: 'proposal'; id: string }

/** The proposals to a chat, and proposals that were made from it. A copy is proposed here. */
export default function ProposalsDialog({ index, branchId, onTake, ...props }: ProposalsDialogProps) {
  const { api } = useApp()
  const { chatId } = index.graph
  const [list, setList] = useState<ProposalList | null>(null)
  const [place, setPlace] = useState<Place>({ at: 'list' })
  const [version, setVersion] = useState(0)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const { problem } = useLoaded<ProposalList>(chatUrl('chats', chatId, 'proposals'), setList, version)
  const branch = branchTitle(index, branchId)

  const post = async (url: string, body: object = {}): Promise<boolean> => {
    setBusy(true)
    setRefusal(null)
    try {
      await api.fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      setVersion((version) => version + 1)
      return true
    } catch (error) {
      setRefusal(problemOf(error).detail)
      return false
    } finally {
      setBusy(false)
    }
  }
  const go = (place: Place) => {
    setRefusal(null)
    setPlace(place)
  }
  const shown = place.at === 'proposal' && list?.proposals.find(({ id }) => id === place.id)
  return (
    <Dialog
      {...props}
      title="Proposals"
      description="Branches of copies that are proposed to the owner of the original."
      className="top-[6dvh] max-h-[88dvh] w-[min(40rem,calc(100vw-2rem))]"
    >
      <div className="flex min-h-0 flex-col gap-4 overflow-y-auto px-5 pt-4 pb-5">
        {place.at === 'form' ? (
          <ProposeForm
            branch={branch}
            busy={busy}
            onCancel={() => go({ at: 'list' })}
            onPropose={async (proposal) => {
              const body = { source_thread_id: branchId, ...proposal }
              if (await post('/api/proposals', body)) setPlace({ at: 'list' })
            }}
          />
        ) : shown ? (
          <ProposalView
            index={index}
            branchId={branchId}
            busy={busy}
            onTake={onTake}
            proposal={shown}
            onBack={() => go({ at: 'list' })}
            onAsk={(what, body) => post(`/api/proposals/${encodeURIComponent(shown.id)}/${what}`, body)}
          />
        ) : (
          list && (
            <>
              <Listed
                proposals={list.proposals}
                isCopy={list.is_copy}
                onOpen={(id) => go({ at: 'proposal', id })}
              />
              {list.is_copy && (
                <Button look="primary" className="self-end" onClick={() => go({ at: 'form' })}>
                  Propose to the original…
                </Button>
              )}
            </>
          )
        )}
        {(refusal ?? problem) && (
          <p role="alert" className="text-danger text-sm">
            {refusal ?? problem?.detail}
          </p>
        )}
      </div>
    </Dialog>
  )
}

function Listed({
  proposals,
  isCopy,
  onOpen,
}: {
  proposals: readonly Proposal[]
  isCopy: boolean
  onOpen(id: string): void
}) {
  if (proposals.length === 0)
    return (
      <p className="text-muted text-sm">
        {isCopy
          ? 'You have proposed nothing yet.'
          : 'Nothing is proposed. Share this chat: readers who continue in their own copy can propose a branch of it.'}
      </p>
    )
  return (
    <ul aria-label="Proposals" className="flex flex-col">
      {proposals.map((proposal) => (
        <li key={proposal.id} className="border-line border-b">
          <button
            type="button"
            onClick={() => onOpen(proposal.id)}
            className="flex w-full items-baseline gap-3 rounded-md px-2 py-2 text-left text-sm hover:bg-ink/6 touch:min-h-11"
          >
            <span className="min-w-0 flex-1">
              <bdi className="block truncate font-medium">{proposal.title}</bdi>
              <span className="block truncate text-muted text-xs">
                {proposal.role === 'owner' ? <bdi>{proposal.author}</bdi> : 'You'},{' '}
                {countWords(proposal.message_count)}
              </span>
            </span>
            <ProposalState {...proposal} />
          </button>
        </li>
      ))}
    </ul>
  )
}
