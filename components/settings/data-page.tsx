'use client'

import { ClipboardPaste, Download, FileUp } from 'lucide-react'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { type DragEvent, type RefObject, useCallback, useRef, useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { deferred } from '@/components/app/deferred'
import { accountPath } from '@/components/app/paths'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { type ImportReport, sizeWords } from '@/lib/protocol'
import { AgentSessions } from './agent-sessions'
import { importSources } from './import-sources'
import { ImportRow } from './imports/import-row'
import type { LookedAt } from './imports/preview-choice'
import { type SentFile, useImports } from './imports/use-import'
import { SettingsPage, SettingsSection } from './settings-page'

const PreviewDialog = deferred(() => import('./imports/preview-dialog'), { floats: (props) => props })
const PasteDialog = deferred(() => import('./imports/paste-dialog'), { floats: (props) => props })

interface DataPageProps {
  imports: readonly ImportReport[]
  /** bytes of a file, at most */
  limit: number
}

/** Imports, exports and deletions of a person. */
export function DataPage({ imports: stored, limit }: DataPageProps) {
  const router = useRouter()
  // the list of chats is the server's
  const refresh = useCallback(() => router.refresh(), [router])
  const { access } = useApp()
  const { imports, looking, sending, problem, preview, send, look, cancel, stop } = useImports(
    stored,
    refresh,
  )
  const chooser = useRef<HTMLButtonElement>(null)
  const [looked, setLooked] = useState<readonly LookedAt[]>([])
  /** the text that is pasted; null: none is */
  const [pasted, setPasted] = useState<string | null>(null)
  return (
    <SettingsPage title="Data">
      <SettingsSection
        title="Import chats"
        note="Bring your conversations from another program. Every edit and every other attempt at a reply becomes a branch, and dates stay what they were. The same file again adds only what is new."
      >
        {sending ? (
          <Sending file={sending} onCancel={stop} />
        ) : looking !== null ? (
          <Looking name={looking} onCancel={stop} />
        ) : (
          <FileDrop
            limit={limit}
            chooser={chooser}
            onFiles={async (files) => setLooked(await preview(files))}
            onPaste={setPasted}
          />
        )}
        {looked.length > 0 && (
          <PreviewDialog
            open
            onOpenChange={() => setLooked([])}
            looked={looked}
            onCloseAutoFocus={(event) => {
              event.preventDefault()
              chooser.current?.focus()
            }}
            onImport={(chosen) => {
              setLooked([])
              void send(chosen)
            }}
          />
        )}
        {pasted !== null && (
          <PasteDialog
            open
            onOpenChange={() => setPasted(null)}
            text={pasted}
            onImport={(file) => {
              setPasted(null)
              void send([{ file }])
            }}
          />
        )}
        {problem && (
          <p role="alert" className="mt-3 rounded-md bg-danger-soft px-3 py-2 text-danger">
            {problem}
          </p>
        )}
        {imports.length > 0 && (
          <ul aria-label="Imports" className="mt-6 border-line border-t">
            {imports.map((report) => (
              <ImportRow key={report.id} report={report} onCancel={() => void cancel(report.id)} />
            ))}
          </ul>
        )}
        <details className="mt-4" open={imports.length === 0}>
          <summary className="w-fit cursor-pointer text-muted hover:text-ink touch:py-2">
            How to get your chats from other programs
          </summary>
          <dl className="mt-2 grid gap-x-6 sm:grid-cols-[9rem_1fr]">
            {importSources.map(({ id, label, how }) => (
              <div key={id} className="contents">
                <dt className="pt-2 font-medium sm:border-line sm:border-t sm:py-2">{label}</dt>
                <dd className="border-line border-b pb-2 text-muted sm:border-t sm:border-b-0 sm:py-2">
                  {how}
                </dd>
              </div>
            ))}
          </dl>
        </details>
      </SettingsSection>
      {access.personal === 'on' && (
        <SettingsSection
          title="Sessions of agents"
          note="What Claude Code, Codex, opencode and pi have left on this machine, with their sub-agents and rewinds as branches. Again, it adds only what is new."
        >
          <AgentSessions onBegun={look} />
        </SettingsSection>
      )}
      <SettingsSection
        title="Export everything"
        note="All your chats with every branch, and their files, as one zip. Each chat is a JSON file that can be imported again."
      >
        <a
          href="/api/export"
          download
          className={cn(
            'mt-4 inline-flex h-8 items-center gap-2 rounded-md border border-line bg-raised px-3 font-medium text-sm',
            'transition-colors hover:border-line-strong touch:h-11',
          )}
        >
          <Download size={14} aria-hidden />
          Download zip
        </a>
      </SettingsSection>
      <SettingsSection
        title="Delete everything"
        note={
          <>
            Your account with all its chats and files is deleted under{' '}
            <Link href={accountPath} className="text-ink underline underline-offset-2">
              Account
            </Link>
            . Nothing can bring it back.
          </>
        }
      />
    </SettingsPage>
  )
}

interface FileDropProps {
  limit: number
  /** the button that chooses files */
  chooser: RefObject<HTMLButtonElement | null>
  onFiles(files: File[]): void
  /** a text was dropped, or is to be pasted */
  onPaste(text: string): void
}

/** Takes files, chosen or dropped, and the text of a chat. */
function FileDrop({ limit, chooser, onFiles, onPaste }: FileDropProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const files = [...event.dataTransfer.files]
    const text = event.dataTransfer.getData('text/plain')
    if (files.length > 0) onFiles(files)
    else if (text.trim() !== '') onPaste(text)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same for keys
    <div
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={cn(
        'mt-4 flex flex-col items-center gap-3 rounded-lg border border-dashed px-4 py-8 text-center transition-colors',
        isOver ? 'border-accent bg-accent-soft' : 'border-line-strong',
      )}
    >
      <FileUp size={20} aria-hidden className="text-faint" />
      <p className="text-muted">
        <span className="touch:hidden">Drop the zip or JSON file here as you downloaded it, or</span>
        <span className="hidden touch:inline">The zip or JSON file as you downloaded it</span>
      </p>
      <input
        ref={input}
        type="file"
        multiple
        aria-label="File to import"
        className="hidden"
        onChange={({ target }) => {
          const files = [...(target.files ?? [])]
          // the same file may be chosen again
          target.value = ''
          if (files.length > 0) onFiles(files)
        }}
      />
      <div className="flex flex-wrap justify-center gap-2">
        <Button ref={chooser} look="primary" onClick={() => input.current?.click()}>
          Choose a file
        </Button>
        <Button onClick={() => onPaste('')}>
          <ClipboardPaste size={14} aria-hidden />
          Paste a conversation
        </Button>
      </div>
      <p className="text-faint text-sm">Several are fine, each up to {sizeWords(limit)}</p>
    </div>
  )
}

