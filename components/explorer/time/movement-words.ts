import { quoted } from '@/components/app/plain-preview'
import type { BranchId } from '@/lib/events'
import { type GraphIndex, shownNames, type Timeline } from '@/lib/graph'
import { speakerOf } from '@/lib/graph/speaker'

/**
 * The movement at a position of a timeline, in a sentence: `You asked “what is 2+2” on Main line`.
 *
 * @param index of the chat as it is now: a branch is called by its title now
 */
export function movementWords(timeline: Timeline, index: GraphIndex, position: number): string {
  const movement = timeline.movements[position - 1]
  if (!movement) return 'Nothing yet'
  const { branch, given } = shownNames(index)
  const nameOf = (id: BranchId) => branch(id) ?? 'a branch'
  const once = (name: string, id: BranchId) => given(name) ?? nameOf(id)
  const node = timeline.nodeOf(movement)
  const words = node ? `“${quoted(node.preview)}”` : 'a message'
  switch (movement.kind) {
    case 'message': {
      const on = nameOf(movement.branchId)
      if (node?.role === 'user') return `You asked ${words} on ${on}`
      if (node?.status === 'failed') return `${speakerOf(node.role)} failed after ${words} on ${on}`
      if (node?.status === 'stopped') return `${speakerOf(node.role)} was stopped at ${words} on ${on}`
      return `${speakerOf(node?.role ?? 'assistant')} said ${words} on ${on}`
    }
    case 'headed':
      return movement.place
        ? `${nameOf(movement.branchId)} went to ${words}`
        : `${nameOf(movement.branchId)} was emptied`
    case 'opened': {
      const opened = once(movement.name, movement.branchId)
      if (movement.place) return `Opened ${opened} at ${words}`
      return movement.from === null ? `Began on ${opened}` : `Opened ${opened}`
    }
    case 'renamed': {
      const before = timeline.refsAt(position - 1).branches.get(movement.branchId)?.name
      return `Renamed ${(before && given(before)) || 'a branch'} to ${once(movement.name, movement.branchId)}`
    }
    case 'archived':
      return `Archived ${nameOf(movement.branchId)}`
    case 'restored':
      return `Brought ${nameOf(movement.branchId)} back`
    case 'switched':
      return `Went to ${nameOf(movement.branchId)}`
    case 'saved':
      return `Saved checkpoint “${movement.name}” at ${words}`
    case 'moved':
      return `Moved checkpoint “${movement.name}” to ${words}`
    case 'removed':
      return `Removed checkpoint “${movement.name}”`
  }
}
