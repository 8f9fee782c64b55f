'use client'

import { Check, CircleAlert, CircleSlash, Clock3, LoaderCircle, type LucideIcon } from 'lucide-react'
import Link from 'next/link'
import { chatPath } from '@/components/app/paths'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { type ImportReport, sizeWords } from '@/lib/protocol'
import { importSourceName } from '../import-sources'

const looks: Record<ImportReport['status'], { Icon: LucideIcon; words: string; className: string }> = {
  queued: { Icon: Clock3, words: 'Waits for its turn', className: 'text-faint' },
  running: {
    Icon: LoaderCircle,
    words: 'Under way',
    className: 'animate-spin text-accent motion-reduce:animate-none',
  },
  done: { Icon: Check, words: 'Done', className: 'text-accent' },
  cancelled: { Icon: CircleSlash, words: 'Cancelled: what was imported stays', className: 'text-faint' },
  failed: { Icon: CircleAlert, words: 'Stopped', className: 'text-danger' },
}

const whole = (n: number): string => n.toLocaleString('en')
const many = (n: number, one: string): string => `${whole(n)} ${one}${n === 1 ? '' : 's'}`

/** One import: its file, how far it has come, and what could not be kept. */
export function ImportRow({ report, onCancel }: { report: ImportReport; onCancel(): void }) {
  const { status, chats, messages } = report
  const { Icon, words, className } = looks[status]
  const isOpen = status === 'queued' || status === 'running'
  return (
    <li className="border-line border-b py-4">
      <div className="flex items-start gap-3">
        <Icon size={16} aria-hidden className={cn('mt-0.5 shrink-0', className)} />
        <div className="min-w-0 flex-1">
          <p className="break-words font-medium [overflow-wrap:anywhere]">
            <bdi>{report.file}</bdi>
          </p>
          <p className="mt-0.5 text-muted text-sm">
            {importSourceName(report.source)} · {sizeWords(report.size)} ·{' '}
            <span role={isOpen ? 'status' : undefined}>{words}</span>
          </p>
          {report.reason && <p className="mt-2 text-danger">{report.reason}</p>}
          {status !== 'queued' && (
            <dl className="mt-3 grid grid-cols-2 gap-x-6 gap-y-2 tabular-nums sm:grid-cols-4">
              <Count label="Chats read" value={chats.found} />
              <Count label="Imported" value={chats.imported} />
              <Count label="Unchanged" value={chats.unchanged} />
              {chats.left > 0 && <Count label="Not chosen" value={chats.left} />}
              <Count label="Messages" value={messages.imported} />
            </dl>
          )}
          {report.examples.length > 0 && <Examples report={report} />}
          {report.problem_count > 0 && <Problems report={report} />}
        </div>
        {isOpen && (
          <Button size="sm" className="touch:px-3" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </li>
  )
}

function Count({ label, value }: { label: string; value: number }) {
  return (
    <div>
      <dt className="text-muted text-xs">{label}</dt>
      <dd>{whole(value)}</dd>
    </div>
  )
}

/** Some of the chats, to open. */
function Examples({ report: { examples, chats } }: { report: ImportReport }) {
  const more = chats.imported - examples.length
  return (
    <details className="mt-3">
      <summary className="w-fit cursor-pointer text-muted hover:text-ink touch:py-2">Imported chats</summary>
      <ul className="mt-1 border-line border-l pl-3">
        {examples.map(({ chat_id, title }) => (
          <li key={chat_id}>
            <Link
              href={chatPath(chat_id)}
              className="block truncate py-1 text-ink underline-offset-2 hover:underline touch:py-2.5"
            >
              <bdi>{title ?? 'Untitled'}</bdi>
            </Link>
          </li>
        ))}
        {more > 0 && <li className="py-1 text-faint">and {whole(more)} more, in the list of chats</li>}
      </ul>
    </details>
  )
}

/** Lists the parts of a file that could not be kept, with their reasons. */
function Problems({ report: { problems, problem_count, messages } }: { report: ImportReport }) {
  const more = problem_count - problems.length
  return (
    <details className="mt-3">
      <summary className="w-fit cursor-pointer text-warn touch:py-2">
        {many(problem_count, 'note')} on what is not as it was
        {messages.skipped > 0 && `, ${many(messages.skipped, 'message')} left out`}
      </summary>
      <ul className="mt-1 max-h-72 overflow-y-auto border-line border-l pl-3">
        {problems.map(({ chat, chat_id, reason }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list only grows at its end
          <li key={index} className="py-1">
            {chat_id ? (
              <Link href={chatPath(chat_id)} className="font-medium underline-offset-2 hover:underline">
                {chat}
              </Link>
            ) : (
              <span className="font-medium">{chat}</span>
            )}
            : <span className="text-muted">{reason}</span>
          </li>
        ))}
        {more > 0 && <li className="py-1 text-faint">and {whole(more)} more</li>}
      </ul>
    </details>
  )
}
