'use client'

import { useState } from 'react'
import { MarkedWords } from '@/components/app/marked-words'
import { Button } from '@/components/ui/button'
import { Segmented } from '@/components/ui/segmented'
import { diffWords } from '@/lib/graph/diff/diff-words'
import { type Difference, differences, merged, proposed, type Side } from './conflict'
import type { Parts } from './parts'

interface ConflictViewProps {
  base: Parts
  yours: Parts
  theirs: Parts
  saving: boolean
  onSave(parts: Parts): void
  /** gives the own draft up; it can be brought back */
  onTakeTheirs(): void
  onBack(): void
}

/** Two versions of a context side by side: the person keeps one, or chooses for each difference. */
export function ConflictView({
  base,
  yours,
  theirs,
  saving,
  onSave,
  onTakeTheirs,
  onBack,
}: ConflictViewProps) {
  const found = differences(base, yours, theirs)
  const [chosen, setChosen] = useState<ReadonlyMap<string, Side>>(new Map())
  const sideOf = (difference: Difference) => chosen.get(difference.key) ?? proposed(difference)
  return (
    <section aria-label="Two versions" className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-col gap-2 border-line border-b px-4 py-3">
        <h3 className="font-medium">Changed in two places</h3>
        <p className="text-muted text-sm">
          Another tab or device has changed this while you did. Nothing is lost: choose what counts.
        </p>
        <div className="flex flex-wrap gap-2">
          <Button disabled={saving} onClick={() => onSave(yours)}>
            Keep mine
          </Button>
          <Button disabled={saving} onClick={onTakeTheirs}>
            Take theirs
          </Button>
          <Button look="quiet" onClick={onBack}>
            Back to editing
          </Button>
        </div>
      </div>
      <ul aria-label="Differences" className="min-h-0 flex-1 overflow-y-auto">
        {found.map((difference) => (
          <DifferenceRow
            key={difference.key}
            difference={difference}
            side={sideOf(difference)}
            onChoose={(side) => setChosen(new Map(chosen).set(difference.key, side))}
          />
        ))}
      </ul>
      <div className="flex items-center justify-end gap-2 border-line border-t px-4 py-2">
        <Button look="primary" disabled={saving} onClick={() => onSave(merged(found, yours, theirs, sideOf))}>
          Save what is chosen
        </Button>
      </div>
    </section>
  )
}

interface DifferenceRowProps {
  difference: Difference
  side: Side
  onChoose(side: Side): void
}

const changedWords = { yours: 'changed by you', theirs: 'changed there' } as const

function DifferenceRow({ difference, side, onChoose }: DifferenceRowProps) {
  const { title, yours, theirs, changedBy } = difference
  const marks = yours !== null && theirs !== null ? diffWords(theirs, yours) : null
  const ranges = marks?.kind === 'changed' ? marks : null
  return (
    <li aria-label={title} className="border-line border-b px-4 py-3">
      <div className="mb-2 flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-medium text-sm">{title}</span>
        <span className="text-faint text-xs">{changedBy ? changedWords[changedBy] : 'changed in both'}</span>
        <span className="flex-1" />
        <Segmented
          label={`Version of ${title}`}
          value={side}
          options={[
            { value: 'yours', label: 'Mine' },
            { value: 'theirs', label: 'Theirs' },
          ]}
          onChange={onChoose}
        />
      </div>
      <div className="grid gap-2 sm:grid-cols-2">
        <Version title="Mine" words={yours} isChosen={side === 'yours'}>
          {ranges && yours !== null && <MarkedWords text={yours} tag="ins" ranges={ranges.right} />}
        </Version>
        <Version title="Theirs" words={theirs} isChosen={side === 'theirs'}>
          {ranges && theirs !== null && <MarkedWords text={theirs} tag="del" ranges={ranges.left} />}
        </Version>
      </div>
    </li>
  )
}

interface VersionProps {
  title: string
  /** null where the side has not got it */
  words: string | null
  isChosen: boolean
  children: React.ReactNode
}

function Version({ title, words, isChosen, children }: VersionProps) {
  return (
    <figure
      aria-label={title}
      className={`min-w-0 rounded-md border px-2.5 py-2 ${isChosen ? 'border-accent' : 'border-line text-muted'}`}
    >
      <figcaption className="text-faint text-xs">{title}</figcaption>
      {words === null ? (
        <p className="text-faint text-sm">Not there</p>
      ) : (
        <div
          dir="auto"
          className="max-h-40 overflow-y-auto whitespace-pre-wrap text-sm [--side:var(--accent)] [overflow-wrap:anywhere]"
        >
          {children || words || <span className="text-faint">Empty</span>}
        </div>
      )}
    </figure>
  )
}
