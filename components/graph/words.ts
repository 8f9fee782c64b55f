import type { GraphNode } from '@/lib/graph'

/** Who wrote a message, as the page calls them. */
export function authorOf(role: string): string {
  if (role === 'user') return 'You'
  if (role === 'assistant') return 'Assistant'
  return role.slice(0, 1).toUpperCase() + role.slice(1)
}

/** The accessible name of a message in the graph. */
export const nameOf = ({ role, preview }: GraphNode): string => `${authorOf(role)}: ${preview.trim() || '…'}`

export const laneColor = (lane: number): string => `var(--lane-${lane % 8})`