/** A file is read before it is imported. */
function Looking({ name, onCancel }: { name: string; onCancel(): void }) {
  return (
    <div className="mt-4 flex items-center gap-4 rounded-lg border border-line px-4 py-5">
      <p role="status" className="min-w-0 flex-1 truncate">
        Looking into <bdi className="font-medium">{name}</bdi>…
      </p>
      <Button size="sm" className="touch:px-3" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  )
}

/** Progress of a file that is being sent. */
function Sending({ file: { name, size, sent }, onCancel }: { file: SentFile; onCancel(): void }) {
  const isSent = sent >= size
  return (
    <div className="mt-4 rounded-lg border border-line px-4 py-5">
      <div className="flex items-center gap-4">
        <p className="min-w-0 flex-1 truncate font-medium">
          <bdi>{name}</bdi>
        </p>
        <Button size="sm" className="touch:px-3" onClick={onCancel}>
          Cancel
        </Button>
      </div>
      <div
        role="progressbar"
        aria-label={`Uploading ${name}`}
        aria-valuemin={0}
        aria-valuemax={size}
        aria-valuenow={sent}
        className="mt-3 h-1 overflow-hidden rounded-full bg-line"
      >
        <div
          className={cn(
            'h-full bg-accent transition-[width]',
            isSent && 'animate-pulse motion-reduce:animate-none',
          )}
          style={{ width: `${size === 0 ? 0 : (sent / size) * 100}%` }}
        />
      </div>
      <p className="mt-2 text-muted text-sm tabular-nums">
        {isSent ? 'Looking into the file…' : `${sizeWords(sent)} of ${sizeWords(size)}`}
      </p>
    </div>
  )
}
