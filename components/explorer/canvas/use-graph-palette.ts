'use client'

import { useEffectEvent } from 'react'
import { commandsOf } from '@/components/actions/action'
import { backToCheckpoint, branchChanges, checkpointActions } from '@/components/actions/on-branch'
import { pageActions } from '@/components/actions/on-chat'
import { itemActions, itemKeys, saveActions, viewActions } from '@/components/actions/on-graph'
import { useOffer } from '@/components/actions/use-offer'
import type { Command } from '@/components/app/app-context'
import type { BranchId } from '@/lib/events'
import type { ItemId } from '@/lib/graph'
import type { GraphModel } from '../model/graph-model'
import type { GraphCommands, GraphTarget } from './graph-commands'

/** Actions that the palette has already, from the page or in a group above: the same label is the same action. */
const elsewhere = [...pageActions, ...branchChanges, ...checkpointActions, ...viewActions]
const taken = new Set(elsewhere.map(({ label }) => label))
const ofItem = [...new Set([...itemActions, ...itemKeys])].filter(({ label }) => !taken.has(label))

interface OnPage {
  /** the message that is selected or stood on */
  itemId: ItemId | null
  /** the branch being read */
  branchId: BranchId
  checkpoints: readonly { name: string }[]
}

/**
 * The graph's place in the palette: the view, the message that is selected, the branch being read, and the checkpoints.
 *
 * @param target asked again when a command is chosen
 */
export function graphPalette(target: GraphCommands, { itemId, branchId, checkpoints }: OnPage): Command[] {
  const pane = () => target({ kind: 'pane' })
  const item = () => target(itemId === null ? { kind: 'pane' } : { kind: 'item', id: itemId })
  const branch = () => target({ kind: 'branch', id: branchId })
  const changes = checkpointActions.filter(({ id }) => id !== backToCheckpoint.id)
  return [
    ...checkpoints.flatMap(({ name }) =>
      commandsOf('Checkpoints', changes, () => target({ kind: 'checkpoint', name }), name).map((command) => ({
        ...command,
        label: `${command.label}: ${name}`,
      })),
    ),
    ...commandsOf('This branch', branchChanges, branch, 'here'),
    ...commandsOf('Graph', viewActions, pane),
    ...commandsOf('Graph', saveActions, pane),
    ...commandsOf('Graph', ofItem, item),
  ]
}

/** Offers what can be done in the graph; `reveal` brings it into view first. */
export function useGraphPalette(
  { branchId, index }: GraphModel,
  commands: GraphCommands,
  itemId: ItemId | null,
  reveal?: () => void,
): void {
  const target = useEffectEvent((at: GraphTarget) => commands(at))
  const { checkpoints } = index.graph
  useOffer(() => graphPalette((at) => target(at), { itemId, branchId, checkpoints }), reveal)
}
