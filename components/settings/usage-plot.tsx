import { useApp } from '@/components/app/app-context'
import { modelName } from '@/components/thread/facts'
import type { UsageReport } from '@/lib/protocol'
import { costWords, summed, tokensOf } from './usage-sums'

/** As many models have a colour of their own; the others share the last one. */
const COLOURS = 6
const DAY_MS = 24 * 3_600_000

interface UsagePlotProps {
  report: UsageReport
  days: number
  measure: 'tokens' | 'cost'
  /** the models, the one with the most tokens first */
  order: readonly string[]
}

/** A bar for each day, in the colours of its models. The tables below it say the same in numbers. */
export function UsagePlot({ report, days, measure, order }: UsagePlotProps) {
  const { models } = useApp()
  const measured = (lines: UsageReport['days']): number => {
    const total = summed(lines)
    return measure === 'tokens' ? tokensOf(total) : (total.cost ?? 0)
  }
  const byDay = Map.groupBy(report.days, ({ day }) => day)
  const bars = daysFrom(report.from, days).map((day) => {
    const lines = byDay.get(day) ?? []
    let base = 0
    const parts = order.flatMap((model, at) => {
      const height = measured(lines.filter((line) => line.model === model))
      if (height === 0) return []
      base += height
      return [{ model, height, colour: Math.min(at, COLOURS - 1) }]
    })
    return { day, parts, total: base, words: wordsOf(lines, measure) }
  })
  const most = Math.max(...bars.map(({ total }) => total))
  const top = niceTop(most)
  const percent = (value: number) => `${top === 0 ? 0 : (value / top) * 100}%`
  const gap = Math.ceil(days / 6)
  const named = order.slice(0, COLOURS)
  return (
    <figure className="flex flex-col gap-3">
      <div
        role="img"
        aria-label={`${measure === 'tokens' ? 'Tokens' : 'Cost'} of each day, from ${dayWords(report.from)} to today; the most on one day is ${amount(most, measure)}`}
        className="flex h-56 gap-2 text-faint text-xs tabular-nums"
      >
        <div className="flex flex-col items-end justify-between pb-6">
          {[1, 0.5, 0].map((share) => (
            <span key={share} className="leading-none">
              {amount(top * share, measure)}
            </span>
          ))}
        </div>
        <div className="relative min-w-0 flex-1">
          <div className="absolute inset-x-0 top-1.5 bottom-7.5 flex flex-col justify-between">
            {['top', 'half', 'bottom'].map((line) => (
              <div key={line} className="border-line border-t" />
            ))}
          </div>
          <div className="absolute inset-x-0 top-1.5 bottom-7.5 flex">
            {bars.map(({ day, parts, words }) => (
              <div
                key={day}
                title={`${dayWords(day)}: ${words}`}
                className="flex h-full min-w-0 flex-1 flex-col-reverse items-center"
              >
                {parts.map(({ model, height, colour }) => (
                  <div
                    key={model}
                    className="min-h-px w-3/4 max-w-8"
                    style={{ height: percent(height), background: `var(--lane-${colour})` }}
                  />
                ))}
              </div>
            ))}
          </div>
          <div className="absolute inset-x-0 bottom-0 flex justify-between">
            {bars
              // the last one is today
              .filter((_, at) => at % gap === 0 && at < days - 1 - gap / 2)
              .map(({ day }, at) => (
                <span key={day} className={at % 2 === 1 ? 'hidden sm:inline' : ''}>
                  {dayWords(day)}
                </span>
              ))}
            <span>Today</span>
          </div>
        </div>
      </div>
      <figcaption>
        <ul aria-label="Colours" className="flex flex-wrap gap-x-4 gap-y-1 text-muted text-sm">
          {named.map((model, at) => (
            <li key={model} className="flex items-center gap-1.5">
              <span aria-hidden className="size-2.5 rounded-xs" style={{ background: `var(--lane-${at})` }} />
              {at === COLOURS - 1 && order.length > COLOURS
                ? 'others'
                : model === 'unknown'
                  ? 'Not said'
                  : modelName(models, model)}
            </li>
          ))}
        </ul>
      </figcaption>
    </figure>
  )
}

const daysFrom = (from: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) =>
    new Date(Date.parse(from) + at * DAY_MS).toISOString().slice(0, 10),
  )

const dayWords = (day: string): string =>
  new Date(day).toLocaleDateString('en', { day: 'numeric', month: 'short', timeZone: 'UTC' })

function wordsOf(lines: UsageReport['days'], measure: 'tokens' | 'cost'): string {
  const total = summed(lines)
  if (total.replies === 0) return 'nothing'
  return measure === 'tokens' ? `${tokensOf(total).toLocaleString('en')} tokens` : costWords(total)
}

/** A number of the scale, short. */
function amount(value: number, measure: 'tokens' | 'cost'): string {
  if (measure === 'cost') return value === 0 ? '$0' : `$${Number(value.toPrecision(2))}`
  return new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }).format(value)
}

/** The next number of the form 1, 2 or 5 times a power of ten. */
function niceTop(value: number): number {
  if (value <= 0) return 0
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5, 10].find((factor) => factor * power >= value) ?? 10) * power
}
