'use client'

import { Monitor, Moon, Sun } from 'lucide-react'
import { RadioGroup } from 'radix-ui'
import { cn } from '@/components/ui/cn'
import { Hint } from '@/components/ui/hint'
import { type ThemeChoice, useTheme } from '@/components/ui/use-theme'

const choices = [
  { value: 'light', label: 'Light', Icon: Sun },
  { value: 'dark', label: 'Dark', Icon: Moon },
  { value: 'system', label: 'Same as the system', Icon: Monitor },
] as const

export function ThemeSwitch() {
  const { choice, choose } = useTheme()
  return (
    <RadioGroup.Root
      aria-label="Theme"
      orientation="horizontal"
      value={choice}
      onValueChange={(value) => choose(value as ThemeChoice)}
      className="flex shrink-0 rounded-md border border-line p-0.5"
    >
      {choices.map(({ value, label, Icon }) => (
        <Hint key={value} text={label} side="top">
          <RadioGroup.Item
            value={value}
            aria-label={label}
            className={cn(
              'flex size-6 items-center justify-center rounded text-faint transition-colors touch:size-8',
              'hover:text-ink aria-checked:bg-ink/10 aria-checked:text-ink',
            )}
          >
            <Icon size={14} aria-hidden />
          </RadioGroup.Item>
        </Hint>
      ))}
    </RadioGroup.Root>
  )
}
