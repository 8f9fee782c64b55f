'use client'

import { type Dispatch, useEffect, useState } from 'react'
import { getJson } from '@/components/app/api'
import { useApp } from '@/components/app/app-context'
import { problemOf, unreached } from '@/components/app/problem'
import { type ChatAction, type ChatSession, headOf } from '@/components/session/chat-session'
import { type AttachedFile, filesOf, userMessage, wordsOf } from '@/components/session/messages'
import { chatUrl } from '@/components/session/read-chat'
import { refusedType } from '@/components/thread/model-words'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Segmented } from '@/components/ui/segmented'
import { useStored } from '@/components/ui/stored-value'
import { type MessageId, newId } from '@/lib/events'
import type { ChatActions, OfferedModel, SentPrompt } from '@/lib/protocol'
import { fewestReplies, mostReplies } from '@/lib/protocol/fan-out'
import { changed, costOf, costWords, draftTokens, firstCounts, modelsOf, mostIn, sumOf } from './choices'
import { ContextChoice } from './context-choice'
import { ModelChoice } from './model-choice'
import { inForce, useContextChoices } from './use-context-choices'

/** A longer list can be searched. */
const searchedFrom = 8

/** Subject of a fan-out: a new message, or a stored one whose replies are asked for again. */
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
  /** the replies are asked for; the draft of a new message is not needed any more */
  onBegun(): void
}

/** The choice of models and contexts for one message, with what the replies will cost. */
export default function FanOutDialog({ open, onOpenChange, ...form }: FanOutDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Ask several models"
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
  const contexts = useContextChoices(state, asked)
  const [chosen, setChosen] = useState<readonly string[]>([inForce])
  const [side, setSide] = useState<'models' | 'contexts'>('models')
  const [wanted, setWanted] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [sending, setSending] = useState(false)
  // the same words sent twice, after an answer that was lost, are the same message
  const [id] = useState(newId)
  const prompt = usePrompt(unsaved ? null : chatUrl('chats', chatId, 'prompt', promptOf(asked, branchId)))

  const sent = contexts.all.filter((context) => chosen.includes(context.id))
  const each = sumOf(counts)
  const total = each * sent.length
  const isRight = total >= fewestReplies && total <= mostReplies
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean)
  const isWanted = (text: string) => words.every((word) => text.toLowerCase().includes(word))
  const draft = isNew ? draftTokens(of.text) : 0
  const prompts =
    prompt && sent.map(({ tokens }) => draft + prompt.total + (tokens === null ? 0 : tokens - prompt.system))
  const list = side === 'models' ? models : contexts.all

  const send = async () => {
    setSending(true)
    setProblem(null)
    const message = isNew ? userMessage(of.text, of.files, id) : undefined
    const result = await ask(message)
    setSending(false)
    if (!result.ok) return setProblem(result.problem.detail)
    const { delta, branchId: goTo } = result.value
    keep(JSON.stringify(counts))
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
      contexts: sent.map(({ target }) => target),
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
        if (isRight && !sending) void send()
      }}
    >
      <p dir="auto" className="mx-5 line-clamp-2 border-line border-l-2 pl-3 text-muted text-sm">
        {isNew ? of.text : wordsOf(bodies.get(asked ?? '') ?? { parts: [] })}
      </p>
      <Segmented
        label="What it goes to"
        value={side}
        options={[
          { value: 'models', label: `Models · ${each}` },
          { value: 'contexts', label: `Contexts · ${sent.length}` },
        ]}
        onChange={(next) => {
          setSide(next)
          setWanted('')
        }}
        className="mx-5 mt-3 self-start"
      />
      {list.length > searchedFrom && (
        <input
          type="search"
          aria-label={side === 'models' ? 'Find a model' : 'Find a context'}
          dir="auto"
          autoComplete="off"
          placeholder={`Find one of ${list.length} ${side}`}
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
          className="mx-5 mt-3 h-9 shrink-0 rounded-md border border-line bg-canvas px-3 text-sm outline-none focus:border-accent touch:h-11"
        />
      )}
      {side === 'models' ? (
        <ModelChoice
          models={models.filter(({ label, id, providerName }) => isWanted(`${label} ${id} ${providerName}`))}
          counts={counts}
          cannot={cannot}
          full={each >= mostIn(sent.length)}
          onChange={(id, by) => setCounts((before) => changed(before, id, by, mostIn(sent.length)))}
        />
      ) : (
        <ContextChoice
          contexts={contexts.all.filter(({ name, about }) => isWanted(`${name} ${about}`))}
          problem={contexts.problem}
          chosen={chosen}
          onChange={setChosen}
        />
      )}
      <div className="flex shrink-0 flex-col gap-3 border-line border-t px-5 py-4">
        <div className="text-muted text-sm">
          <p role="status">
            <span className="font-medium text-ink">
              {total} of at most {mostReplies} replies
            </span>
            {total < fewestReplies && `: choose at least ${fewestReplies}`}
            {total > mostReplies && `: ${each} in each of ${sent.length} contexts is too many`}
            {isRight && sent.length > 1 && `: ${each} in each of ${sent.length} contexts`}
          </p>
          {total > 0 && (
            <p>
              {prompts === null ? 'Adding up what it costs…' : costWords(costOf(counts, models, prompts))}{' '}
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
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button look="primary" type="submit" autoFocus disabled={!isRight || sending}>
            {sending ? 'Asking…' : `Ask for ${total} replies`}
          </Button>
        </div>
      </div>
    </form>
  )
}

/** The question that a message is, or answers. */
function askedBy({ index }: ChatSession, messageId: MessageId): MessageId {
  const isQuestion = index.byId(messageId)?.role === 'user'
  return isQuestion ? messageId : (index.parentOf(messageId)?.id ?? messageId)
}

const promptOf = (asked: MessageId | undefined, branchId: string): Record<string, string> =>
  asked === undefined ? { branch: branchId } : { message: asked }

/** About how many tokens the prompt has, and its instructions alone; null until that is known, and none where there is no prompt yet. */
function usePrompt(url: string | null): Pick<SentPrompt['tokens'], 'total' | 'system'> | null {
  const { api } = useApp()
  const [tokens, setTokens] = useState<Pick<SentPrompt['tokens'], 'total' | 'system'> | null>(null)
  useEffect(() => {
    if (url === null) return
    const gone = new AbortController()
    getJson<SentPrompt>(api, url, gone.signal).then(
      (prompt) => setTokens(prompt.tokens),
      // the estimate is then of the new words alone
      () => gone.signal.aborted || setTokens(noTokens),
    )
    return () => gone.abort()
  }, [api, url])
  return url === null ? noTokens : tokens
}

const noTokens = { total: 0, system: 0 }
