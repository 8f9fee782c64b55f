'use client'

import { Download } from 'lucide-react'
import { RadioGroup } from 'radix-ui'
import { useId, useState } from 'react'
import { exportThisChat } from '@/components/actions/on-chat'
import { exportPath } from '@/components/app/paths'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Dialog, type OpenProps } from '@/components/ui/dialog'
import { Segmented } from '@/components/ui/segmented'
import type { ChatId } from '@/lib/events'
import type { ExportFormat } from '@/lib/protocol'

interface ExportDialogProps extends OpenProps {
  chatId: ChatId
  /** the branch that is read, where the chat has others */
  branch: { id: string; title: string } | null
}

const formats: readonly { value: ExportFormat; label: string; said: string }[] = [
  {
    value: 'html',
    label: 'Web page',
    said: 'One file with the graph in it, to read or send on. Any browser opens it.',
  },
  { value: 'markdown', label: 'Markdown', said: 'Plain text with headings, for notes and editors.' },
  {
    value: 'json',
    label: 'Ramify JSON',
    said: 'Everything: branches, checkpoints, contexts, files and history. Import it here or on another server.',
  },
  { value: 'jsonl', label: 'JSONL', said: 'A line for each branch, for fine-tuning a model.' },
]

const scopes = [
  { value: 'chat', label: 'Whole chat' },
  { value: 'branch', label: 'This branch' },
] as const

/** A chat, or the branch that is read, as a file. The browser saves it while the server writes it. */
export default function ExportDialog({ chatId, branch, open, onOpenChange }: ExportDialogProps) {
  const [format, setFormat] = useState<ExportFormat>('html')
  const [scope, setScope] = useState<(typeof scopes)[number]['value']>('chat')
  const isWhole = format === 'json' || scope === 'chat' || branch === null
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={exportThisChat.label}>
      <div className="flex min-h-0 flex-col gap-4 overflow-y-auto p-5">
        <RadioGroup.Root
          aria-label="Format"
          value={format}
          onValueChange={(next) => setFormat(next as ExportFormat)}
          className="flex flex-col gap-2"
        >
          {formats.map(({ value, label, said }) => (
            <Format key={value} {...{ value, label, said }} chosen={value === format} />
          ))}
        </RadioGroup.Root>
        {branch && (
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
            {format === 'json' ? (
              <p className="text-muted text-sm">The whole chat: a part of it could not be restored.</p>
            ) : (
              <>
                <Segmented label="What to export" value={scope} options={scopes} onChange={setScope} />
                <p className="min-w-0 flex-1 truncate text-muted text-sm">
                  {isWhole ? 'Other branches follow the one the chat opens on.' : <bdi>{branch.title}</bdi>}
                </p>
              </>
            )}
          </div>
        )}
        <div className="flex justify-end">
          <Button
            look="primary"
            className="touch:h-11"
            onClick={() => {
              save(exportPath(chatId, format, isWhole ? undefined : branch?.id))
              onOpenChange(false)
            }}
          >
            <Download size={15} aria-hidden />
            Download
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

/** The name of the file comes with it. */
function save(path: string) {
  const link = document.createElement('a')
  link.href = path
  link.download = ''
  link.click()
}

/** A format is chosen by its whole card. */
function Format({ value, label, said, chosen }: (typeof formats)[number] & { chosen: boolean }) {
  const id = useId()
  return (
    <RadioGroup.Item
      value={value}
      aria-label={label}
      aria-describedby={id}
      className={cn(
        'flex items-start gap-3 rounded-lg border px-3 py-2.5 text-left transition-colors hover:border-line-strong',
        chosen ? 'border-accent bg-accent-soft/40' : 'border-line',
      )}
    >
      <span
        aria-hidden
        className={cn(
          'mt-1 flex size-3.5 shrink-0 items-center justify-center rounded-full border',
          chosen ? 'border-accent' : 'border-line-strong',
        )}
      >
        <RadioGroup.Indicator className="size-2 rounded-full bg-accent" />
      </span>
      <span className="min-w-0">
        <span className="block font-medium text-ink">{label}</span>
        <span id={id} className="block text-muted text-sm">
          {said}
        </span>
      </span>
    </RadioGroup.Item>
  )
}
