import type { ReactNode } from 'react'
import type { Problem } from '@/lib/protocol'
import { Button } from '../ui/button'
import { Kbd } from '../ui/kbd'
import { Skeleton } from '../ui/skeleton'

interface NothingProps {
  words: string
  state: 'waiting' | 'partial' | 'answered'
  narrowed: boolean
  /** the visitor has not written anything yet */
  isNew: boolean
  onWiden(): void
}

/** Why there is no list: no words, no hits, or no answer yet. */
export function Nothing({ words, state, narrowed, isNew, onWiden }: NothingProps) {
  if (words === '')
    return <Sentence>Words, or the beginnings of words. Every branch of every chat is searched.</Sentence>
  if (isNew) return <Sentence>Nothing has been said here yet.</Sentence>
  if (state !== 'answered') return <SearchSkeleton />
  return (
    <Sentence>
      <span>
        No message says <bdi className="font-medium text-ink">{words}</bdi>
        {narrowed && ' here'}.
      </span>
      {narrowed && (
        <Button size="sm" onClick={onWiden}>
          Search everything
        </Button>
      )}
    </Sentence>
  )
}

export function Failed({ problem, onAgain }: { problem: Problem; onAgain(): void }) {
  const isOffline = problem.code === 'offline'
  return (
    <div role="alert">
      <Sentence>
        <span>{isOffline ? 'The server could not be reached.' : problem.detail}</span>
        <Button size="sm" onClick={onAgain}>
          Try again
        </Button>
      </Sentence>
    </div>
  )
}

function Sentence({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-3 px-6 py-10 text-center text-muted [overflow-wrap:anywhere]">
      {children}
    </div>
  )
}

const keys = [
  ['choose', '↑', '↓'],
  ['open', 'Enter'],
  ['close', 'Esc'],
]

/** Meaning of each key, on a device with keys. */
export function Keys() {
  return (
    <div
      aria-hidden
      className="flex shrink-0 gap-4 border-line border-t px-4 py-2 text-faint text-xs max-sm:hidden touch:hidden"
    >
      {keys.map(([does, ...names]) => (
        <span key={does} className="flex items-center gap-1">
          {names.map((name) => (
            <Kbd key={name}>{name}</Kbd>
          ))}{' '}
          {does}
        </span>
      ))}
    </div>
  )
}

const widths = ['w-11/12', 'w-4/5', 'w-3/5']

/** Hits that are on their way, in their shape. */
function SearchSkeleton() {
  return (
    <div role="status" aria-label="Searching" className="flex flex-col gap-4 p-4">
      <Skeleton className="h-3 w-28" />
      {widths.map((width) => (
        <div key={width} className="flex gap-3">
          <Skeleton className="mt-1 size-2 shrink-0 rounded-full" />
          <div className="flex flex-1 flex-col gap-2">
            <Skeleton className={`h-4 ${width}`} />
            <Skeleton className="h-3 w-40" />
          </div>
        </div>
      ))}
    </div>
  )
}
