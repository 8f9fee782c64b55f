'use client'

import { Fragment, type ReactNode, useRef } from 'react'
import { KeyCaps } from '@/components/ui/kbd'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '@/components/ui/menu'
import type { Offer } from './action'

/** Actions that belong together in a menu. */
interface OfferGroup {
  /** above the actions */
  label?: string
  offers: readonly Offer[]
}

interface OfferMenuProps {
  trigger: ReactNode
  groups: readonly OfferGroup[]
  /** below the actions */
  foot?: ReactNode
  align?: 'start' | 'end'
}

/** A menu of actions: their names, git's words for them, their keys, and a line about what each is for where it has one. */
export function OfferMenu({ trigger, groups, foot, align }: OfferMenuProps) {
  const chosen = useRef<(() => void) | null>(null)
  const shown = groups.filter(({ offers }) => offers.length > 0)
  return (
    <Menu
      trigger={trigger}
      align={align}
      onCloseAutoFocus={() => {
        // once the focus is back: an action may move it
        if (chosen.current) queueMicrotask(chosen.current)
        chosen.current = null
      }}
    >
      {shown.map(({ label, offers }, at) => (
        <Fragment key={offers[0]?.id}>
          {at > 0 && <MenuSeparator />}
          {label && <MenuLabel>{label}</MenuLabel>}
          {offers.map((offer) => (
            <OfferItem
              key={offer.id}
              offer={offer}
              onChoose={() => {
                // by then the button that opened the menu has it
                chosen.current = () => offer.run(document.activeElement)
              }}
            />
          ))}
        </Fragment>
      ))}
      {foot && <MenuSeparator />}
      {foot}
    </Menu>
  )
}

/** Names and purposes are the item's name; a key is for the eye. */
function OfferItem({ offer, onChoose }: { offer: Offer; onChoose(): void }) {
  const { short, Icon, danger, git, purpose, keys, refused } = offer
  return (
    <MenuItem
      danger={danger ?? false}
      disabled={refused}
      onSelect={onChoose}
      aria-label={short}
      tall={purpose !== undefined}
    >
      {Icon && <Icon size={14} aria-hidden className={danger ? 'shrink-0' : 'shrink-0 text-faint'} />}
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-2">
          <bdi className="truncate">{short}</bdi>
          {git && <span className="shrink-0 font-mono text-faint text-xs">{git}</span>}
        </span>
        {purpose && <span className="block text-muted text-xs leading-4">{purpose}</span>}
      </span>
      {keys.length > 0 && (
        <span aria-hidden className="flex shrink-0 gap-1 pl-4 touch:hidden">
          <KeyCaps names={keys} />
        </span>
      )}
    </MenuItem>
  )
}
