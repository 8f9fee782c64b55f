import { Ellipsis } from 'lucide-react'
import { offers } from '@/components/actions/action'
import { ActionButton } from '@/components/actions/action-button'
import { OfferMenu } from '@/components/actions/offer-menu'
import { findInGraph, fit, saveActions, viewActions } from '@/components/actions/on-graph'
import { IconButton } from '@/components/ui/button'
import type { GraphModel } from '../model/graph-model'
import type { GraphActions } from '../model/graph-props'
import { MapKey } from '../picture/map-key'
import { BranchList } from './branch-list'
import type { Drawing } from './use-drawing'

interface ViewToolsProps {
  drawing: Drawing
  model: GraphModel
  on: GraphActions
  /** the side of its button that the menu is flush with */
  align?: 'start' | 'end'
}

/** The tools that have a button of their own. */
const buttons = [fit, findInGraph]

/** Fitting and finding, the branches, and a menu with the other tools of a drawing. */
export function ViewTools({ drawing: { commands, pane }, model, on, align = 'start' }: ViewToolsProps) {
  return (
    <>
      {offers(buttons, pane).map((offer) => (
        <ActionButton key={offer.id} offer={offer} />
      ))}
      {!model.past && <BranchList model={model} commands={commands} on={on} />}
      <OfferMenu
        align={align}
        trigger={<IconButton label="More about the graph" size="tool" Icon={Ellipsis} />}
        groups={[
          {
            offers: offers(
              viewActions.filter((action) => !buttons.includes(action)),
              pane,
            ),
          },
          { offers: offers(saveActions, pane) },
        ]}
        foot={<MapKey />}
      />
    </>
  )
}
