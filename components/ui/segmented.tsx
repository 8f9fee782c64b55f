'use client'

import { ToggleGroup } from 'radix-ui'
import { cn } from './cn'

interface SegmentedProps<Value extends string> {
  label: string
  value: Value
  options: readonly { value: Value; label: string }[]
  onChange(value: NoInfer<Value>): void
  className?: string
}

/** One of two or three, all in sight: radio buttons by role, arrows go from one to the next. */
export function Segmented<Value extends string>({
  label,
  value,
  options,
  onChange,
  className,
}: SegmentedProps<Value>) {
  return (
    <ToggleGroup.Root
      type="single"
      role="radiogroup"
      aria-label={label}
      value={value}
      // the one that is chosen stays chosen
      onValueChange={(next) => next !== '' && onChange(next as Value)}
      className={cn('inline-flex min-w-0 rounded-md bg-ink/5 p-0.5', className)}
    >
      {options.map((option) => (
        <ToggleGroup.Item
          key={option.value}
          value={option.value}
          className={cn(
            'h-6 min-w-0 truncate rounded-[5px] px-2 text-muted text-xs transition-colors touch:h-8',
            'hover:text-ink data-[state=on]:bg-raised data-[state=on]:text-ink data-[state=on]:shadow-xs',
          )}
        >
          {option.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  )
}
