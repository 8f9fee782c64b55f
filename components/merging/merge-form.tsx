'use client'

import Link from 'next/link'
import { useState } from 'react'
import { BranchPicker } from '@/components/app/branch-picker'
import { comparePath } from '@/components/app/paths'
import { Button } from '@/components/ui/button'
import { Segmented } from '@/components/ui/segmented'
import type { BranchId, MergeConflict, MergeMode, MergeResolution, MessageId } from '@/lib/events'
import { branchTitle, type GraphIndex } from '@/lib/graph'
import { branchLines } from '@/lib/graph/branch-lines'
import type { ChatActions } from '@/lib/protocol'
import { ConflictList } from './conflict-list'
import { PendingPreview, ReviewedText } from './reviewed-text'
import { usePreview } from './use-preview'

const ways = [
  { value: 'brief', label: 'Brief' },
  { value: 'turns', label: 'Turns' },
  { value: 'context', label: 'Context' },
] as const

const wayWords: Record<MergeMode, string> = {
  brief: 'One message says what that branch decided, found and made.',
  turns: 'Its own messages are copied to the end.',
  context: 'Its fragments and memories count here too. Model, tools and settings stay.',
}

interface Preview {
  brief: string
  quotes: { message_id: MessageId; text: string }[]
  conflicts: (Pick<MergeConflict, 'id' | 'about' | 'source' | 'target'> & {
    source_message_id: MessageId | null
    target_message_id: MessageId | null
  })[]
  message_count: number
  written_by: string | null
  failure: string | null
}

type Merge = Omit<Parameters<ChatActions['mergeBranches']>[0], 'chatId'>

interface MergeFormProps {
  index: GraphIndex
  branchId: BranchId
  sourceId: BranchId
  /** the branch is a proposal, which brings no instructions */
  isProposal?: boolean
  /** merges; false when that was refused */
  onMerge(merge: Merge, target: string): Promise<boolean>
  onOpenMessage(id: MessageId): void
  onCancel(): void
}

