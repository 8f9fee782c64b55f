'use client'

import { useEffectEvent } from 'react'
import { commandsOf } from '@/components/actions/action'
import { backToCheckpoint, branchChanges, checkpointActions } from '@/components/actions/on-branch'
import { pageActions } from '@/components/actions/on-chat'
import { itemActions, itemKeys, saveActions, viewActions } from '@/components/actions/on-graph'
import { useOffer } from '@/components/actions/use-offer'
import type { ItemId } from '@/lib/graph'
import type { GraphModel } from '../model/graph-model'
import type { GraphCommands, GraphTarget } from './graph-commands'

const ofPage = new Set(pageActions.map(({ id }) => id))
const ofBranches = new Set(branchChanges.map(({ id }) => id))
/** What the page, or its own group, does not offer already. */
const ofItem = [...new Set([...itemActions, ...itemKeys])].filter(
  ({ id }) => !ofPage.has(id) && !ofBranches.has(id) && !viewActions.some((action) => action.id === id),
)

/**
 * The graph's place in the palette: the view, the message that is selected or stood on, the branch being read, and the
 * checkpoints.
 *
 * @param reveal brings the graph into view before a command acts on it
 */
export function useGraphPalette(
  model: GraphModel,
  commands: GraphCommands,
  itemId: ItemId | null,
  reveal?: () => void,
): void {
  const { branchId, index } = model
  const target = useEffectEvent((at: GraphTarget) => commands(at))

  useOffer(() => {
    const pane = () => target({ kind: 'pane' })
    const item = () => target(itemId === null ? { kind: 'pane' } : { kind: 'item', id: itemId })
    const branch = () => target({ kind: 'branch', id: branchId })
    const ofCheckpoints = index.graph.checkpoints.flatMap(({ name }) => {
      const checkpoint = () => target({ kind: 'checkpoint', name })
      const changes = checkpointActions.filter(({ id }) => id !== backToCheckpoint.id)
      return commandsOf('Checkpoints', changes, checkpoint, name).map((command) => ({
        ...command,
        label: `${command.label}: ${name}`,
      }))
    })
    return [
      ...ofCheckpoints,
      ...commandsOf('This branch', branchChanges, branch, 'here'),
      ...commandsOf('Graph', viewActions, pane),
      ...commandsOf('Graph', saveActions, pane),
      ...commandsOf('Graph', ofItem, item),
    ]
  }, reveal)
}
