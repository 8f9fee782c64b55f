import type { Route } from 'next'
import type { BranchId, MessageId } from '@/lib/events'
import { type DrawnItem, foldId, type ItemId } from '@/lib/graph'
import type { StandingState } from './canvas/use-standing'
import type { useViewport } from './canvas/use-viewport'
import { comparedBranch } from './compared-branch'
import type { KeyCommand } from './graph-keys'
import type { GraphActions } from './graph-props'
import { type GraphModel, itemAt } from './model/graph-model'
import type { Folding } from './model/use-graph-model'

interface Commanded {
  model: GraphModel
  folding: Folding
  standing: StandingState
  viewport: ReturnType<typeof useViewport>
  selectedId: MessageId | null
  on: GraphActions
  goTo(url: Route): void
}

/** What cannot be done to the past. */
const changes: ReadonlySet<KeyCommand> = new Set(['mark', 'checkpoint', 'restore', 'rename'])

/** What cannot be done to a reply that is still being written. */
const needsStored: ReadonlySet<KeyCommand> = new Set(['branch', 'checkpoint'])

/** A reply that is being written can be opened, and nothing more yet. */
export const isWriting = (item: DrawnItem | undefined): boolean =>
  item?.kind === 'message' && item.node.status === 'streaming'

export type GraphCommands = ReturnType<typeof graphCommands>

/** Everything that can be done in the drawing, however it is asked for: by key, click, menu or toolbar. */
export function graphCommands({ model, folding, standing, viewport, selectedId, on, goTo }: Commanded) {
  const { index, visible } = model
  const { checkpoints } = index.graph
  const message = (id: ItemId) => {
    const item = itemAt(model, id)
    return item?.kind === 'message' ? item : undefined
  }

  const unfold = (id: ItemId) => {
    const item = itemAt(model, id)
    const first = item?.kind === 'fold' ? item.nodes[0] : undefined
    if (item?.kind !== 'fold' || !first) return
    viewport.keepInPlace(first.id)
    folding.unfold(item.nodes.map((node) => node.id))
    standing.say(`${item.nodes.length} messages shown`)
    standing.focusOn(first.id)
  }
  const fold = (id: ItemId) => {
    if (itemAt(model, id)?.kind === 'fold') return unfold(id)
    const first = folding.foldAround(id)
    if (first === null) return standing.say('There is no long stretch here')
    if (selectedId !== null) on.onDeselect()
    viewport.keepInPlace(id)
    standing.focusOn(foldId(first))
    standing.say('Folded')
  }
  const rename = (branchId: BranchId) => {
    const branch = index.branch(branchId)
    const headId = branch?.headId ?? null
    if (!branch || (headId !== null && !visible.byId.has(headId))) return
    viewport.show(headId)
    standing.setNaming({ kind: 'branch', branchId })
  }
  const checkpoint = (messageId: MessageId) => {
    viewport.show(messageId)
    standing.setNaming({ kind: 'checkpoint', messageId })
  }
  /** The nearest bookmark on the way up from a message. */
  const checkpointAbove = (id: MessageId) =>
    index
      .chainTo(id)
      .reverse()
      .flatMap((node) => checkpoints.filter(({ messageId }) => messageId === node.id))[0]

  return {
    unfold,
    fold,
    rename,
    checkpoint,
    branchFrom: (id: MessageId) => on.onBranchFrom(id),
    open: on.onOpen,
    /**
     * The branch of a message beside that of the one that was picked for it, else beside the one being read; null when
     * that is the same branch.
     */
    comparison(id: MessageId) {
      const { compareUrl } = on
      const picked = standing.marked.find((other) => other !== id)
      const left = picked === undefined ? index.branch(model.branchId) : comparedBranch(model, picked)
      const right = comparedBranch(model, id)
      if (!compareUrl || !left || !right || left.id === right.id) return null
      return {
        label: picked === undefined ? 'Compare with current' : 'Compare with the picked one',
        run: () => goTo(compareUrl(left.id, right.id)),
      }
    },
    mark: on.compareUrl ? standing.toggleMark : undefined,
    /** @returns whether the key meant something here */
    press(command: KeyCommand, id: ItemId): boolean {
      const item = message(id)
      const branchId =
        item && (visible.labels.get(id)?.branches[0] ?? index.branchHolding(id, model.branchId))?.id
      const flag = item && checkpointAbove(id)
      if (model.past && changes.has(command)) {
        standing.say('This is how it was: it can be looked at, and branched from')
        return true
      }
      if (needsStored.has(command) && isWriting(item)) {
        standing.say('This reply is still being written')
        return true
      }
      if (command === 'zoom in') viewport.zoomBy(1.25)
      else if (command === 'zoom out') viewport.zoomBy(0.8)
      else if (command === 'fit') viewport.fit()
      else if (command === 'fold') fold(id)
      else if (command === 'leave') {
        if (standing.marked.length > 0) standing.clearMarks()
        else if (selectedId !== null) on.onDeselect()
        else return false
      } else if (!item) {
        if (command === 'open' || command === 'mark') unfold(id)
        else standing.say('Show these messages first')
      } else if (command === 'open') on.onOpen(id)
      else if (command === 'mark') (on.compareUrl ? standing.toggleMark : on.onSelect)(id)
      else if (command === 'branch') on.onBranchFrom(id)
      else if (command === 'checkpoint') checkpoint(id)
      else if (command === 'rename') branchId && rename(branchId)
      else if (flag) on.onRestore(flag.name)
      else standing.say('There is no checkpoint above')
      return true
    },
  }
}
