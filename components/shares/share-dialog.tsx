'use client'

import { Link2 } from 'lucide-react'
import Link from 'next/link'
import { type ReactNode, useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { LoadFailed } from '@/components/app/notice'
import { linksPath } from '@/components/app/paths'
import { problemOf } from '@/components/app/problem'
import { Button } from '@/components/ui/button'
import { Dialog, type OpenProps } from '@/components/ui/dialog'
import { Segmented } from '@/components/ui/segmented'
import { Switch } from '@/components/ui/switch'
import type { BranchId, MessageId } from '@/lib/events'
import { branchTitle, type GraphIndex } from '@/lib/graph'
import type { CreatedShare, CreateShare, Problem, ShareLink } from '@/lib/protocol'
import { MadeLink } from './made-link'
import { ShareRow } from './share-row'
import { readersWords } from './share-words'
import { useShares } from './use-shares'

interface ShareDialogProps extends OpenProps {
  index: GraphIndex
  branchId: BranchId
  /** the last message to be read; null for the whole branch */
  messageId: MessageId | null
}

const day = 86_400_000
const ends = { never: null, day, week: 7 * day, month: 30 * day }

/** Makes a link: its scope, its end, and the name that its readers see. */
export default function ShareDialog({ index, branchId, messageId, ...props }: ShareDialogProps) {
  const { api } = useApp()
  const { chatId } = index.graph
  const [reads, setReads] = useState<'now' | 'follow'>('now')
  const [shows, setShows] = useState<'branch' | 'graph'>('branch')
  const [end, setEnd] = useState<keyof typeof ends>('never')
  const [indexed, setIndexed] = useState(false)
  const [name, setName] = useState('')
  const [making, setMaking] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [made, setMade] = useState<CreatedShare | null>(null)
  const links = useShares(chatId)
  const head = index.branch(branchId)?.headId ?? null
  const last = messageId ?? head
  const isWhole = last === head
  const count = last === null ? 0 : (index.byId(last)?.depth ?? 0) + 1
  const others = index.graph.branches.filter(
    ({ id, archivedAt, headId }) => id !== branchId && archivedAt === null && headId !== null,
  ).length

  const make = async () => {
    setMaking(true)
    setProblem(null)
    const asked: CreateShare = {
      chat_id: chatId,
      branch: branchId,
      graph: shows === 'graph',
      follow: reads === 'follow',
      indexed,
      ...(reads === 'now' && last !== null && { message_id: last }),
      ...(name.trim() !== '' && { shared_by: name.trim() }),
      ...(ends[end] !== null && { expires_at: new Date(Date.now() + ends[end]).toISOString() }),
    }
    try {
      const response = await api.fetch('/api/shares', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(asked),
      })
      setMade((await response.json()) as CreatedShare)
      links.again()
    } catch (error) {
      setProblem(problemOf(error))
    }
    setMaking(false)
  }
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      title="Share"
      description={
        <>
          A link to <bdi className="text-ink">{branchTitle(index, branchId)}</bdi>
          {isWhole ? '' : ', up to the message you chose'}.
        </>
      }
    >
      <div className="flex min-h-0 flex-col gap-5 overflow-y-auto px-5 pt-4 pb-5">
        {made ? (
          <MadeLink url={made.url} another="Make another link" onAnother={() => setMade(null)} />
        ) : (
          <form
            className="flex flex-col gap-4"
            onSubmit={(event) => {
              event.preventDefault()
              void make()
            }}
          >
            <Choice label="Who can read it, and until when" note={readersWords(indexed, ends[end])}>
              <Segmented
                label="Ends"
                value={end}
                options={[
                  { value: 'never', label: 'No end' },
                  { value: 'day', label: 'A day' },
                  { value: 'week', label: 'A week' },
                  { value: 'month', label: 'A month' },
                ]}
                onChange={setEnd}
              />
            </Choice>
            <div className="flex items-center justify-between gap-4">
              <p className="text-sm">
                Search engines may list it
                <span className="block text-muted text-xs">Anyone may come across it then.</span>
              </p>
              <Switch label="Search engines may list it" checked={indexed} onChange={setIndexed} />
            </div>
            <Choice
              label="What is read"
              note={
                reads === 'now'
                  ? `${count === 1 ? 'One message' : `${count} messages`}, as they are now. What comes later is not read.`
                  : 'The branch as it stands whenever the link is opened, also what you say there later.'
              }
            >
              <Segmented
                label="What is read"
                value={reads}
                options={[
                  { value: 'now', label: isWhole ? 'Up to now' : 'Up to this message' },
                  { value: 'follow', label: 'Follow the branch' },
                ]}
                onChange={setReads}
              />
            </Choice>
            {others > 0 && (
              <Choice
                label="Other branches"
                note={
                  shows === 'branch'
                    ? 'Nothing of them is sent, not even that they exist.'
                    : `${others === 1 ? 'One other branch' : `${others} other branches`} can be read too, with the graph. Archived ones stay hidden.`
                }
              >
                <Segmented
                  label="Other branches"
                  value={shows}
                  options={[
                    { value: 'branch', label: 'Only this branch' },
                    { value: 'graph', label: 'With the graph' },
                  ]}
                  onChange={setShows}
                />
              </Choice>
            )}
            <div className="flex flex-col gap-1">
              <label htmlFor="share-name" className="text-muted text-xs">
                Your name, for its readers (optional)
              </label>
              <input
                id="share-name"
                dir="auto"
                value={name}
                maxLength={100}
                autoComplete="off"
                placeholder="Not told"
                onChange={(event) => setName(event.target.value)}
                className="h-9 rounded-md border border-line bg-canvas px-3 text-sm outline-none focus:border-accent touch:h-11"
              />
            </div>
            <p className="text-muted text-xs">
              Its readers get what was said, with files. They do not get your instructions, memories, what a
              model thought, or what your other chats say.
            </p>
            {problem && (
              <p role="alert" className="text-danger text-sm">
                {problem.detail}
              </p>
            )}
            <div className="flex justify-end gap-2">
              <Button onClick={() => props.onOpenChange(false)}>Cancel</Button>
              <Button type="submit" look="primary" disabled={making || last === null}>
                <Link2 size={15} aria-hidden />
                {making ? 'Making the link…' : 'Make the link'}
              </Button>
            </div>
          </form>
        )}
        <Existing links={links} without={made?.id} />
      </div>
    </Dialog>
  )
}

function Choice({ label, note, children }: { label: string; note: string | null; children: ReactNode }) {
  return (
    <div className="flex flex-col items-start gap-1">
      <span className="text-muted text-xs">{label}</span>
      {children}
      {note && <p className="text-muted text-xs">{note}</p>}
    </div>
  )
}

/** The other links to this chat. */
function Existing({ links, without }: { links: ReturnType<typeof useShares>; without: string | undefined }) {
  const { shares, problem, again, remove } = links
  if (problem) return <LoadFailed problem={problem} onAgain={again} />
  const others = shares?.filter(({ id }: ShareLink) => id !== without) ?? []
  if (others.length === 0) return null
  return (
    <section aria-label="Links to this chat" className="border-line border-t pt-4">
      <div className="flex items-baseline justify-between gap-4">
        <h3 className="font-medium text-sm">Links to this chat</h3>
        <Link href={linksPath} className="text-accent text-sm underline underline-offset-4">
          All links
        </Link>
      </div>
      <ul>
        {others.map((share) => (
          <ShareRow key={share.id} share={share} onRevoked={() => remove(share.id)} />
        ))}
      </ul>
    </section>
  )
}
