'use client'

import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { dollars } from '@/components/app/dollars'
import { LoadFailed } from '@/components/app/notice'
import { plainPreview } from '@/components/app/plain-preview'
import { wordsOf } from '@/components/session/messages'
import { chatUrl, messagesUrl, useLoaded } from '@/components/session/read-chat'
import { ModelPicker } from '@/components/thread/model-picker'
import { Button } from '@/components/ui/button'
import { Dialog, type OpenProps } from '@/components/ui/dialog'
import { Segmented } from '@/components/ui/segmented'
import { Select } from '@/components/ui/select'
import { Skeleton } from '@/components/ui/skeleton'
import type { BranchId, MessageId } from '@/lib/events'
import { counted } from '@/lib/events/counted'
import type { GraphIndex } from '@/lib/graph'
import type { GraphNode, ReplayPreview, ThreadWindow } from '@/lib/protocol'

/** The choices of the dialog. */
export interface ReplayWish {
  fromId: MessageId
  model: string
  context: 'original' | 'current'
  content?: string | undefined
  anyway: boolean
}

interface ReplayDialogProps extends OpenProps {
  index: GraphIndex
  branchId: BranchId
  /** the branch's title */
  title: string
  /** the message that it was asked from; null for the whole branch */
  messageId: MessageId | null
  /** the model that the next message of the branch goes to */
  model: string
  /** answers whether it has begun */
  onStart(wish: ReplayWish): Promise<boolean>
}

/** Dialog that asks messages of a branch again: from which message on, with which model, context and words. */
export default function ReplayDialog({
  index,
  branchId,
  title,
  messageId,
  onStart,
  ...props
}: ReplayDialogProps) {
  const { chatId } = index.graph
  const questions = questionsOf(index, branchId)
  const [fromId, setFromId] = useState(() => questionOf(index, questions, messageId)?.id ?? '')
  const [model, setModel] = useState(props.model)
  const [context, setContext] = useState<ReplayWish['context']>('original')
  const [edit, setEdit] = useState<{ of: MessageId; text: string | null } | null>(null)
  const [starting, setStarting] = useState(false)

  const first = questions.find(({ id }) => id === fromId)
  const preview = usePreview(
    first
      ? chatUrl('chats', chatId, 'replays/preview', {
          branch: branchId,
          from_message_id: fromId,
          model,
          context,
        })
      : null,
  )
  const original = useText(
    first && edit?.of === fromId ? messagesUrl(chatId, branchId, first.depth + 1, 1) : null,
  )
  const isEditing = edit?.of === fromId
  const content = isEditing ? (edit.text ?? original.text) : null
  const isEdited = content !== null && content !== original.text
  const count = questions.length - questions.findIndex(({ id }) => id === fromId)

  const start = async () => {
    setStarting(true)
    const missing = preview.answer?.missing ?? []
    const begun = await onStart({
      fromId,
      model,
      context,
      anyway: missing.length > 0,
      content: isEdited ? content : undefined,
    })
    setStarting(false)
    if (begun) props.onOpenChange(false)
  }
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      title="Ask everything again"
      description={
        <>
          Asks your messages on <bdi>{title}</bdi> again, one after the other, on a branch of its own. What is
          there stays.
        </>
      }
    >
      {first ? (
        <form
          className="flex min-h-0 flex-col gap-4 overflow-y-auto px-5 pt-4 pb-5"
          onSubmit={(event) => {
            event.preventDefault()
            void start()
          }}
        >
          <div className="flex flex-col gap-1 text-muted text-xs">
            From
            <Select
              label="From"
              value={fromId}
              options={questions.map((node, at) => ({
                value: node.id,
                label: `${at + 1} · ${plainPreview(node.preview).slice(0, 80) || '…'}`,
              }))}
              onChange={setFromId}
              className="h-9 touch:h-11"
            />
          </div>

          <FirstMessage
            loading={isEditing && content === null ? original : null}
            text={content}
            onBegin={() => setEdit({ of: fromId, text: null })}
            onEnd={() => setEdit(null)}
            onEdit={(text) => setEdit({ of: fromId, text })}
          />

          <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
            <div className="flex min-w-0 flex-col gap-1">
              <span className="text-muted text-xs">Answered by</span>
              <div className="-ml-2 min-w-0">
                <ModelPicker model={model} onChange={setModel} />
              </div>
            </div>
            <div className="flex flex-col gap-1">
              <span className="text-muted text-xs">Context</span>
              <Segmented
                label="Context"
                value={context}
                options={[
                  { value: 'original', label: 'As it was there' },
                  { value: 'current', label: 'As it is now' },
                ]}
                onChange={setContext}
              />
            </div>
          </div>

          <Estimate {...preview} count={count} />

          <div className="flex justify-end gap-2">
            <Button onClick={() => props.onOpenChange(false)}>Cancel</Button>
            <Button type="submit" look="primary" disabled={starting || content?.trim() === ''}>
              {starting ? 'Starting…' : `Ask ${counted(count, 'message')} again`}
            </Button>
          </div>
        </form>
      ) : (
        <p className="px-5 pt-4 pb-5 text-muted text-sm">
          None of your messages stands on this branch: there is nothing to ask again.
        </p>
      )}
    </Dialog>
  )
}

