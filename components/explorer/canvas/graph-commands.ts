import type { Route } from 'next'
import type { OnGraph } from '@/components/actions/on-graph'
import { onlyRead } from '@/components/actions/on-message'
import type { BranchId, MessageId } from '@/lib/events'
import { branchTitle, foldId, type ItemId } from '@/lib/graph'
import type { GraphBranch } from '@/lib/protocol'
import { canArchive, type GraphModel, itemAt, stretchAround } from '../model/graph-model'
import type { GraphActions } from '../model/graph-props'
import type { Folding } from '../model/use-graph-model'
import type { PictureKind } from '../picture/save-picture'
import type { StandingState } from './use-standing'
import type { useViewport } from './use-viewport'

/** The target of an action. */
export type GraphTarget =
  | { kind: 'item'; id: ItemId }
  | { kind: 'branch'; id: BranchId }
  | { kind: 'checkpoint'; name: string }
  | { kind: 'pane' }

type Viewport = ReturnType<typeof useViewport>
/** Moves over the drawing; without `zoomBy` and `fit` where it has one size. */
export type GraphView = Pick<Viewport, 'show' | 'keepInPlace' | 'showHead'> &
  Partial<Pick<Viewport, 'zoomBy' | 'fit'>>

interface Commanded {
  model: GraphModel
  folding: Folding
  standing: StandingState
  viewport: GraphView
  selectedId: MessageId | null
  on: GraphActions
  goTo(url: Route): void
  find(): void
  save(kind: PictureKind): void
}

export type GraphCommands = (target: GraphTarget) => OnGraph

/**
 * The branch a message stands for when it is compared: the branch whose head it is (among several the one being read,
 * else one in use); any other message stands for the branch to open it on. Undefined when no branch leads to it.
 */
export function comparedBranch(
  { index, branchId }: Pick<GraphModel, 'index' | 'branchId'>,
  id: MessageId,
): GraphBranch | undefined {
  const at = index.branchesAt(id)
  return (
    at.find((branch) => branch.id === branchId) ??
    at.find((branch) => branch.archivedAt === null) ??
    index.branchHolding(id, branchId)
  )
}

/** Says why a key was refused: another person's chat can only be read. */
export const refusedWith =
  ({ readOnly }: Pick<GraphActions, 'readOnly'>, say: StandingState['say']) =>
  (why: string) =>
    say(readOnly ? onlyRead : why)

/** The acts of the graph on a target: the same for keys, clicks, menus and toolbar. */
export function graphCommands(commanded: Commanded): GraphCommands {
  const { model, folding, standing, viewport, selectedId, on, goTo } = commanded
  const { index, visible, drawn, headId } = model
  const { readOnly = false } = on
  const past = model.past || readOnly
  const { marked } = standing
  const { switchTo, archive, unarchive, restore, removeCheckpoint } = on

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
    const first = folding.foldAround(id)
    if (first === null) return
    if (selectedId !== null) on.onDeselect()
    viewport.keepInPlace(id)
    standing.focusOn(foldId(first))
    standing.say('Folded')
  }
  const rename = (branchId: BranchId) => {
    const branch = index.branch(branchId)
    const head = branch?.headId ?? null
    if (!branch || (head !== null && !visible.byId.has(head))) return
    viewport.show(head)
    standing.setNaming({ kind: 'branch', branchId })
  }
  const checkpoint = (messageId: MessageId) => {
    viewport.show(messageId)
    standing.setNaming({ kind: 'checkpoint', messageId })
  }
  /** The nearest checkpoint on the way up from a message. */
  const checkpointAbove = (id: MessageId): string | null => {
    for (const node of index.chainTo(id).reverse()) {
      const found = index.graph.checkpoints.find(({ messageId }) => messageId === node.id)
      if (found) return found.name
    }
    return null
  }
  /** Compares a message's branch with the branch of the picked message, else with the branch being read. */
  const comparison = (id: MessageId): OnGraph['comparison'] => {
    const { compareUrl } = on
    const picked = marked.find((other) => other !== id)
    const left = picked === undefined ? index.branch(model.branchId) : comparedBranch(model, picked)
    const right = comparedBranch(model, id)
    if (!compareUrl || !left || !right || left.id === right.id) return null
    return {
      with: picked === undefined ? 'current' : 'picked',
      open: () => goTo(compareUrl(left.id, right.id)),
    }
  }

  return (target) => {
    const item = target.kind === 'item' ? itemAt(model, target.id) : undefined
    const id = item?.kind === 'message' ? item.id : null
    const branchOf = () => {
      if (target.kind === 'branch') return index.branch(target.id)
      if (id === null) return undefined
      return visible.labels.get(id)?.branches[0] ?? index.branchHolding(id, model.branchId)
    }
    return {
      messageId: id,
      isFold: item?.kind === 'fold',
      isWriting: item?.kind === 'message' && item.node.status === 'streaming',
      isPicked: id !== null && marked.includes(id),
      past,
      readOnly,
      compares: on.compareUrl !== undefined,
      get comparison() {
        return id === null ? null : comparison(id)
      },
      canFold: () => id !== null && stretchAround(model, id).length > 0,
      open: on.onOpen,
      select: on.onSelect,
      branchFrom: (from) => on.onBranchFrom(from),
      checkpoint,
      pick: standing.toggleMark,
      fold: () => item && fold(item.id),
      unfold: () => item && unfold(item.id),
      go(way) {
        const to = item ? way(drawn, item.id, headId) : null
        if (to === null) return
        standing.focusOn(to)
        viewport.show(to)
      },

      get branch() {
        return branchOf()
      },
      get title() {
        const branch = branchOf()
        return branch && branchTitle(index, branch.id)
      },
      get isHere() {
        return branchOf()?.id === model.branchId
      },
      get canArchive() {
        return !readOnly && canArchive(model, branchOf())
      },
      rename,
      switchTo,
      archive,
      unarchive,
      replay: on.replay,
      share: on.share,
      merging: on.merging,
      hasAgents: (index.graph.agents ?? []).length > 0,
      steer: on.steer,
      severalBranches: index.graph.branches.length > 1,

      get checkpointName() {
        return target.kind === 'checkpoint' ? target.name : id && checkpointAbove(id)
      },
      restore,
      removeCheckpoint,

      folding: folding.state,
      canLeave: marked.length > 0 || selectedId !== null,
      zooms: viewport.zoomBy !== undefined,
      zoomBy: (factor) => viewport.zoomBy?.(factor),
      fit: () => viewport.fit?.(),
      showHead: viewport.showHead,
      toggleFolds: folding.toggleAll,
      leave: () => (marked.length > 0 ? standing.clearMarks() : on.onDeselect()),
      find: commanded.find,
      save: commanded.save,
    }
  }
}
