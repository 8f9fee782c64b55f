'use client'

import { Check, ChevronDown } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { cn } from './cn'
import { ListPanel, listButton } from './list-panel'
import { SearchedList, type SearchedListHandle } from './searched-list'

/** A longer list can be searched. */
const searchedFrom = 10

interface Option<Value extends string> {
  value: Value
  label: string
  /** the name that options of one group stand under */
  group?: string
}

interface SelectProps<Value extends string> {
  label: string
  value: Value
  options: readonly Option<Value>[]
  onChange(value: Value): void
  className?: string
}

/** A choice of one of many: a combobox by role, whose list opens below it, on a phone as a sheet. */
export function Select<Value extends string>({
  label,
  value,
  options,
  onChange,
  className,
}: SelectProps<Value>) {
  const [open, setOpen] = useState(false)
  const [wanted, setWanted] = useState('')
  const listId = useId()
  const list = useRef<SearchedListHandle>(null)
  const chosen = options.find((option) => option.value === value)
  const words = wanted.trim().toLowerCase()
  const found = options.filter((option) => option.label.toLowerCase().includes(words))
  const groups = [...new Set(found.map(({ group }) => group))]
  const show = (next: boolean) => {
    setOpen(next)
    setWanted('')
  }
  const trigger = (
    <button
      {...listButton({ label, listId, open, onOpen: () => show(true) })}
      className={cn(
        'select inline-flex min-w-0 items-center gap-1.5 rounded-md border border-line bg-raised px-2 text-ink text-sm',
        'hover:border-line-strong aria-expanded:border-accent',
        className,
      )}
    >
      <bdi className="min-w-0 flex-1 truncate text-left">{chosen?.label}</bdi>
      <ChevronDown size={14} aria-hidden className="shrink-0 text-faint" />
    </button>
  )
  return (
    <ListPanel
      label={label}
      trigger={trigger}
      open={open}
      onOpenChange={show}
      onOpened={() => list.current?.focus()}
      beside={{
        'aria-label': label,
        sideOffset: 4,
        collisionPadding: 8,
        className: 'w-[min(26rem,calc(100vw-1rem))]',
      }}
    >
      {open && (
        <SearchedList
          ref={list}
          label={label}
          listId={listId}
          field={
            options.length > searchedFrom
              ? { label: 'Find one', placeholder: `Find one of ${options.length}` }
              : null
          }
          wanted={wanted}
          onWanted={setWanted}
          names={found.map((option) => [option.label])}
          none="None has these words."
        >
          {groups.map((group) => {
            const rows = found
              .filter((option) => option.group === group)
              .map((option) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled around the list
                <div
                  key={option.value}
                  role="option"
                  tabIndex={-1}
                  aria-selected={option.value === value}
                  onClick={() => {
                    show(false)
                    onChange(option.value)
                  }}
                  className="flex min-h-8 cursor-default select-none items-center gap-2 rounded-md px-2 py-1 text-sm outline-none hover:bg-ink/4 focus:bg-ink/6 touch:min-h-11"
                >
                  <bdi className="min-w-0 flex-1 truncate">{option.label}</bdi>
                  {option.value === value && <Check size={13} aria-hidden className="shrink-0 text-accent" />}
                </div>
              ))
            if (group === undefined) return rows
            return (
              // biome-ignore lint/a11y/useSemanticElements: a fieldset does not stand in a list of options
              <div key={group} role="group" aria-label={group}>
                <p aria-hidden className="px-2 pt-2 pb-1 text-faint text-xs">
                  {group}
                </p>
                {rows}
              </div>
            )
          })}
        </SearchedList>
      )}
    </ListPanel>
  )
}
