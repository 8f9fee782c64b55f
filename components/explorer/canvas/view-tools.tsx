import { Ellipsis } from 'lucide-react'
import { offers } from '@/components/actions/action'
import { ActionButton } from '@/components/actions/action-button'
import { OfferMenu } from '@/components/actions/offer-menu'
import { findInGraph, saveActions, viewActions } from '@/components/actions/on-graph'
import { IconButton } from '@/components/ui/button'
import type { GraphModel } from '../model/graph-model'
import type { GraphActions } from '../model/graph-props'
import { BranchList } from './branch-list'
import type { Drawing } from './use-drawing'

interface ViewToolsProps {
  drawing: Drawing
  model: GraphModel
  on: GraphActions
  /** the side of its button that the menu is flush with */
  align?: 'start' | 'end'
}

/** Finding, the branches, and a menu with the other tools of a drawing. */
export function ViewTools({ drawing: { commands, pane }, model, on, align = 'start' }: ViewToolsProps) {
  return (
    <>
      {offers([findInGraph], pane).map((offer) => (
        <ActionButton key={offer.id} offer={offer} />
      ))}
      {!model.past && <BranchList model={model} commands={commands} on={on} />}
      <OfferMenu
        align={align}
        trigger={<IconButton label="More about the graph" size="tool" Icon={Ellipsis} />}
        groups={[
          { offers: offers(viewActions, pane).filter(({ id }) => id !== findInGraph.id) },
          { offers: offers(saveActions, pane) },
        ]}
      />
    </>
  )
}