/** Merge form: target, mode, and a preview of what will be stored. */
export function MergeForm({
  index,
  branchId,
  sourceId,
  isProposal = false,
  onMerge,
  onOpenMessage,
  onCancel,
}: MergeFormProps) {
  const lines = branchLines(index)
  const [targetId, setTargetId] = useState(() => {
    if (sourceId !== branchId) return branchId
    const parent = index.branch(sourceId)?.parentBranchId
    const others = lines.filter(({ id, archivedAt }) => id !== sourceId && archivedAt === null)
    return (others.find(({ id }) => id === parent) ?? others[0] ?? lines.find(({ id }) => id !== sourceId))
      ?.id
  })
  const [mode, setMode] = useState<MergeMode>('brief')
  const [by, setBy] = useState<'model' | 'digest'>('model')
  const [draft, setDraft] = useState<{ of: string; text: string } | null>(null)
  const [resolutions, setResolutions] = useState<Record<string, MergeResolution>>({})
  const [busy, setBusy] = useState(false)
  const asked = { source_thread_id: sourceId, target_thread_id: targetId, mode, by }
  const previewed = usePreview<Preview>('/api/commands/merge-preview', targetId === undefined ? null : asked)
  const { preview } = previewed
  const target = lines.find(({ id }) => id === targetId)
  const nameOf = (id: BranchId) => branchTitle(index, id)
  const source = nameOf(sourceId)
  const chatId = index.graph.chatId
  const key = `${targetId} ${mode} ${by} ${preview?.written_by}`
  const brief = draft?.of === key ? draft.text : (preview?.brief ?? '')
  const conflicts = preview?.conflicts.map(toConflict) ?? []
  const chosen = (id: string) => {
    const choice = resolutions[id]
    return typeof choice === 'object' && choice.text.trim() === '' ? undefined : choice
  }

  const merge = async () => {
    if (!preview || targetId === undefined) return
    setBusy(true)
    const decided = conflicts.flatMap(({ id }) => {
      const choice = chosen(id)
      return choice === undefined ? [] : [[id, choice] as const]
    })
    const done = await onMerge(
      {
        sourceId,
        targetId,
        mode,
        ...(mode !== 'turns' && { brief }),
        ...(mode === 'brief' && { quotes: preview.quotes.map(toQuote), conflicts }),
        resolutions: Object.fromEntries(decided),
      },
      nameOf(targetId),
    )
    if (!done) setBusy(false)
  }

  if (targetId === undefined || !target) {
    return <p className="px-5 py-6 text-muted text-sm">There is no other branch to merge into.</p>
  }
  return (
    <>
      <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-5 pt-3 pb-5">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
          <bdi className="min-w-0 max-w-full truncate font-medium">{source}</bdi>
          <span className="text-muted">into</span>
          <BranchPicker
            label="Merge into"
            branch={target}
            lines={() => branchLines(index).filter(({ id }) => id !== sourceId)}
            onChange={setTargetId}
            className="max-w-64 border border-line text-ink"
          />
          <Link
            href={comparePath(chatId, index.branch(targetId)?.name ?? '', index.branch(sourceId)?.name)}
            className="ml-auto text-muted text-sm underline-offset-4 hover:text-ink hover:underline"
          >
            Compare the two
          </Link>
        </div>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <Segmented
            label="What is merged"
            value={mode}
            options={isProposal ? ways.filter(({ value }) => value !== 'context') : ways}
            onChange={setMode}
          />
          <p className="min-w-48 flex-1 text-muted text-sm">{wayWords[mode]}</p>
        </div>
        {preview ? (
          <>
            {mode === 'turns' ? (
              <Turns count={preview.message_count} digest={preview.brief} />
            ) : (
              <ReviewedText
                label={mode === 'brief' ? 'Brief' : 'What changes'}
                text={brief}
                onChange={(text) => setDraft({ of: key, text })}
                writtenBy={preview.written_by}
                failure={preview.failure}
                onAgain={previewed.again}
              />
            )}
            {mode === 'brief' && <Quotes quotes={preview.quotes} onOpen={onOpenMessage} />}
            <ConflictList
              conflicts={conflicts}
              resolutions={resolutions}
              source={source}
              target={target.title}
              onOpen={onOpenMessage}
              open={mode === 'context' ? 'target' : 'both'}
              onResolve={(id, choice) => setResolutions({ ...resolutions, [id]: choice })}
              onResolveAll={(choice) => {
                const open = conflicts.filter(({ id }) => chosen(id) === undefined)
                setResolutions({ ...resolutions, ...Object.fromEntries(open.map(({ id }) => [id, choice])) })
              }}
            />
          </>
        ) : (
          <PendingPreview
            previewed={previewed}
            onDigest={mode === 'brief' && by === 'model' ? () => setBy('digest') : null}
          />
        )}
      </div>
      <div className="flex items-center justify-end gap-2 border-line border-t px-5 py-3">
        <p className="mr-auto text-faint text-xs max-sm:hidden">
          {isProposal ? 'The proposal ends with it.' : 'The other branch stays.'} Undo takes it back.
        </p>
        <Button onClick={onCancel}>Cancel</Button>
        <Button
          look="primary"
          disabled={!preview || busy || (mode !== 'turns' && brief.trim() === '')}
          onClick={() => void merge()}
        >
          {isProposal ? 'Take' : 'Merge'}
        </Button>
      </div>
    </>
  )
}

const toQuote = ({ message_id: messageId, text }: Preview['quotes'][number]) => ({ messageId, text })

const toConflict = ({
  source_message_id,
  target_message_id,
  ...rest
}: Preview['conflicts'][number]): MergeConflict => ({
  ...rest,
  ...(source_message_id !== null && { sourceMessageId: source_message_id }),
  ...(target_message_id !== null && { targetMessageId: target_message_id }),
})

function Turns({ count, digest }: { count: number; digest: string }) {
  return (
    <div className="flex flex-col gap-2 text-sm">
      <p>
        {count === 1 ? 'One message is copied.' : `${count} messages are copied.`} Each says where it comes
        from.
      </p>
      <section
        dir="auto"
        className="max-h-60 overflow-y-auto whitespace-pre-wrap rounded-md border border-line px-3 py-2 text-muted"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keys reach it
        tabIndex={0}
        aria-label="What is copied"
      >
        {digest}
      </section>
    </div>
  )
}

function Quotes({ quotes, onOpen }: { quotes: Preview['quotes']; onOpen(id: MessageId): void }) {
  if (quotes.length === 0) return null
  return (
    <details className="text-sm">
      <summary className="cursor-pointer text-muted hover:text-ink">
        {quotes.length === 1
          ? 'One quote, linked to its message'
          : `${quotes.length} quotes, linked to their messages`}
      </summary>
      <ul className="mt-2 flex max-h-60 flex-col gap-1 overflow-y-auto">
        {quotes.map(({ message_id, text }) => (
          <li key={`${message_id} ${text}`}>
            <button
              type="button"
              onClick={() => onOpen(message_id)}
              className="w-full rounded-md border-line border-l-2 px-3 py-1 text-left text-muted hover:bg-ink/6 hover:text-ink"
            >
              <span dir="auto" className="line-clamp-2">
                {text}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
}
