'use client'

import type { LucideIcon } from 'lucide-react'
import { RadioGroup } from 'radix-ui'
import { cn } from './cn'
import { Hint } from './hint'

interface SegmentedProps<Value extends string> {
  label: string
  value: Value
  /** an icon stands in place of its label */
  options: readonly { value: Value; label: string; Icon?: LucideIcon }[]
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
      {options.map((option) => {
        const { Icon } = option
        const item = (
          <RadioGroup.Item
            key={option.value}
            value={option.value}
            aria-label={Icon && option.label}
            className={cn(
              'rounded transition-colors hover:text-ink aria-checked:bg-ink/10 aria-checked:text-ink',
              Icon
                ? 'flex size-6 items-center justify-center text-faint touch:size-11'
                : 'h-6 min-w-0 truncate px-2 text-muted text-xs touch:h-11 touch:min-w-11',
            )}
          >
            {Icon ? <Icon size={14} aria-hidden /> : option.label}
          </RadioGroup.Item>
        )
        if (!Icon) return item
        return (
          <Hint key={option.value} text={option.label} side="top">
            {item}
          </Hint>
        )
      })}
    </RadioGroup.Root>
  )
}
