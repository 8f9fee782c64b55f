'use client'

import { Minus, Plus } from 'lucide-react'
import { type Dispatch, useEffect, useId, useState } from 'react'
import { getJson } from '@/components/app/api'
import { useApp } from '@/components/app/app-context'
import { problemOf, unreached } from '@/components/app/problem'
import { useChooseModels } from '@/components/session/branch-model'
import { type ChatAction, type ChatSession, headOf } from '@/components/session/chat-session'
import { type AttachedFile, filesOf, userMessage, wordsOf } from '@/components/session/messages'
import { chatUrl } from '@/components/session/read-chat'
import { priceWords, refusedType } from '@/components/thread/model-words'
import { Button, IconButton } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Dialog } from '@/components/ui/dialog'
import { useStored } from '@/components/ui/stored-value'
import { type MessageId, newId } from '@/lib/events'
import type { ChatActions, OfferedModel, SentPrompt } from '@/lib/protocol'
import { fewestReplies, mostReplies } from '@/lib/protocol/fan-out'
import { typeWords } from '@/lib/protocol/file-types'
import { changed, costOf, costWords, draftTokens, firstCounts, modelsOf, sumOf } from './choices'

/** A longer list can be searched. */
const searchedFrom = 8

/** What is sent: a new message, or a stored one whose replies are asked for again. */
export type FanOutOf =
  | { text: string; files: readonly AttachedFile[]; messageId?: undefined }
  | { messageId: MessageId }

interface FanOutDialogProps {
  of: FanOutOf
  open: boolean
  onOpenChange(open: boolean): void
  state: ChatSession
  dispatch: Dispatch<ChatAction>
  actions: Pick<ChatActions, 'fanOut'>
  model: string
  /** the replies are asked for; of a new message its draft is not needed any more */
  onBegun(): void
}

/** The choice of models for one message, with what the replies will cost. */
export default function FanOutDialog({ open, onOpenChange, ...form }: FanOutDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Fan out"
      description="One message, several replies beside each other, each on its own branch. Keep the one you like."
    >
      {open && <FanOutForm {...form} onClose={() => onOpenChange(false)} />}
    </Dialog>
  )
}

function FanOutForm({
  of,
  state,
  dispatch,
  actions,
  model,
  onBegun,
  onClose,
}: Omit<FanOutDialogProps, 'open' | 'onOpenChange'> & { onClose(): void }) {
  const { models, api } = useApp()
  const chooseModels = useChooseModels()
  const { index, branchId, bodies, unsaved } = state
  const { chatId } = index.graph
  const isNew = of.messageId === undefined
  const asked = isNew ? undefined : askedBy(state, of.messageId)
  const files = isNew ? of.files : filesOf(bodies.get(asked ?? ''))
  const types = files.map(({ mediaType }) => mediaType)
  const cannot = (offered: OfferedModel) => refusedType(offered, types)
  const isPossible = (id: string) => models.some((known) => known.id === id && cannot(known) === undefined)

  const [kept, keep] = useStored('ramify-fan-out', '{}')
  const [counts, setCounts] = useState(() => firstCounts(kept, model, isPossible))
  const [wanted, setWanted] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [sending, setSending] = useState(false)
  // the same words sent twice, after an answer that was lost, are the same message
  const [id] = useState(newId)
  const tokens = usePromptTokens(
    unsaved ? null : chatUrl('chats', chatId, 'prompt', promptOf(asked, branchId)),
  )
  const total = sumOf(counts)
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean)
  const listed = models.filter(({ label, id: name, providerName }) =>
    words.every((word) => `${label} ${name} ${providerName}`.toLowerCase().includes(word)),
  )
  const promptTokens = tokens === null ? null : tokens + (isNew ? draftTokens(of.text) : 0)

  const send = async () => {
    setSending(true)
    setProblem(null)
    const message = isNew ? userMessage(of.text, of.files, id) : undefined
    const result = await ask(message)
    setSending(false)
    if (!result.ok) return setProblem(result.problem.detail)
    const { delta, branchId: goTo, replies } = result.value
    keep(JSON.stringify(counts))
    const opened = new Map(delta.branches?.map((branch) => [branch.id, branch]))
    chooseModels(
      chatId,
      replies.flatMap(({ branchId: id, model: chosen }) => {
        const branch = opened.get(id)
        return branch ? [{ branch, model: chosen }] : []
      }),
    )
    onBegun()
    dispatch({ type: 'end' })
    dispatch({ type: 'delta', delta, bodies: message ? [message] : [], goTo })
    onClose()
  }

  const ask = async (message: ReturnType<typeof userMessage> | undefined) => {
    const request = {
      chatId,
      branch: unsaved ? undefined : branchId,
      models: modelsOf(counts, models, model),
    }
    try {
      await api.signIn()
      if (message) {
        return await actions.fanOut({ ...request, message, expectedHead: headOf(index, branchId) })
      }
      return await actions.fanOut({ ...request, messageId: asked ?? '' })
    } catch (error) {
      return { ok: false as const, problem: problemOf(error, unreached) }
    }
  }

  return (
    <form
      className="flex min-h-0 flex-1 flex-col pt-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (total >= fewestReplies && !sending) void send()
      }}
    >
      <p dir="auto" className="mx-5 line-clamp-2 border-line border-l-2 pl-3 text-muted text-sm">
        {isNew ? of.text : wordsOf(bodies.get(asked ?? '') ?? { parts: [] })}
      </p>
      {models.length > searchedFrom && (
        <input
          type="search"
          aria-label="Find a model"
          dir="auto"
          autoComplete="off"
          placeholder={`Find one of ${models.length} models`}
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
          className="mx-5 mt-3 h-9 shrink-0 rounded-md border border-line bg-canvas px-3 text-sm outline-none focus:border-accent touch:h-11"
        />
      )}
      <ul aria-label="Models" className="mt-2 min-h-0 flex-1 overflow-y-auto overscroll-contain px-3">
        {listed.map((offered) => (
          <ModelRow
            key={offered.id}
            model={offered}
            count={counts[offered.id] ?? 0}
            cannot={cannot(offered)}
            full={total >= mostReplies}
            onChange={(by) => setCounts((before) => changed(before, offered.id, by))}
          />
        ))}
      </ul>
      <div className="flex shrink-0 flex-col gap-3 border-line border-t px-5 py-4">
        <div className="text-muted text-sm">
          <p role="status">
            <span className="font-medium text-ink">
              {total} of at most {mostReplies} replies
            </span>
            {total < fewestReplies && `: choose at least ${fewestReplies}`}
          </p>
          {total > 0 && (
            <p>
              {promptTokens === null
                ? 'Adding up what it costs…'
                : costWords(costOf(counts, models, promptTokens))}{' '}
              {isNew && files.length > 0 && 'The attached files are not counted. '}
              Replies that find no free place wait for their turn.
            </p>
          )}
        </div>
        {problem && (
          <p role="alert" className="text-danger text-sm">
            {problem}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button look="quiet" className="touch:h-11" onClick={onClose}>
            Cancel
          </Button>
          <Button
            look="primary"
            type="submit"
            autoFocus
            className="touch:h-11"
            disabled={total < fewestReplies || sending}
          >
            {sending ? 'Asking…' : `Ask for ${total} replies`}
          </Button>
        </div>
      </div>
    </form>
  )
}

