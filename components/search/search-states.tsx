import type { ReactNode } from 'react'
import type { Problem } from '@/lib/protocol'
import { Button } from '../ui/button'
import { Kbd } from '../ui/kbd'
import { SearchSkeleton } from './search-skeleton'

interface NothingProps {
  words: string
  state: 'waiting' | 'partial' | 'answered'
  narrowed: boolean
  /** nobody is signed in, so nothing was ever said */
  nobody: boolean
  onWiden(): void
}

/** Why there is no list: nothing to look for yet, nothing found, or not found yet. */
export function Nothing({ words, state, narrowed, nobody, onWiden }: NothingProps) {
  if (words === '')
    return <Sentence>Words, or the beginnings of words. Every branch of every chat is searched.</Sentence>
  if (nobody) return <Sentence>Nothing has been said here yet.</Sentence>
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

/** What the keys do, where there are keys. */
export function Keys({ shown }: { shown: boolean }) {
  if (!shown) return null
  return (
    <div
      aria-hidden
      className="flex shrink-0 gap-4 border-line border-t px-4 py-2 text-faint text-xs max-sm:hidden touch:hidden"
    >
      <span className="flex items-center gap-1">
        <Kbd>↑</Kbd>
        <Kbd>↓</Kbd> choose
      </span>
      <span className="flex items-center gap-1">
        <Kbd>Enter</Kbd> open
      </span>
      <span className="flex items-center gap-1">
        <Kbd>Esc</Kbd> close
      </span>
    </div>
  )
}
