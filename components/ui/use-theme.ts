'use client'

import { useOnChange } from '@/components/ui/use-on-change'
import { storedValue, useStored } from './stored-value'
import { themeKey } from './theme-script'
import { useMediaQuery } from './use-media-query'

function applyTheme(): void {
  const stored = storedValue(themeKey)
  const dark = stored ? stored === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
}

export type ThemeChoice = 'light' | 'dark' | 'system'

/** The chosen theme, and the shown one, which follows the system until a theme is chosen. */
export function useTheme() {
  const [stored, setStored] = useStored(themeKey, 'system')
  const systemDark = useMediaQuery('(prefers-color-scheme: dark)')
  const choice: ThemeChoice = stored === 'light' || stored === 'dark' ? stored : 'system'
  const shown = choice === 'system' ? (systemDark ? 'dark' : 'light') : choice

  // Read anew instead of using `shown`, which while hydrating is still the server's guess.
  useOnChange([shown], applyTheme)

  const choose = (next: ThemeChoice) => setStored(next === 'system' ? null : next)
  return { choice, shown, choose } as const
}
