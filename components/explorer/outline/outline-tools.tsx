'use client'

import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { offers } from '@/components/actions/action'
import { ActionButton } from '@/components/actions/action-button'
import { type OnGraph, saveActions, viewActions } from '@/components/actions/on-graph'
import { IconButton } from '@/components/ui/button'
import { Menu, MenuItem } from '@/components/ui/menu'

interface OutlineToolsProps {
  on: OnGraph
  /** more buttons */
  children: ReactNode
}

/** The way back to the head, folding, finding and saving, in the bar above the outline. */
export function OutlineTools({ on, children }: OutlineToolsProps) {
  return (
    <fieldset aria-label="Graph view" className="flex items-center">
      {offers(viewActions, on).map((offer) => (
        <ActionButton key={offer.id} offer={offer} />
      ))}
      {children}
      <Menu trigger={<IconButton label="Save picture" size="tool" Icon={Download} />} align="end">
        {offers(saveActions, on).map(({ id, label, run }) => (
          <MenuItem key={id} onSelect={() => run()}>
            {label}
          </MenuItem>
        ))}
      </Menu>
    </fieldset>
  )
}
