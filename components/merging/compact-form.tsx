'use client'

import { useState } from 'react'
import { Button } from '@/components/ui/button'
import type { BranchId, MessageId } from '@/lib/events'
import { PendingPreview, ReviewedText } from './reviewed-text'
import { usePreview } from './use-preview'

interface Preview {
  summary: string
  message_count: number
  written_by: string | null
  failure: string | null
}

interface CompactFormProps {
  branchId: BranchId
  /** the branch's name on the screen */
  title: string
  messageId: MessageId | null
  /** opens the branch; false when that was refused */
  onCompact(compact: { branchId: BranchId; messageId?: MessageId; summary: string }): Promise<boolean>
  onCancel(): void
}

/** The summary that a new branch begins with, reviewed before. */
export function CompactForm({ branchId, title, messageId, onCompact, onCancel }: CompactFormProps) {
  const [by, setBy] = useState<'model' | 'digest'>('model')
  const [draft, setDraft] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const part = messageId === null ? {} : { messageId }
  const previewed = usePreview<Preview>('/api/commands/compact-preview', {
    thread_id: branchId,
    by,
    ...(messageId !== null && { message_id: messageId }),
  })
  const { preview } = previewed
  const summary = draft ?? preview?.summary ?? ''
  const compact = async () => {
    setBusy(true)
    if (!(await onCompact({ branchId, ...part, summary }))) setBusy(false)
  }
  return (
    <>
      <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-5 pt-3 pb-5">
        {preview ? (
          <>
            <p className="text-muted text-sm">
              Stands for {preview.message_count === 1 ? 'one message' : `${preview.message_count} messages`}{' '}
              of <bdi className="text-ink">{title}</bdi>, which stays as it is.
            </p>
            <ReviewedText
              label="Summary"
              text={summary}
              onChange={setDraft}
              writtenBy={preview.written_by}
              failure={preview.failure}
              onAgain={previewed.again}
            />
          </>
        ) : (
          <PendingPreview previewed={previewed} onDigest={by === 'model' ? () => setBy('digest') : null} />
        )}
      </div>
      <div className="flex items-center justify-end gap-2 border-line border-t px-5 py-3">
        <p className="mr-auto text-faint text-xs max-sm:hidden">
          A new branch begins with it. Undo takes it back.
        </p>
        <Button onClick={onCancel}>Cancel</Button>
        <Button
          look="primary"
          disabled={!preview || busy || summary.trim() === ''}
          onClick={() => void compact()}
        >
          Go on from this summary
        </Button>
      </div>
    </>
  )
}
