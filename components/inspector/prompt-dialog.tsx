'use client'

import { useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { chatUrl, useLoaded } from '@/components/session/read-chat'
import { useCopy } from '@/components/thread/copy-button'
import { modelName } from '@/components/thread/facts'
import { Button } from '@/components/ui/button'
import { Dialog, type OpenProps } from '@/components/ui/dialog'
import { Segmented } from '@/components/ui/segmented'
import { Select } from '@/components/ui/select'
import { Skeleton } from '@/components/ui/skeleton'
import type { BranchId, ChatId, MessageId } from '@/lib/events'
import type { GraphIndex } from '@/lib/graph'
import type { SentPrompt } from '@/lib/protocol'
import { comparable } from './comparable'
import { addressOf, curlOf } from './curl'
import { promptChanges } from './prompt-changes'
import { PromptText } from './prompt-text'
import { dollarWords, keptWords, settingWords, tokenWords } from './prompt-words'

interface PromptDialogProps extends OpenProps {
  chatId: ChatId
  branchId: BranchId
  messageId: MessageId
  index: GraphIndex
  /** the model that the next message goes to */
  model: string
}

type Which = 'message' | 'next'

/** The prompt of a reply, or of the next one, exactly as it is sent; beside another prompt on request. */
export default function PromptDialog(props: PromptDialogProps) {
  const { chatId, branchId, messageId, index, model, ...dialog } = props
  const [which, setWhich] = useState<Which>('message')
  const [against, setAgainst] = useState<MessageId | ''>('')
  const shown = usePrompt(
    dialog.open && chatId,
    which === 'message' ? { message: messageId } : { branch: branchId, model },
  )
  const other = usePrompt(dialog.open && against !== '' && chatId, { message: against })
  const problem = shown.problem ?? other.problem
  const again = shown.problem ? shown.again : other.again
  const isWhole = against === '' || other.prompt !== null
  return (
    <Dialog
      {...dialog}
      title="Prompt"
      description="Exactly what the model reads, as it is sent."
      className="top-[6dvh] max-h-[88dvh] w-[min(46rem,calc(100vw-2rem))]"
    >
      <div className="flex min-h-0 flex-col gap-4 overflow-y-auto px-5 pt-4 pb-5">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <Segmented
            label="Which prompt"
            value={which}
            options={[
              { value: 'message', label: 'This message' },
              { value: 'next', label: 'Next reply' },
            ]}
            onChange={(next) => {
              setWhich(next)
              setAgainst('')
            }}
          />
          <Against
            index={index}
            branchId={branchId}
            value={against}
            onChange={setAgainst}
            messageId={which === 'message' ? messageId : null}
          />
        </div>
        {problem ? (
          <div role="alert" className="flex flex-col items-start gap-2 text-sm">
            <p>{problem.detail}</p>
            <Button size="sm" onClick={again}>
              Load it again
            </Button>
          </div>
        ) : shown.prompt && isWhole ? (
          <Shown prompt={shown.prompt} against={other.prompt} />
        ) : (
          <Loading />
        )}
      </div>
    </Dialog>
  )
}

/** A prompt as the server tells it; `prompt` is null until it is there. */
function usePrompt(chatId: ChatId | false, query: Record<string, string>) {
  const url = chatId === false ? null : chatUrl('chats', chatId, 'prompt', query)
  const [answer, setAnswer] = useState<{ url: string | null; prompt: SentPrompt } | null>(null)
  const { problem, again } = useLoaded<SentPrompt>(url, (prompt) => setAnswer({ url, prompt }))
  return { prompt: url !== null && answer?.url === url ? answer.prompt : null, problem, again }
}

interface AgainstProps {
  index: GraphIndex
  branchId: BranchId
  /** null for the next reply */
  messageId: MessageId | null
  value: MessageId | ''
  onChange(id: MessageId | ''): void
}

/** The choice of another reply to compare with. */
function Against({ index, branchId, messageId, value, onChange }: AgainstProps) {
  const { before, here, elsewhere } = comparable(index, messageId, branchId)
  const groups = [
    { group: 'On this branch', replies: here.filter(({ id }) => id !== before?.id) },
    { group: 'On other branches', replies: elsewhere },
  ]
  return (
    <div className="flex min-w-0 items-center gap-2 text-muted text-sm">
      Compared with
      <Select<MessageId | ''>
        label="Compared with"
        value={value}
        options={[
          { value: '', label: 'Nothing' },
          ...(before ? [{ value: before.id, label: 'The reply before' }] : []),
          ...groups.flatMap(({ group, replies }) =>
            replies.map(({ id, words }) => ({ value: id, label: words || 'A reply without words', group })),
          ),
        ]}
        onChange={onChange}
        className="max-w-52"
      />
    </div>
  )
}

function Loading() {
  return (
    <div role="status" aria-label="Loading the prompt" className="flex flex-col gap-3">
      <Skeleton className="h-12" />
      <Skeleton className="h-24" />
      <Skeleton className="h-16" />
    </div>
  )
}

function Shown({ prompt, against }: { prompt: SentPrompt; against: SentPrompt | null }) {
  const { models } = useApp()
  const { tokens, cost, cache } = prompt
  const settings = settingWords(prompt.settings)
  const kept = cache && keptWords(cache, cost)
  return (
    <>
      <section aria-label="Size and cost" className="flex flex-col gap-2">
        <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 text-sm">
          <span className="font-medium">{modelName(models, prompt.model)}</span>
          <span className="text-muted tabular-nums">{tokenWords(tokens.total, tokens.window)}</span>
        </div>
        {tokens.window !== null && (
          <meter
            aria-label="Share of the window"
            min={0}
            max={tokens.window}
            value={Math.min(tokens.total, tokens.window)}
            className="share h-1.5 w-full"
          />
        )}
        <p className="text-faint text-xs tabular-nums">{dollarWords(cost)}</p>
        {kept && <p className="text-faint text-xs tabular-nums">{kept}.</p>}
        {settings && <p className="text-faint text-xs tabular-nums">With {settings}</p>}
      </section>
      <PromptText prompt={prompt} changes={against && promptChanges(against, prompt)} />
      <CopyPrompt prompt={prompt} />
    </>
  )
}

function CopyPrompt({ prompt }: { prompt: SentPrompt }) {
  const { model, system, messages, tools, settings } = prompt
  const json = useCopy(() => JSON.stringify({ model, system, messages, tools, settings }, null, 2))
  const curl = useCopy(() => curlOf(prompt) ?? '')
  return (
    <div className="flex gap-1">
      <Button look="quiet" onClick={json.copy}>
        {json.copied ? 'Copied' : 'Copy as JSON'}
      </Button>
      {addressOf(model) && (
        <Button look="quiet" onClick={curl.copy}>
          {curl.copied ? 'Copied' : 'Copy as curl'}
        </Button>
      )}
    </div>
  )
}
