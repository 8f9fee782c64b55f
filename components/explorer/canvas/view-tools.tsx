import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { offers } from '@/components/actions/action'
import { ActionButton } from '@/components/actions/action-button'
import { saveActions, viewActions } from '@/components/actions/on-graph'
import { IconButton } from '@/components/ui/button'
import { Menu, MenuItem } from '@/components/ui/menu'
import type { GraphModel } from '../model/graph-model'
import type { GraphActions } from '../model/graph-props'
import { BranchList } from './branch-list'
import type { Drawing } from './use-drawing'

interface ViewToolsProps {
  drawing: Drawing
  model: GraphModel
  on: GraphActions
  /** the side of its button that the menu of pictures is flush with */
  align?: 'start' | 'end'
  /** more buttons */
  children: ReactNode
}

/** The way back to the head, folding, finding, the branches, and saving. */
export function ViewTools({ drawing: { commands, pane }, model, on, align, children }: ViewToolsProps) {
  return (
    <>
      {offers(viewActions, pane).map((offer) => (
        <ActionButton key={offer.id} offer={offer} />
      ))}
      {children}
      {!model.past && <BranchList model={model} commands={commands} on={on} />}
      <Menu trigger={<IconButton label="Save picture" size="tool" Icon={Download} />} align={align}>
        {offers(saveActions, pane).map(({ id, label, run }) => (
          <MenuItem key={id} onSelect={() => run()}>
            {label}
          </MenuItem>
        ))}
      </Menu>
    </>
  )
}
