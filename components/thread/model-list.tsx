'use client'

import { Check, KeyRound, Star } from 'lucide-react'
import Link from 'next/link'
import { type KeyboardEvent, type Ref, useEffect, useId, useImperativeHandle, useRef, useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { modelSettingsPath } from '@/components/app/paths'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { focusFirst, optionsIn } from '@/components/ui/list-options'
import { useStored } from '@/components/ui/stored-value'
import type { OfferedModel } from '@/lib/protocol'
import { typeWords } from '@/lib/protocol/file-types'
import { groupModels, priceWords, readFavourites, refusedType, takesWords } from './model-words'

/** A longer list can be searched. */
const searchedFrom = 5

/** Moves the focus to the field of a long list, else to the chosen model. */
export interface ModelListHandle {
  focus(): void
}

interface ModelListProps {
  ref: Ref<ModelListHandle>
  listId: string
  /** the chosen one */
  model: string
  /** media types that it must take: a model that does not is shown, and cannot be chosen */
  mustTake: readonly string[]
  onChoose(model: string): void
  /** the page is left for another */
  onLeave(): void
}

/** The models to choose from, with what each costs and takes. */
export default function ModelList({
  ref,
  listId,
  model: chosen,
  mustTake,
  onChoose,
  onLeave,
}: ModelListProps) {
  const box = useRef<HTMLDivElement>(null)
  useImperativeHandle(ref, () => ({ focus: () => focusFirst(box) }), [])
  useEffect(() => focusFirst(box), [])
  const { models, viewer } = useApp()
  const [wanted, setWanted] = useState('')
  // guests of one browser are one person
  const [stored, store] = useStored(
    `ramify-favourites:${viewer && !viewer.guest ? viewer.id : 'guest'}`,
    '[]',
  )
  const favourites = readFavourites(stored)
  const [active, setActive] = useState(chosen)
  const about = models.find(({ id }) => id === active) ?? models.find(({ id }) => id === chosen)
  const groups = groupModels(models, wanted, favourites)
  const toggle = (id: string) => {
    const kept = favourites.filter((other) => other !== id)
    store(JSON.stringify(kept.length < favourites.length ? kept : [...favourites, id]))
  }

  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    const options = optionsIn(box)
    const at = options.indexOf(document.activeElement as HTMLElement)
    const field = box.current?.querySelector('input')
    const isField = document.activeElement === field && !!field
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
      ArrowUp: at > 0 ? options[at - 1] : (field ?? undefined),
      Home: isField ? undefined : options[0],
      End: isField ? undefined : options.at(-1),
    }[event.key]
    if (to) {
      event.preventDefault()
      to.focus()
    } else if (!isField && event.key.length === 1) field?.focus()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the field and of the list
    <div ref={box} onKeyDown={press} className="flex min-h-0 flex-1 flex-col">
      {models.length > searchedFrom && (
        <input
          type="search"
          aria-label="Find a model"
          aria-controls={listId}
          dir="auto"
          autoComplete="off"
          placeholder={`Find one of ${models.length} models`}
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
          className="h-10 shrink-0 border-line border-b bg-transparent px-3 text-sm outline-none touch:h-12 touch:text-base"
        />
      )}
      <div
        id={listId}
        role="listbox"
        aria-label="Model"
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-1"
      >
        {groups.map(({ name, models: found }) => (
          <Group key={name} name={name}>
            {found.map((model) => (
              <Option
                key={model.id}
                model={model}
                isChosen={model.id === chosen}
                isFavourite={favourites.includes(model.id)}
                cannot={refusedType(model, mustTake)}
                onChoose={onChoose}
                onFocus={setActive}
                onFavourite={toggle}
              />
            ))}
          </Group>
        ))}
      </div>
      {groups.length === 0 && (
        <p role="status" className="px-3 pb-3 text-muted text-sm">
          No model has these words.
        </p>
      )}
      <div className="flex shrink-0 flex-wrap items-center justify-between gap-x-2 border-line border-t p-1">
        {about && (
          <Button
            look="quiet"
            size="sm"
            className="min-w-0 touch:h-11"
            aria-pressed={favourites.includes(about.id)}
            aria-label={`Favourite: ${about.label}`}
            onClick={() => toggle(about.id)}
          >
            <Star size={14} aria-hidden fill={favourites.includes(about.id) ? 'currentColor' : 'none'} />
            Favourite
          </Button>
        )}
        <Link
          href={modelSettingsPath}
          onClick={onLeave}
          className="inline-flex h-7 items-center gap-1.5 rounded-md px-2 font-medium text-muted text-sm transition-colors hover:bg-ink/6 hover:text-ink touch:h-11"
        >
          <KeyRound size={14} aria-hidden />
          Add a key
        </Link>
        <p className="w-full px-2 pb-1 text-faint text-xs">Prices are for a million tokens.</p>
      </div>
    </div>
  )
}

function Group({ name, children }: { name: string; children: React.ReactNode }) {
  const id = useId()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is no group of options
    <div role="group" aria-labelledby={id}>
      <p id={id} className="px-2 pt-2 pb-1 text-faint text-xs">
        {name}
      </p>
      {children}
    </div>
  )
}

interface OptionProps {
  model: OfferedModel
  isChosen: boolean
  isFavourite: boolean
  /** what it does not take of what is attached */
  cannot: string | undefined
  onChoose(id: string): void
  onFocus(id: string): void
  onFavourite(id: string): void
}

function Option({ model, isChosen, isFavourite, cannot, onChoose, onFocus, onFavourite }: OptionProps) {
  const takes = takesWords(model)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled around the list
    <div
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      data-model={model.id}
      aria-disabled={cannot !== undefined}
      onClick={() => cannot === undefined && onChoose(model.id)}
      onFocus={() => onFocus(model.id)}
      className="group flex min-h-11 cursor-default select-none items-center gap-2 rounded-md px-2 py-1 outline-none hover:bg-ink/4 focus:bg-ink/6"
    >
      <span className="grid w-4 shrink-0 place-items-center">
        {isChosen && <Check size={14} aria-hidden className="text-accent" />}
      </span>
      <span className="min-w-0 flex-1">
        <span dir="auto" className={cn('block truncate text-sm', cannot && 'text-faint')}>
          {model.label}
        </span>
        <span className="block truncate text-muted text-xs">
          {cannot
            ? `Does not take ${typeWords(cannot)}`
            : [priceWords(model), takes].filter(Boolean).join(' · ')}
        </span>
      </span>
      {/* for a pointer; keys and screen readers have the button below the list */}
      <span
        aria-hidden
        data-favourite={isFavourite}
        title={isFavourite ? 'Remove from favourites' : 'Add to favourites'}
        onClick={(event) => {
          event.stopPropagation()
          onFavourite(model.id)
        }}
        className={cn(
          'grid size-7 shrink-0 place-items-center rounded-md text-faint hover:bg-ink/6 hover:text-ink touch:size-10',
          !isFavourite && 'opacity-0 group-hover:opacity-100 group-focus:opacity-100 touch:opacity-100',
        )}
      >
        <Star size={14} fill={isFavourite ? 'currentColor' : 'none'} />
      </span>
    </div>
  )
}
