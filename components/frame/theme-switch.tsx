'use client'

import { RadioGroup } from 'radix-ui'
import { themeActions } from '@/components/actions/on-app'
import { cn } from '@/components/ui/cn'
import { Hint } from '@/components/ui/hint'
import { type ThemeChoice, useTheme } from '@/components/ui/use-theme'

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
      {themeActions.map(({ id, short, Icon }) => (
        <Hint key={id} text={short} side="top">
          <RadioGroup.Item
            value={id}
            aria-label={short}
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
