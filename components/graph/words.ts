import type { GraphNode } from '@/lib/graph'

/** Who wrote a message, as the page calls them. */
export function authorOf(role: string): string {
  if (role === 'user') return 'You'
  if (role === 'assistant') return 'Assistant'
  return role.slice(0, 1).toUpperCase() + role.slice(1)
}

/** How a partial reply ended. */
export const endWords: Partial<Record<GraphNode['status'], string>> = { failed: 'Failed', stopped: 'Stopped' }

/** The accessible name of a message in the graph: all that its card shows, and no more. */
export const nameOf = ({ role, preview, status }: GraphNode): string =>
  [`${authorOf(role)}:`, preview.trim() || '…', endWords[status]].filter(Boolean).join(' ')

export const laneColor = (lane: number): string => `var(--lane-${lane % 8})`
