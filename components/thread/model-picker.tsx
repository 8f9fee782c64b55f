'use client'

import { ChevronDown } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { deferred } from '@/components/app/deferred'
import { ListPanel, listButton } from '@/components/ui/list-panel'
import type { SearchedListHandle } from '@/components/ui/searched-list'
import { modelName } from './facts'

const ModelList = deferred(() => import('./model-list'))

interface ModelPickerProps {
  model: string
  onChange(model: string): void
  /** media types of the files that the next message holds */
  mustTake?: readonly string[]
}

/** The choice of a model: a combobox by role. Its list is loaded when it opens; on a phone it is a sheet. */
export function ModelPicker({ model, onChange, mustTake = [] }: ModelPickerProps) {
  const { models } = useApp()
  const [open, setOpen] = useState(false)
  const list = useRef<SearchedListHandle>(null)
  const listId = useId()
  const trigger = (
    <button
      {...listButton({ label: 'Model', listId, open, onOpen: () => setOpen(true) })}
      className="inline-flex h-8 min-w-0 items-center gap-1.5 rounded-md px-2 text-muted text-sm transition-colors hover:bg-ink/6 hover:text-ink aria-expanded:bg-ink/6 touch:h-11"
    >
      <span className="min-w-0 truncate">
        {models.find(({ id }) => id === model)?.label ?? modelName(models, model)}
      </span>
      <ChevronDown size={14} aria-hidden className="shrink-0 text-faint" />
    </button>
  )
  return (
    <ListPanel
      label="Model"
      trigger={trigger}
      open={open}
      onOpenChange={setOpen}
      // a list that is still being loaded takes the focus when it is there
      onOpened={() => list.current?.focus()}
      beside={{
        'aria-label': 'Choose a model',
        side: 'top',
        sideOffset: 4,
        collisionPadding: 8,
        className: 'w-[min(26rem,calc(100vw-1rem))]',
      }}
    >
      {open && (
        <ModelList
          ref={list}
          listId={listId}
          model={model}
          mustTake={mustTake}
          onChoose={(id) => {
            setOpen(false)
            onChange(id)
          }}
          onLeave={() => setOpen(false)}
        />
      )}
    </ListPanel>
  )
}
