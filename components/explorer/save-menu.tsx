'use client'

import { Download } from 'lucide-react'
import { IconButton } from '@/components/ui/button'
import { Menu, MenuItem } from '@/components/ui/menu'
import type { PictureKind } from './picture/save-picture'

/** The drawing as a file. */
export function SaveMenu({ onSave }: { onSave(kind: PictureKind): void }) {
  return (
    <Menu
      trigger={
        <IconButton label="Save picture" size="icon-sm" className="touch:size-11">
          <Download size={14} aria-hidden />
        </IconButton>
      }
    >
      <MenuItem onSelect={() => onSave('svg')}>Save as SVG</MenuItem>
      <MenuItem onSelect={() => onSave('png')}>Save as PNG</MenuItem>
    </Menu>
  )
}
