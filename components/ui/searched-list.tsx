'use client'

import { type KeyboardEvent, type ReactNode, type Ref, useEffect, useImperativeHandle, useRef } from 'react'

/** Moves the focus to the field of a long list, else to the chosen option. */
export interface SearchedListHandle {
  focus(): void
}

interface SearchedListProps {
  ref: Ref<SearchedListHandle>
  label: string
  listId: string
  /** the field that finds an option in a long list */
  field: { label: string; placeholder: string } | null
  wanted: string
  onWanted(words: string): void
  /** names of each option, in order: in a list without a field a letter leads to the next that begins with it */
  names: readonly (readonly string[])[]
  /** said where no option has the words */
  none: string
  /** elements of the role `option` */
  children: ReactNode
  /** stands below the list */
  foot?: ReactNode
}

/** The list that opens beside a button, with the keys of a list and of the field above it. It has the focus when it appears. */
export function SearchedList({ ref, label, listId, field, names, ...props }: SearchedListProps) {
  const { wanted, onWanted, none, children, foot } = props
  const box = useRef<HTMLDivElement>(null)
  useImperativeHandle(ref, () => ({ focus: () => box.current && focusFirst(box.current) }), [])
  useEffect(() => {
    if (box.current) focusFirst(box.current)
  }, [])

  const press = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    const options = optionsIn(event.currentTarget)
    const input = event.currentTarget.querySelector('input')
    const at = options.indexOf(document.activeElement as HTMLElement)
    const isField = input !== null && document.activeElement === input
    if (at < 0 && !isField) return
    if (event.key === 'Enter' || (event.key === ' ' && !isField)) {
      event.preventDefault()
      // in a field without words Enter keeps the choice
      const kept = options.find((option) => option.ariaSelected === 'true')
      const first = wanted.trim() === '' ? (kept ?? options[0]) : options[0]
      ;(at < 0 ? first : options[at])?.click()
      return
    }
    const to = {
      ArrowDown: options[Math.min(at + 1, options.length - 1)],
      ArrowUp: at > 0 ? options[at - 1] : (input ?? undefined),
      Home: isField ? undefined : options[0],
      End: isField ? undefined : options.at(-1),
    }[event.key]
    if (to) {
      event.preventDefault()
      to.focus()
    } else if (!isField && event.key.length === 1) {
      const next = input ?? options[nextNamed(event.key, at)]
      next?.focus()
    }
  }

  /** The place of the next option after one whose name begins with a letter; -1 without one. */
  const nextNamed = (key: string, at: number): number => {
    const order = [...names.keys()].map((step) => (at + 1 + step) % names.length)
    const begins = (name: string) => name.toLowerCase().startsWith(key.toLowerCase())
    return order.find((place) => names[place]?.some(begins)) ?? -1
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the field and of the list
    <div ref={box} onKeyDown={press} className="flex min-h-0 flex-1 flex-col">
      {field && (
        <input
          type="search"
          aria-label={field.label}
          aria-controls={listId}
          dir="auto"
          autoComplete="off"
          placeholder={field.placeholder}
          value={wanted}
          onChange={(event) => onWanted(event.target.value)}
          className="h-10 shrink-0 border-line border-b bg-transparent px-3 text-sm outline-none touch:h-12 touch:text-base"
        />
      )}
      <div
        id={listId}
        role="listbox"
        aria-label={label}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-1"
      >
        {children}
      </div>
      {names.length === 0 && (
        <p role="status" className="px-3 pb-3 text-muted text-sm">
          {none}
        </p>
      )}
      {foot}
    </div>
  )
}

const optionsIn = (box: HTMLElement) => [...box.querySelectorAll<HTMLElement>('[role=option]')]

function focusFirst(box: HTMLElement) {
  const options = optionsIn(box)
  const chosen = options.find((option) => option.ariaSelected === 'true') ?? options[0]
  chosen?.scrollIntoView({ block: 'nearest' })
  const field = box.querySelector('input')
  // on a phone the keyboard would cover the list
  const typed = matchMedia('(pointer: fine)').matches ? field : null
  const target = typed ?? chosen
  target?.focus({ preventScroll: true })
}
