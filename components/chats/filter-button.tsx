'use client'

import { ChevronDown, ListFilter } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Button, IconButton } from '@/components/ui/button'
import { Hint } from '@/components/ui/hint'

const label = 'Filter and sort chats'

interface FilterButtonProps extends ComponentProps<'button'> {
  /** name of the shown list; without it the button is an icon, where the field for a title has the room */
  word?: string | undefined
}

/** Opens the menu with the filter and the order of the list. */
export function FilterButton({ word, ...props }: FilterButtonProps) {
  if (word === undefined) {
    return (
      <IconButton
        label={label}
        size="icon-sm"
        Icon={ListFilter}
        className="text-faint"
        aria-haspopup="menu"
        {...props}
      />
    )
  }
  return (
    <Hint text={label}>
      <Button
        look="quiet"
        size="sm"
        aria-label={`${word}: ${label}`}
        aria-haspopup="menu"
        className="gap-1 text-faint text-xs"
        {...props}
      >
        {word}
        <ChevronDown size={12} aria-hidden />
      </Button>
    </Hint>
  )
}
