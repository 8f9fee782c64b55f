'use client'

import { IconButton, type IconButtonProps } from '@/components/ui/button'
import type { Offer } from './action'

interface ActionButtonProps extends Omit<IconButtonProps, 'label' | 'onClick' | 'children'> {
  offer: Offer
  label?: string
}

/** An action as a small button: its icon, with name and key as tooltip. */
export function ActionButton({ offer, label = offer.label, size = 'icon-sm', ...props }: ActionButtonProps) {
  const { Icon, hint, refused, run } = offer
  return (
    <IconButton
      label={label}
      hint={hint}
      size={size}
      disabled={refused}
      onClick={(event) => run(event.currentTarget)}
      {...props}
    >
      {Icon && <Icon size={14} aria-hidden />}
    </IconButton>
  )
}
