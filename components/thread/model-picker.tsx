'use client'

import { ChevronDown } from 'lucide-react'
import { lazy, Suspense, useId, useRef, useState } from 'react'
import { useApp } from '@/components/app/app-context'

const ModelList = lazy(() => import('./model-list'))

interface ModelPickerProps {
  model: string
  onChange(model: string): void
}

/** The choice of a model: a combobox by role. Its list is loaded when it opens. */
export function ModelPicker({ model, onChange }: ModelPickerProps) {
  const { models } = useApp()
  const [open, setOpen] = useState(false)
  // it stays for the time of its closing
  const [loaded, setLoaded] = useState(false)
  const trigger = useRef<HTMLButtonElement>(null)
  const listId = useId()
  const show = () => {
    setLoaded(true)
    setOpen(true)
  }
  return (
    <>
      <button
        ref={trigger}
        type="button"
        role="combobox"
        aria-label="Model"
        aria-haspopup="listbox"
        aria-expanded={open}
        aria-controls={open ? listId : undefined}
        onClick={() => (open ? setOpen(false) : show())}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          show()
        }}
        className="inline-flex h-8 min-w-0 items-center gap-1.5 rounded-md px-2 text-muted text-sm transition-colors hover:bg-ink/6 hover:text-ink aria-expanded:bg-ink/6 touch:h-10"
      >
        <span className="min-w-0 truncate">{models.find(({ id }) => id === model)?.label ?? model}</span>
        <ChevronDown size={14} aria-hidden className="shrink-0 text-faint" />
      </button>
      {loaded && (
        <Suspense>
          <ModelList
            {...{ open, trigger, listId, model }}
            onChoose={(id) => {
              setOpen(false)
              onChange(id)
            }}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}
