'use client'

import type { ComponentProps } from 'react'
import { Button } from '@/components/ui/button'
import { Hint } from '@/components/ui/hint'
import type { Offer } from './action'

interface WordButtonProps extends ComponentProps<typeof Button> {
  offer: Pick<Offer, 'label' | 'short' | 'hint' | 'Icon' | 'refused'>
  /** the word; without a place for it only the icon is seen */
  wordClass?: string
}

/** An action as a button with its word; its full name and its key are the tooltip. */
export function WordButton({ offer, wordClass, children, ...props }: WordButtonProps) {
  const { label, short, hint, Icon, refused } = offer
  return (
    <Hint text={label} more={hint}>
      <Button look="quiet" aria-label={label} disabled={refused} {...props}>
        {Icon && <Icon size={14} aria-hidden />}
        <span className={wordClass}>{short}</span>
        {children}
      </Button>
    </Hint>
  )
}
