'use client'

import Link from 'next/link'
import { useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { LoadFailed } from '@/components/app/notice'
import { chatPath } from '@/components/app/paths'
import { useLoaded } from '@/components/session/read-chat'
import { modelName } from '@/components/thread/facts'
import { Segmented } from '@/components/ui/segmented'
import { Skeleton } from '@/components/ui/skeleton'
import type { UsageLine, UsageReport } from '@/lib/protocol'
import { SettingsPage } from './settings-page'
import { UsagePlot } from './usage-plot'
import { bySpent, costWords, summed, type Total, tokensOf } from './usage-sums'

type Period = '7' | '30' | '90'

const periods = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
] as const

/** Tokens and cost of the replies in a person's chats: by day in a plot, by model and by chat in tables. */
export function UsagePage() {
  const [period, setPeriod] = useState<Period>('30')
  const [measure, setMeasure] = useState<'tokens' | 'cost'>('tokens')
  const url = `/api/usage?days=${period}`
  const [answer, setAnswer] = useState<{ url: string; report: UsageReport } | null>(null)
  const { problem, again } = useLoaded<UsageReport>(url, (report) => setAnswer({ url, report }))
  // the last report stays until the next one is there
  const report = answer?.report
  return (
    <SettingsPage title="Usage" label="Usage" className="flex max-w-[880px] flex-col gap-6">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div>
          <h2 className="font-medium text-lg">Tokens and cost</h2>
          <p className="mt-1 text-muted">
            Every reply once, however many branches share it, at today’s prices. Days end at midnight UTC.
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          <Segmented
            label="Measure"
            value={measure}
            options={[
              { value: 'tokens', label: 'Tokens' },
              { value: 'cost', label: 'Cost' },
            ]}
            onChange={setMeasure}
          />
          <Segmented label="Period" value={period} options={periods} onChange={setPeriod} />
        </div>
      </div>
      {problem ? (
        <LoadFailed problem={problem} onAgain={again} />
      ) : report ? (
        <Report report={report} days={Number(period)} measure={measure} />
      ) : (
        <div role="status" aria-label="Loading the usage" className="flex flex-col gap-4">
          <Skeleton className="h-56" />
          <Skeleton className="h-32" />
        </div>
      )}
    </SettingsPage>
  )
}

interface ReportProps {
  report: UsageReport
  days: number
  measure: 'tokens' | 'cost'
}

function Report({ report, days, measure }: ReportProps) {
  const { models } = useApp()
  const byModel = bySpent(report.days)
  if (byModel.length === 0) {
    return (
      <p className="rounded-lg border border-line border-dashed px-4 py-10 text-center text-muted">
        No reply was written in this time. What your next message takes shows here within a second.
      </p>
    )
  }
  const total = summed(report.days)
  return (
    <>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-4">
        <Figure label="Replies" value={total.replies.toLocaleString('en')} />
        <Figure label="Tokens in" value={total.input.toLocaleString('en')} note={cachedWords(total)} />
        <Figure label="Tokens out" value={total.output.toLocaleString('en')} />
        <Figure label="Cost" value={costWords(total)} note={unpricedWords(total)} />
      </dl>
      <UsagePlot report={report} days={days} measure={measure} order={byModel.map(({ model }) => model)} />
      <Table
        caption="By model"
        of="Model"
        rows={byModel.map(({ model, total }) => ({
          key: model,
          name: model === 'unknown' ? 'Not said' : modelName(models, model),
          total,
        }))}
      />
      <Table
        caption="Chats with the most tokens"
        of="Chat"
        rows={report.chats.map(({ chat_id, title, models: lines }) => ({
          key: chat_id,
          name: (
            <Link href={chatPath(chat_id)} className="underline decoration-line-strong hover:decoration-ink">
              {title ?? 'Untitled chat'}
            </Link>
          ),
          total: summed(lines as UsageLine[]),
        }))}
      />
    </>
  )
}

const cachedWords = ({ input, cached }: Total): string | undefined =>
  cached > 0 && input > 0 ? `${Math.round((cached / input) * 100)} % of them cached` : undefined

const unpricedWords = ({ unpriced }: Total): string | undefined =>
  unpriced === 0
    ? undefined
    : unpriced === 1
      ? '1 reply has no known price'
      : `${unpriced.toLocaleString('en')} replies have no known price`

const Figure = ({ label, value, note }: { label: string; value: string; note?: string | undefined }) => (
  <div>
    <dt className="text-muted text-sm">{label}</dt>
    <dd className="font-medium text-lg tabular-nums">{value}</dd>
    {note && <dd className="text-faint text-xs tabular-nums">{note}</dd>}
  </div>
)

interface TableProps {
  caption: string
  of: string
  rows: readonly { key: string; name: React.ReactNode; total: Total }[]
}

function Table({ caption, of, rows }: TableProps) {
  return (
    <table className="w-full text-sm">
      <caption className="pb-2 text-left font-medium text-base">{caption}</caption>
      <thead>
        <tr className="border-line border-b text-left text-muted">
          <th scope="col" className="py-1.5 pr-3 font-normal">
            {of}
          </th>
          <th scope="col" className="hidden py-1.5 pl-3 text-right font-normal sm:table-cell">
            Replies
          </th>
          <th scope="col" className="py-1.5 pl-3 text-right font-normal">
            Tokens
          </th>
          <th scope="col" className="py-1.5 pl-3 text-right font-normal">
            Cost
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, total }) => (
          <tr key={key} className="border-line border-b tabular-nums">
            <th scope="row" className="max-w-0 truncate py-1.5 pr-3 text-left font-normal">
              {name}
            </th>
            <td className="hidden w-20 py-1.5 pl-3 text-right sm:table-cell">
              {total.replies.toLocaleString('en')}
            </td>
            <td className="w-28 py-1.5 pl-3 text-right">{tokensOf(total).toLocaleString('en')}</td>
            <td className="w-24 py-1.5 pl-3 text-right">{costWords(total)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
