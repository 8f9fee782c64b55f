'use client'

import { Check, KeyRound, Star } from 'lucide-react'
import Link from 'next/link'
import { type Ref, useId, useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { modelSettingsPath } from '@/components/app/paths'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { SearchedList, type SearchedListHandle } from '@/components/ui/searched-list'
import { storedTexts, useStored } from '@/components/ui/stored-value'
import type { OfferedModel } from '@/lib/protocol'
import { typeWords } from '@/lib/protocol/file-types'
import { groupModels, priceWords, refusedType, takesWords } from './model-words'

/** A longer list can be searched. */
const searchedFrom = 5

interface ModelListProps {
  ref: Ref<SearchedListHandle>
  listId: string
  /** the chosen one */
  model: string
  /** media types that it must take: a model that does not is shown, and cannot be chosen */
  mustTake: readonly string[]
  onChoose(model: string): void
  /** the page is left for another */
  onLeave(): void
}

/** The models to choose from, with their prices and inputs. */
export default function ModelList({
  ref,
  listId,
  model: chosen,
  mustTake,
  onChoose,
  onLeave,
}: ModelListProps) {
  const { models, viewer } = useApp()
  const [wanted, setWanted] = useState('')
  // guests of one browser are one person
  const [stored, store] = useStored(
    `ramify-favourites:${viewer && !viewer.guest ? viewer.id : 'guest'}`,
    '[]',
  )
  const favourites = storedTexts(stored)
  const [active, setActive] = useState(chosen)
  const about = models.find(({ id }) => id === active) ?? models.find(({ id }) => id === chosen)
  const groups = groupModels(models, wanted, favourites)
  const toggle = (id: string) => {
    const kept = favourites.filter((other) => other !== id)
    store(JSON.stringify(kept.length < favourites.length ? kept : [...favourites, id]))
  }

  const field = { label: 'Find a model', placeholder: `Find one of ${models.length} models` }
  return (
    <SearchedList
      ref={ref}
      listId={listId}
      wanted={wanted}
      label="Model"
      field={models.length > searchedFrom ? field : null}
      onWanted={setWanted}
      names={groups.flatMap(({ models: found }) => found.map(({ label }) => [label]))}
      none="No model has these words."
      foot={
        <div className="flex shrink-0 flex-wrap items-center justify-between gap-x-2 border-line border-t p-1">
          {about && (
            <Button
              look="quiet"
              size="sm"
              className="min-w-0"
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
      }
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
    </SearchedList>
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
  /** the attachments that it does not take */
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
          'grid size-7 shrink-0 place-items-center rounded-md text-faint hover:bg-ink/6 hover:text-ink touch:size-11',
          !isFavourite && 'opacity-0 group-hover:opacity-100 group-focus:opacity-100 touch:opacity-100',
        )}
      >
        <Star size={14} fill={isFavourite ? 'currentColor' : 'none'} />
      </span>
    </div>
  )
}
