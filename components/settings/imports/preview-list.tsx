'use client'

import { type KeyboardEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { counted } from '@/lib/events/counted'
import { type ImportPreview, type PreviewedChat, sizeWords } from '@/lib/protocol'

/** A file, and the chats of it that are shown. */
export interface ShownFile {
  preview: ImportPreview
  chats: readonly PreviewedChat[]
}

interface PreviewListProps {
  files: readonly ShownFile[]
  isChosen(place: number, id: string): boolean
  onChoose(place: number, ids: readonly string[], isChosen: boolean): void
  /** all chats that are shown */
  onChooseAll(isChosen: boolean): void
}

/** Chats that are drawn at first, and more with each wish. */
const PAGE = 100

const box = 'size-4 shrink-0 accent-accent touch:size-5'

/** Chats to choose from. The arrow keys go from one to the next; Tab leaves the list. */
export function PreviewList({ files, isChosen, onChoose, onChooseAll }: PreviewListProps) {
  const [most, setMost] = useState(PAGE)
  const [at, setAt] = useState(0)
  const rows = files.flatMap(({ chats }, place) => chats.map((chat) => ({ place, chat })))
  const count = rows.filter(({ place, chat }) => isChosen(place, chat.id)).length
  const whole = files.reduce((sum, { preview }) => sum + preview.chats.length, 0)
  const isFiltered = rows.length < whole
  if (rows.length === 0) return <p className="text-muted">No chat fits.</p>
  return (
    <fieldset>
      <legend className="sr-only">Chats to import</legend>
      <label className="flex items-center gap-3 border-line border-b py-2 font-medium touch:py-3">
        <input
          type="checkbox"
          className={box}
          checked={count === rows.length}
          ref={(input) => {
            if (input) input.indeterminate = count > 0 && count < rows.length
          }}
          onChange={({ target }) => onChooseAll(target.checked)}
        />
        {isFiltered
          ? `All ${rows.length.toLocaleString('en')} that are shown`
          : `All ${rows.length.toLocaleString('en')}`}
        <span className="ml-auto font-normal text-muted text-sm tabular-nums">
          {count.toLocaleString('en')} chosen
        </span>
      </label>
      <ul onKeyDown={moveFocus}>
        {rows.slice(0, most).map(({ place, chat }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a file may hold a chat twice
          <li key={index} className="border-line border-b">
            <label className="flex items-start gap-3 py-2 touch:py-3">
              <input
                type="checkbox"
                className={`${box} mt-0.5`}
                tabIndex={index === at ? 0 : -1}
                onFocus={() => setAt(index)}
                checked={isChosen(place, chat.id)}
                onChange={({ target }) => onChoose(place, [chat.id], target.checked)}
              />
              <span className="min-w-0 flex-1">
                <bdi className="block truncate">{chat.title}</bdi>
                <span className="block text-muted text-sm">{factsOf(chat)}</span>
              </span>
              {chat.standing !== 'new' && (
                <span className="shrink-0 text-muted text-sm">{standings[chat.standing]}</span>
              )}
            </label>
          </li>
        ))}
      </ul>
      {rows.length > most && (
        <Button look="quiet" className="mt-2" onClick={() => setMost(most + PAGE)}>
          Show {Math.min(PAGE, rows.length - most)} more of {rows.length.toLocaleString('en')}
        </Button>
      )}
    </fieldset>
  )
}

const standings = { here: 'Here already', changed: 'Has more' } as const

const factsOf = ({ messages, branches, from, to, size }: PreviewedChat): string =>
  [
    datesOf(from, to),
    counted(messages, 'message'),
    branches > 1 && counted(branches, 'branch', 'branches'),
    sizeWords(size),
  ]
    .filter(Boolean)
    .join(' · ')

const dayOf = (time: string) =>
  new Date(time).toLocaleDateString('en', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })

function datesOf(from: string | null, to: string | null): string | null {
  if (from === null || to === null) return null
  const [first, last] = [dayOf(from), dayOf(to)]
  return first === last ? first : `${first} – ${last}`
}

function moveFocus(event: KeyboardEvent<HTMLUListElement>) {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0) return
  event.preventDefault()
  const boxes = [...event.currentTarget.querySelectorAll('input')]
  boxes[boxes.indexOf(event.target as HTMLInputElement) + step]?.focus()
}
