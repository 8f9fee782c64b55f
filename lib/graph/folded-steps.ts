import { sumOfLines } from '@/lib/events/tool-step'
import type { GraphNode } from '@/lib/protocol'
import { contextWords, isOfRun, isStep } from './fold-stretches'

/** A summary of folded steps, on one line; null for a fold of other messages. A call is told by its answer, where that is in the fold. */
export function foldedSteps(nodes: readonly GraphNode[]): string | null {
  if (!nodes.every((node, at) => isOfRun(node, nodes[at + 1]))) return null
  const steps = nodes.filter(isStep)
  if (steps.length === 0) return contextWords
  const told = steps.filter(({ role }, at) => role === 'tool' || steps[at + 1]?.role !== 'tool')
  return sumOfLines(told.map(({ preview }) => preview))
}
