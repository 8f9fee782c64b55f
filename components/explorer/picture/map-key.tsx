import type { ReactNode } from 'react'
import { cn } from '@/components/ui/cn'

/** The signs of map and outline, and what each stands for. */
export const mapKey = [
  { sign: 'person', words: 'You' },
  { sign: 'assistant', words: 'Assistant' },
  { sign: 'here', words: 'Where you are' },
  { sign: 'merge', words: 'Merged from another branch' },
  { sign: 'begins', words: 'Another branch goes on' },
] as const

type Sign = (typeof mapKey)[number]['sign']

const signs: Record<Sign, ReactNode> = {
  person: <rect x={4} y={4} width={8} height={8} rx={2} strokeWidth={2} />,
  assistant: <circle cx={8} cy={8} r={5} className="fill-muted" stroke="none" />,
  here: <circle cx={8} cy={8} r={6} strokeWidth={2} className="stroke-accent" />,
  merge: <path d="M0 8H16" strokeWidth={1.5} strokeDasharray="4 3" />,
  begins: <path d="M0 8H16M8 2V14" strokeWidth={1.5} />,
}

/** The authors of messages by their signs, in one quiet line. */
export const AuthorKey = ({ className }: { className: string }) => (
  <p
    aria-hidden
    className={cn('pointer-events-none absolute flex items-center gap-1 text-faint text-xs', className)}
  >
    {mapKey.slice(0, 2).map(({ sign, words }) => (
      <span key={sign} className="mr-2 flex items-center gap-1">
        <svg aria-hidden="true" width={16} height={16} fill="none" className="scale-75 stroke-muted">
          {signs[sign]}
        </svg>
        {words}
      </span>
    ))}
  </p>
)

/** The signs in words, at the end of a menu. A screen reader hears them in the names of the items that bear them. */
export const MapKey = () => (
  <div
    aria-hidden
    className="grid grid-cols-[1.25rem_1fr] items-center gap-y-1 px-2 py-1.5 text-muted text-xs"
  >
    {mapKey.map(({ sign, words }) => (
      <div key={sign} className="contents">
        <svg aria-hidden="true" width={16} height={16} fill="none" className="stroke-muted">
          {signs[sign]}
        </svg>
        <span>{words}</span>
      </div>
    ))}
  </div>
)
