import { useApp } from '@/components/app/app-context'
import { modelName } from '@/components/thread/facts'
import type { UsageReport } from '@/lib/protocol'
import { costWords, summed, tokensOf } from './usage-sums'

/** As many models have a colour of their own; the others share the last one. */
const COLOURS = 6
const DAY_MS = 24 * 3_600_000

const WIDTH = 840
const HEIGHT = 200
/** Where the bars begin: the numbers of the scale stand before them. */
const LEFT = 52
const BOTTOM = 24

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
      return [{ model, height, top: base, colour: Math.min(at, COLOURS - 1) }]
    })
    return { day, parts, total: base, words: wordsOf(lines, measure) }
  })
  const most = Math.max(...bars.map(({ total }) => total))
  const top = niceTop(most)
  const scale = (value: number) => (top === 0 ? 0 : (value / top) * (HEIGHT - BOTTOM - 8))
  const step = (WIDTH - LEFT) / days
  const named = order.slice(0, COLOURS)
  return (
    <figure className="flex flex-col gap-3">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`${measure === 'tokens' ? 'Tokens' : 'Cost'} of each day, from ${dayWords(report.from)} to today; the most on one day is ${amount(most, measure)}`}
        className="h-auto w-full text-faint"
      >
        {[0, 0.5, 1].map((share) => {
          const y = HEIGHT - BOTTOM - scale(top * share)
          return (
            <g key={share}>
              <line x1={LEFT} x2={WIDTH} y1={y} y2={y} stroke="var(--line)" />
              <text x={LEFT - 8} y={y + 4} textAnchor="end" fontSize={12} fill="currentColor">
                {amount(top * share, measure)}
              </text>
            </g>
          )
        })}
        {bars.map(({ day, parts, words }, at) => (
          <g key={day}>
            <title>{`${dayWords(day)}: ${words}`}</title>
            {/* the whole column answers the pointer */}
            <rect x={LEFT + at * step} y={0} width={step} height={HEIGHT - BOTTOM} fill="transparent" />
            {parts.map(({ model, height, top: upTo, colour }) => (
              <rect
                key={model}
                x={LEFT + at * step + step * 0.15}
                y={HEIGHT - BOTTOM - scale(upTo)}
                width={step * 0.7}
                height={Math.max(scale(height), 0.75)}
                fill={`var(--lane-${colour})`}
              />
            ))}
            {at % Math.ceil(days / 6) === 0 && (
              <text
                x={LEFT + at * step + step / 2}
                y={HEIGHT - 6}
                textAnchor={at === 0 ? 'start' : 'middle'}
                fontSize={12}
                fill="currentColor"
              >
                {dayWords(day)}
              </text>
            )}
          </g>
        ))}
      </svg>
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
