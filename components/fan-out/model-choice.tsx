'use client'

import { Minus, Plus } from 'lucide-react'
import { useId } from 'react'
import { priceWords } from '@/components/thread/model-words'
import { IconButton } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import type { OfferedModel } from '@/lib/protocol'
import { typeWords } from '@/lib/protocol/file-types'
import type { Counts } from './choices'

interface ModelChoiceProps {
  models: readonly OfferedModel[]
  counts: Counts
  /** a media type of the message's files that a model does not take */
  cannot(model: OfferedModel): string | undefined
  /** no reply more can be asked for */
  full: boolean
  onChange(id: string, by: 1 | -1): void
}

/** Number of replies of each model. */
export const ModelChoice = ({ models, counts, cannot, full, onChange }: ModelChoiceProps) => (
  <ul aria-label="Models" className="mt-2 min-h-0 flex-1 overflow-y-auto overscroll-contain px-3">
    {models.map((model) => (
      <ModelRow
        key={model.id}
        model={model}
        full={full}
        count={counts[model.id] ?? 0}
        cannot={cannot(model)}
        onChange={(by) => onChange(model.id, by)}
      />
    ))}
  </ul>
)

interface ModelRowProps {
  model: OfferedModel
  count: number
  /** a media type of the message's files that it does not take */
  cannot: string | undefined
  full: boolean
  onChange(by: 1 | -1): void
}

function ModelRow({ model, count, cannot, full, onChange }: ModelRowProps) {
  const name = useId()
  return (
    <li>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is no flex container everywhere */}
      <div
        role="group"
        aria-labelledby={name}
        data-model={model.id}
        className="flex min-h-12 items-center gap-2 rounded-md px-2"
      >
        <span className="min-w-0 flex-1">
          <span id={name} dir="auto" className={cn('block truncate text-sm', count > 0 && 'font-medium')}>
            {model.label}
          </span>
          <span className="block truncate text-muted text-xs">
            {cannot ? `Does not take ${typeWords(cannot)}` : priceWords(model)}
          </span>
        </span>
        <IconButton
          label={`One reply fewer by ${model.label}`}
          Icon={Minus}
          size="tool"
          disabled={count === 0}
          onClick={() => onChange(-1)}
        />
        <output className={cn('w-5 text-center text-sm tabular-nums', count === 0 && 'text-faint')}>
          {count}
        </output>
        <IconButton
          label={`One reply more by ${model.label}`}
          Icon={Plus}
          size="tool"
          disabled={full || cannot !== undefined}
          onClick={() => onChange(1)}
        />
      </div>
    </li>
  )
}
