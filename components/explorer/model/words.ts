import { withoutSurplusMarks } from '@/components/ui/surplus-marks'
import type { NodeLabels } from '@/lib/graph'
import type { GraphNode } from '@/lib/protocol'

/** Who wrote a message, as the page calls them. */
export function authorOf(role: string): string {
  if (role === 'user') return 'You'
  if (role === 'assistant') return 'Assistant'
  return role.slice(0, 1).toUpperCase() + role.slice(1)
}

/**
 * A preview without Markdown's marks: a card shows words, not their formatting. Only what is surely a mark goes: a lone
 * star or pipe in a sentence stays.
 */
export function plainPreview(preview: string): string {
  return withoutSurplusMarks(preview)
    .replace(/(\*\*|__)(?=\S)(.+?)(?<=\S)\1/g, '$2')
    .replace(/(^|[\s(])([*_])(?=\S)([^*_]+?)(?<=\S)\2(?=$|[\s).,;:!?])/g, '$1$3')
    .replace(/`{1,3}([^`]+)`{1,3}/g, '$1')
    .replace(/(^|\s)#{1,6}\s+/g, '$1')
    .replace(/\|(?:\s*:?-{2,}:?\s*\|)+/g, '|')
    .replace(/\s*\|(?:\s*\|)*\s*/g, (bar, at: number, whole: string) =>
      at === 0 || at + bar.length === whole.length ? '' : ' · ',
    )
    .trim()
}

/** What there is to say of a reply that is not whole: it is being written, or how it ended. */
export const statusWords: Partial<Record<GraphNode['status'], string>> = {
  streaming: 'Writing',
  failed: 'Failed',
  stopped: 'Stopped',
}

/** The accessible name of a message in the graph: all that its card shows, and no more. */
export const nameOf = ({ role, preview, status }: GraphNode): string =>
  [`${authorOf(role)}:`, plainPreview(preview) || '…', statusWords[status]].filter(Boolean).join(' ')

/** What else there is to be told of a message: the labels beside the tree that are its own, and whether it is picked. */
export function descriptionOf(labels: NodeLabels | undefined, marked: boolean): string | undefined {
  const { branches = [], waiting = [], checkpoints = [] } = labels ?? {}
  const heads = [...branches, ...waiting].map(({ name }) => name).join(' and ')
  const said = [
    heads && `Head of ${heads}`,
    ...checkpoints.map(({ name }) => `checkpoint ${name}`),
    marked && 'picked',
  ]
  return said.filter(Boolean).join(', ') || undefined
}

/** What stands for a folded stretch. */
export const foldWords = (count: number): string => `${count} messages`

export const laneColor = (lane: number): string => `var(--lane-${lane % 8})`
