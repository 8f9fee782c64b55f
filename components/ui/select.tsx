'use client'

import { Check, ChevronDown } from 'lucide-react'
import { Select as Radix } from 'radix-ui'
import { type ReactNode, useState } from 'react'
import { cn } from './cn'

interface SelectOption {
  value: string
  /** the option's name, to the eye and to a screen reader */
  label: string
  /** a quiet remark after the label, not part of the name */
  note?: string
}

interface SelectProps {
  label: string
  value: string
  options: SelectOption[]
  onChange(value: string): void
  side?: 'top' | 'bottom'
  /** before the chosen option */
  icon?: ReactNode
  className?: string
}

/** A choice from a list: a combobox by role, with type-ahead once it is open. */
export function Select({ label, value, options, onChange, side = 'bottom', icon, className }: SelectProps) {
  const [open, setOpen] = useState(false)
  const chosen = options.find((option) => option.value === value)
  return (
    <Radix.Root value={value} onValueChange={onChange} open={open} onOpenChange={setOpen}>
      <Radix.Trigger
        aria-label={label}
        className={cn(
          'inline-flex h-8 min-w-0 items-center gap-1.5 rounded-md px-2 text-muted text-sm transition-colors touch:h-10',
          'hover:bg-ink/6 hover:text-ink data-[state=open]:bg-ink/6',
          className,
        )}
      >
        {icon}
        <span className="min-w-0 truncate">
          <Radix.Value placeholder={label}>{chosen?.label ?? label}</Radix.Value>
        </span>
        <ChevronDown size={14} aria-hidden className="shrink-0 text-faint" />
      </Radix.Trigger>
      {/* rendered while open only: hundreds of options would slow down every change of the page */}
      {open && (
        <Radix.Portal>
          <Radix.Content
            position="popper"
            side={side}
            sideOffset={4}
            collisionPadding={8}
            className="appear z-50 max-h-[min(24rem,var(--radix-select-content-available-height))] min-w-44 max-w-[min(20rem,calc(100vw-1rem))] overflow-hidden rounded-lg border border-line bg-raised shadow-float"
          >
            <Radix.Viewport className="p-1">
              {options.map((option) => (
                <Radix.Item
                  key={option.value}
                  value={option.value}
                  className="flex h-8 select-none items-center gap-2 rounded-md px-2 text-sm outline-none data-[highlighted]:bg-ink/6 touch:h-10"
                >
                  <span className="min-w-0 flex-1 truncate">
                    <Radix.ItemText>{option.label}</Radix.ItemText>
                  </span>
                  {option.note && <span className="text-faint text-xs">{option.note}</span>}
                  <Radix.ItemIndicator>
                    <Check size={14} aria-hidden className="text-accent" />
                  </Radix.ItemIndicator>
                </Radix.Item>
              ))}
            </Radix.Viewport>
          </Radix.Content>
        </Radix.Portal>
      )}
    </Radix.Root>
  )
}
