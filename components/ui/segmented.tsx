'use client'

import { RadioGroup } from 'radix-ui'
import { cn } from './cn'

interface SegmentedProps<Value extends string> {
  label: string
  value: Value
  options: readonly { value: Value; label: string }[]
  onChange(value: NoInfer<Value>): void
  className?: string
}

/** A choice of two or three, all visible: radio buttons with arrow keys. */
export function Segmented<Value extends string>({
  label,
  value,
  options,
  onChange,
  className,
}: SegmentedProps<Value>) {
  return (
    <RadioGroup.Root
      aria-label={label}
      orientation="horizontal"
      value={value}
      onValueChange={(next) => onChange(next as Value)}
      className={cn('inline-flex min-w-0 rounded-md border border-line p-0.5', className)}
    >
      {options.map((option) => (
        <RadioGroup.Item
          key={option.value}
          value={option.value}
          className={cn(
            'h-6 min-w-0 truncate rounded px-2 text-muted text-xs transition-colors touch:h-11',
            'hover:text-ink aria-checked:bg-ink/10 aria-checked:text-ink',
          )}
        >
          {option.label}
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  )
}
