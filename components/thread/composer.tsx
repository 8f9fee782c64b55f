'use client'

import { Columns3, Square } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import { useApp } from '@/components/app/app-context'
import type { Attachments } from '@/components/session/use-attachments'
import { Button, IconButton } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Hint } from '@/components/ui/hint'
import { AttachButton, AttachmentList, attachmentComplaint } from './attachments'
import { modelName } from './facts'
import { ModelPicker } from './model-picker'
import { isSendable, TextBox, whyNot } from './text-box'

interface ComposerProps {
  ref?: Ref<HTMLTextAreaElement>
  draft: string
  onDraft(text: string): void
  attachments: Attachments
  /** sends a text; while a reply is being written, keeps it until then */
  onSend(text: string): void
  /** asks for several replies to a text */
  onFanOut(text: string): void
  /** Escape in the box */
  onLeave(): void
  /** the model that the next message goes to */
  model: string
  onModel(model: string): void
  /** a reply is being written on this branch */
  busy: boolean
  stopping: boolean
  onStop(): void
  /** stands above the box: the last message's failure, the waiting messages, and whether the next can be sent */
  notice?: ReactNode
}

export function Composer({
  ref,
  draft,
  onDraft,
  attachments,
  onSend,
  onFanOut,
  onLeave,
  busy,
  model,
  onModel,
  ...reply
}: ComposerProps) {
  const { models } = useApp()
  const { files, uploads } = attachments
  const chosen = models.find(({ id }) => id === model)
  const complaint = whyNot(draft) ?? attachmentComplaint(attachments, chosen)
  // the server knows best: the page may not have heard yet of a model that was added elsewhere
  const gone =
    chosen === undefined
      ? `The model “${modelName(models, model)}” is not available now. Choose another one.`
      : null
  const problem = complaint ?? gone
  // a chat that is only read, as an agent's is, has nothing wrong with it
  const isAlert = complaint !== null || draft !== ''
  const ready = isSendable(draft, files.length > 0) && uploads.length === 0 && complaint === null

  return (
    <div id="composer" className="mx-auto w-full max-w-[720px] shrink-0 px-3 pb-3 sm:px-5 sm:pb-4">
      {reply.notice}
      <form
        className="rounded-xl border border-line bg-raised transition-colors focus-within:border-line-strong"
        onSubmit={(event) => {
          event.preventDefault()
          if (ready) onSend(draft)
        }}
      >
        <AttachmentList attachments={attachments} />
        <TextBox
          ref={ref}
          id="message-box"
          label="Message"
          placeholder={busy ? 'Write on: it is sent when the reply ends' : 'Write a message'}
          text={draft}
          lines={8}
          onText={onDraft}
          onEscape={onLeave}
          onFiles={attachments.add}
          className="min-h-11 bg-transparent px-4 pt-3 pb-1"
        />
        {problem && (
          <p
            role={isAlert ? 'alert' : undefined}
            className={cn('px-4 pb-1 text-sm', isAlert ? 'text-danger' : 'text-muted')}
          >
            {problem}
          </p>
        )}
        <div className="flex items-center justify-between gap-2 px-2 pb-2">
          <span className="flex min-w-0 items-center gap-1">
            <AttachButton onFiles={attachments.add} />
            <ModelPicker
              model={model}
              onChange={onModel}
              mustTake={files.map(({ mediaType }) => mediaType)}
            />
          </span>
          <span className="flex items-center gap-1">
            {busy && (
              <IconButton label="Stop" look="outline" disabled={reply.stopping} onClick={reply.onStop}>
                <Square size={13} aria-hidden fill="currentColor" />
              </IconButton>
            )}
            {/* not before there is anything to ask */}
            {!busy && ready && (
              <Hint text="Ask several models" more="replies beside each other">
                <Button
                  look="quiet"
                  aria-label="Ask several models"
                  className="touch:min-w-11 max-sm:px-2"
                  onClick={() => onFanOut(draft)}
                >
                  <Columns3 size={15} aria-hidden />
                  <span className="max-sm:hidden">Ask several models</span>
                </Button>
              </Hint>
            )}
            {(!busy || ready) && (
              <Button
                look="primary"
                type="submit"
                aria-label={busy ? 'Ask when the reply ends' : undefined}
                disabled={!ready}
              >
                Ask
              </Button>
            )}
          </span>
        </div>
      </form>
    </div>
  )
}
