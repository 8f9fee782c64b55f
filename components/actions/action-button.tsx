'use client'

import { IconButton, type IconButtonProps } from '@/components/ui/button'
import type { Offer } from './action'

interface ActionButtonProps extends Omit<IconButtonProps, 'label'> {
  offer: Offer
}

/** An action as a small button: its icon, with name and key as tooltip. */
export function ActionButton({ offer, ...props }: ActionButtonProps) {
  const { label, hint, Icon, refused } = offer
  return (
    <IconButton
      size="tool"
      label={label}
      hint={hint}
      Icon={Icon}
      disabled={refused}
      onClick={(event) => offer.run(event.currentTarget)}
      {...props}
    />
  )
}
