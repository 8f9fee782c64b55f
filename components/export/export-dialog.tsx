'use client'

import { Download, Printer } from 'lucide-react'
import { RadioGroup } from 'radix-ui'
import { useId, useState } from 'react'
import { exportThisChat } from '@/components/actions/on-chat'
import { useApp } from '@/components/app/app-context'
import { namesOf, type Picked } from '@/components/app/listed'
import { exportManyPath, exportPath } from '@/components/app/paths'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Dialog, type OpenProps } from '@/components/ui/dialog'
import { Segmented } from '@/components/ui/segmented'
import type { ChatId } from '@/lib/events'
import type { ExportFormat, ExportPart } from '@/lib/protocol'
import { printChat } from './print-chat'

/** Chats that are exported: one, or many of the list. */
type Exported =
  | {
      chatId: ChatId
      /** the branch that is read, where the chat has others */
      branch: { id: string; title: string } | null
    }
  | { picked: Picked }

interface ExportDialogProps extends OpenProps {
  exported: Exported
}

const formats: readonly { value: ExportFormat; label: string; said: string }[] = [
  {
    value: 'html',
    label: 'Web page',
    said: 'One file with the graph in it, to read or send on. Any browser opens it.',
  },
  { value: 'markdown', label: 'Markdown', said: 'Plain text with headings, for notes and editors.' },
  {
    value: 'markdown-zip',
    label: 'Markdown with files',
    said: 'A zip: the text, and its pictures beside it.',
  },
  { value: 'docx', label: 'Word document', said: 'DOCX with headings, tables, code and pictures.' },
  {
    value: 'json',
    label: 'Ramify JSON',
    said: 'Everything: branches, checkpoints, contexts, files and history. Import it here or on another server.',
  },
  { value: 'jsonl', label: 'JSONL', said: 'A line for each branch, for fine-tuning a model.' },
  {
    value: 'preferences',
    label: 'Preference pairs',
    said: 'A line for each message with several replies: the one you kept, and another.',
  },
]

const scopes = [
  { value: 'chat', label: 'Whole chat' },
  { value: 'branch', label: 'This branch' },
] as const

const parts: readonly { part: ExportPart; label: string }[] = [
  { part: 'thoughts', label: 'Thoughts' },
  { part: 'tools', label: 'Tools' },
  { part: 'context', label: 'Instructions' },
]

/** Ids that an address holds at most. */
const MOST_PICKED = 200

/** Chats, or the branch that is read, as a file. The browser saves it while the server writes it. */
export default function ExportDialog({ exported, open, onOpenChange }: ExportDialogProps) {
  const { api } = useApp()
  const [format, setFormat] = useState<ExportFormat>('html')
  const [scope, setScope] = useState<(typeof scopes)[number]['value']>('chat')
  const [left, setLeft] = useState<readonly ExportPart[]>([])
  const branch = 'picked' in exported ? null : exported.branch
  const picked = 'picked' in exported ? exported.picked : null
  const isWhole = format === 'json' || scope === 'chat' || branch === null
  const without = format === 'json' ? [] : left
  const isMuch = picked !== null && 'chats' in picked && picked.chats.length > MOST_PICKED
  const pathOf = (format: ExportFormat) =>
    'picked' in exported
      ? exportManyPath(exported.picked, { format, without })
      : exportPath(exported.chatId, { format, without, branch: isWhole ? undefined : branch?.id })
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={exportThisChat.label}
      description={picked ? `${namesOf(picked)}, as one zip` : undefined}
    >
      <div className="flex min-h-0 flex-col gap-4 overflow-y-auto p-5">
        <RadioGroup.Root
          aria-label="Format"
          value={format}
          onValueChange={(next) => setFormat(next as ExportFormat)}
          className="flex flex-col gap-2"
        >
          {formats.map(({ value, label, said }) => (
            <Format key={value} value={value} label={label} said={said} chosen={value === format} />
          ))}
        </RadioGroup.Root>
      </div>
      <div className="flex shrink-0 flex-col gap-3 border-line border-t p-5 pt-4">
        {format === 'json' ? (
          <p className="text-muted text-sm">The whole chat: a part of it could not be restored.</p>
        ) : (
          <>
            {branch && (
              <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
                <Segmented label="What to export" value={scope} options={scopes} onChange={setScope} />
                <p className="line-clamp-2 min-w-0 flex-1 text-muted text-sm">
                  {isWhole ? 'The branch it opens on, then the others.' : <bdi>{branch.title}</bdi>}
                </p>
              </div>
            )}
            <fieldset className="flex flex-wrap items-center gap-x-4 text-sm">
              <legend className="sr-only">What goes with the messages</legend>
              {parts.map(({ part, label }) => (
                <label key={part} className="flex min-h-8 items-center gap-2 touch:min-h-11">
                  <input
                    type="checkbox"
                    checked={!left.includes(part)}
                    onChange={({ target }) =>
                      setLeft(target.checked ? left.filter((one) => one !== part) : [...left, part])
                    }
                    className="accent-(--accent)"
                  />
                  {label}
                </label>
              ))}
            </fieldset>
          </>
        )}
        <div className="flex items-center justify-end gap-2">
          {isMuch && (
            <p className="flex-1 text-muted text-sm">
              At most {MOST_PICKED} chats at once, or all that the list shows.
            </p>
          )}
          {!picked && (
            <Button
              look="quiet"
              onClick={() => {
                onOpenChange(false)
                void printChat(api, pathOf('html'))
              }}
            >
              <Printer size={15} aria-hidden />
              Print
            </Button>
          )}
          <Button
            look="primary"
            disabled={isMuch}
            onClick={() => {
              save(pathOf(format))
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