interface ModelRowProps {
  model: OfferedModel
  count: number
  /** a media type of the message's files that it does not take */
  cannot: string | undefined
  full: boolean
  onChange(by: 1 | -1): void
}

function ModelRow({ model, count, cannot, full, onChange }: ModelRowProps) {
  const name = useId()
  return (
    <li>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is no flex container everywhere */}
      <div
        role="group"
        aria-labelledby={name}
        data-model={model.id}
        className="flex min-h-12 items-center gap-2 rounded-md px-2"
      >
        <span className="min-w-0 flex-1">
          <span id={name} dir="auto" className={cn('block truncate text-sm', count > 0 && 'font-medium')}>
            {model.label}
          </span>
          <span className="block truncate text-muted text-xs">
            {cannot ? `Does not take ${typeWords(cannot)}` : priceWords(model)}
          </span>
        </span>
        <IconButton
          label={`One reply fewer by ${model.label}`}
          Icon={Minus}
          size="tool"
          disabled={count === 0}
          onClick={() => onChange(-1)}
        />
        <output className={cn('w-5 text-center text-sm tabular-nums', count === 0 && 'text-faint')}>
          {count}
        </output>
        <IconButton
          label={`One reply more by ${model.label}`}
          Icon={Plus}
          size="tool"
          disabled={full || cannot !== undefined}
          onClick={() => onChange(1)}
        />
      </div>
    </li>
  )
}

/** The question that a message is, or answers. */
function askedBy({ index }: ChatSession, messageId: MessageId): MessageId {
  const isQuestion = index.byId(messageId)?.role === 'user'
  return isQuestion ? messageId : (index.parentOf(messageId)?.id ?? messageId)
}

const promptOf = (asked: MessageId | undefined, branchId: string): Record<string, string> =>
  asked === undefined ? { branch: branchId } : { message: asked }

/** About how many tokens the prompt has; null until that is known, and 0 where there is none yet. */
function usePromptTokens(url: string | null): number | null {
  const { api } = useApp()
  const [tokens, setTokens] = useState<number | null>(null)
  useEffect(() => {
    if (url === null) return
    const gone = new AbortController()
    getJson<SentPrompt>(api, url, gone.signal).then(
      (prompt) => setTokens(prompt.tokens.total),
      // the estimate is then of the new words alone
      () => gone.signal.aborted || setTokens(0),
    )
    return () => gone.abort()
  }, [api, url])
  return url === null ? 0 : tokens
}
