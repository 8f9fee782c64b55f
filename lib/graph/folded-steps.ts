import { sumOfLines } from '@/lib/events/tool-step'
import type { GraphNode } from '@/lib/protocol'
import { contextWords, isQuiet, isStep } from './fold-stretches'

/** A summary of folded steps, on one line; null for a fold of other messages. A call is told by its answer, where that is in the fold. */
export function foldedSteps(nodes: readonly GraphNode[]): string | null {
  if (!nodes.every(isQuiet)) return null
  const steps = nodes.filter(isStep)
  if (steps.length === 0) return contextWords
  const told = steps.filter(({ role }, at) => role === 'tool' || steps[at + 1]?.role !== 'tool')
  return sumOfLines(told.map(({ preview }) => preview))
}