interface FirstMessageProps {
  /** its text; null while it is to be asked as it stands */
  text: string | null
  /** the load of it */
  loading: Pick<ReturnType<typeof useText>, 'problem' | 'again'> | null
  onBegin(): void
  onEnd(): void
  onEdit(text: string): void
}

/** The first message, to be asked in other words. */
function FirstMessage({ text, loading, onBegin, onEnd, onEdit }: FirstMessageProps) {
  if (loading?.problem) return <LoadFailed problem={loading.problem} onAgain={loading.again} />
  if (loading) return <Skeleton className="h-24" />
  if (text === null) {
    return (
      <Button size="sm" look="quiet" className="-ml-2 self-start" onClick={onBegin}>
        Edit the first message
      </Button>
    )
  }
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor="replay-first" className="text-muted text-xs">
        First message
      </label>
      <textarea
        id="replay-first"
        dir="auto"
        rows={4}
        value={text}
        maxLength={100_000}
        onChange={(event) => onEdit(event.target.value)}
        className="min-h-24 resize-y rounded-md border border-line bg-canvas px-3 py-2 text-sm outline-none focus:border-accent"
      />
      <Button size="sm" look="quiet" className="-ml-2 self-start" onClick={onEnd}>
        Ask it as it stands
      </Button>
    </div>
  )
}

/** The estimated cost, and what is missing. */
function Estimate({ answer, problem, again, count }: ReturnType<typeof usePreview> & { count: number }) {
  if (problem) return <LoadFailed problem={problem} onAgain={again} />
  if (!answer) return <Skeleton className="h-5 w-64" />
  const { input_tokens: input, output_tokens: output, cost_usd: cost, missing } = answer
  const costs = cost === null ? 'price not known' : cost === 0 ? 'costs nothing' : `about ${dollars(cost)}`
  const about = (tokens: number) =>
    new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 2 }).format(tokens)
  return (
    <div className="flex flex-col gap-2 text-sm" aria-live="polite">
      <p className="text-muted tabular-nums">
        {counted(count, 'message')}, about {about(input)} tokens in and {about(output)} out: {costs}
      </p>
      {missing.length > 0 && (
        <div className="flex gap-2 rounded-md bg-warn-soft p-3">
          <TriangleAlert size={15} aria-hidden className="mt-0.5 shrink-0 text-warn" />
          <ul className="flex flex-col gap-1">
            {missing.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
            <li className="text-muted">The replay does without.</li>
          </ul>
        </div>
      )}
    </div>
  )
}

/** The person's messages of a branch, first to last. */
function questionsOf(index: GraphIndex, branchId: BranchId): GraphNode[] {
  const headId = index.branch(branchId)?.headId
  return headId ? index.chainTo(headId).filter(({ role }) => role === 'user') : []
}

/** The question that a message is, or answers; the first without one. */
function questionOf(index: GraphIndex, questions: readonly GraphNode[], id: MessageId | null) {
  const depth = id === null ? 0 : (index.byId(id)?.depth ?? 0)
  return questions.findLast((node) => node.depth <= depth) ?? questions[0]
}

function usePreview(url: string | null) {
  const [loaded, setLoaded] = useState<{ url: string | null; answer: ReplayPreview } | null>(null)
  const { problem, again } = useLoaded<ReplayPreview>(url, (answer) => setLoaded({ url, answer }))
  return { answer: loaded?.url === url ? loaded.answer : null, problem, again }
}

/** The text of the one message at an address; null until it is there. */
function useText(url: string | null) {
  const [loaded, setLoaded] = useState<{ url: string | null; text: string } | null>(null)
  const { problem, again } = useLoaded<ThreadWindow>(url, ({ messages: [message] }) =>
    setLoaded({ url, text: message ? wordsOf(message) : '' }),
  )
  return { text: url !== null && loaded?.url === url ? loaded.text : null, problem, again }
}
