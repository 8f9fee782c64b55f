'use client'

import { useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { chatUrl, useLoaded } from '@/components/session/read-chat'
import { useCopy } from '@/components/thread/copy-button'
import { modelName } from '@/components/thread/facts'
import { LongText } from '@/components/thread/parts/raw-value'
import { Button } from '@/components/ui/button'
import { Dialog, type OpenProps } from '@/components/ui/dialog'
import { Segmented } from '@/components/ui/segmented'
import { Skeleton } from '@/components/ui/skeleton'
import type { BranchId, ChatId, MessageId } from '@/lib/events'
import type { SentPrompt } from '@/lib/protocol'
import { dollarWords, entriesOf, tokenWords } from './prompt-words'

interface PromptDialogProps extends OpenProps {
  chatId: ChatId
  branchId: BranchId
  messageId: MessageId
  /** the model that the next message goes to */
  model: string
}

type Which = 'message' | 'next'

/** What a reply was asked with, or what the next one will be, exactly as it is sent. */
export default function PromptDialog({ chatId, branchId, messageId, model, ...dialog }: PromptDialogProps) {
  const [which, setWhich] = useState<Which>('message')
  const query: Record<string, string> =
    which === 'message' ? { message: messageId } : { branch: branchId, model }
  const url = chatUrl('chats', chatId, 'prompt', query)
  const [answer, setAnswer] = useState<{ url: string; prompt: SentPrompt } | null>(null)
  const { problem, again } = useLoaded<SentPrompt>(dialog.open ? url : null, (prompt) =>
    setAnswer({ url, prompt }),
  )
  const prompt = answer?.url === url ? answer.prompt : null
  return (
    <Dialog
      {...dialog}
      title="Prompt"
      description="Exactly what the model reads, as it is sent."
      className="top-[6dvh] max-h-[88dvh] w-[min(46rem,calc(100vw-2rem))]"
    >
      <div className="flex min-h-0 flex-col gap-4 overflow-y-auto px-5 pt-4 pb-5">
        <Segmented
          label="Which prompt"
          value={which}
          options={[
            { value: 'message', label: 'This message' },
            { value: 'next', label: 'Next reply' },
          ]}
          onChange={setWhich}
          className="self-start"
        />
        {problem ? (
          <div role="alert" className="flex flex-col items-start gap-2 text-sm">
            <p>{problem.detail}</p>
            <Button size="sm" onClick={again}>
              Load it again
            </Button>
          </div>
        ) : prompt ? (
          <Shown prompt={prompt} />
        ) : (
          <Loading />
        )}
      </div>
    </Dialog>
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

function Shown({ prompt }: { prompt: SentPrompt }) {
  const { models } = useApp()
  const { tokens, cost, system, messages } = prompt
  const { copied, copy } = useCopy(() => JSON.stringify({ model: prompt.model, system, messages }, null, 2))
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
      </section>
      <Entry title="System prompt" tokens={tokens.system}>
        {system ?? 'There is none.'}
      </Entry>
      <ol aria-label="Messages" className="flex flex-col gap-3">
        {entriesOf(prompt).map(({ role, text, count }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a message of a prompt is its place
          <li key={at}>
            <Entry title={roleWords(role)} tokens={count}>
              {text}
            </Entry>
          </li>
        ))}
      </ol>
      {messages.length === 0 && (
        <p className="text-muted text-sm">No message yet: the next one is the first the model reads.</p>
      )}
      <Button look="quiet" className="self-start" onClick={copy}>
        {copied ? 'Copied' : 'Copy as JSON'}
      </Button>
    </>
  )
}

const roles: Readonly<Record<string, string>> = { user: 'You', assistant: 'Assistant', tool: 'Tool' }
const roleWords = (role: string): string => roles[role] ?? role

function Entry({ title, tokens, children }: { title: string; tokens: number | undefined; children: string }) {
  return (
    <figure aria-label={title} className="rounded-lg border border-line">
      <figcaption className="flex justify-between gap-4 border-line border-b px-3 py-1.5 text-muted text-xs">
        <span className="font-medium">{title}</span>
        {tokens !== undefined && <span className="tabular-nums">{tokens.toLocaleString('en')} tokens</span>}
      </figcaption>
      <LongText className="max-h-64 px-3 py-2" text={children} />
    </figure>
  )
}
