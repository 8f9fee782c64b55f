import { speakerOf } from '@/components/app/speaker'
import { withoutSurplusMarks } from '@/components/ui/surplus-marks'
import type { NodeLabels } from '@/lib/graph'
import type { GraphNode } from '@/lib/protocol'

/** The author of a message, by role, at the beginning of a sentence. */
export const authorOf = (role: string): string =>
  speakerOf(role).replace(/^./u, (first) => first.toUpperCase())

/**
 * A preview without Markdown's marks: a card shows words, not their formatting. A lone star or pipe in a sentence is
 * no mark and stays.
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

/** The state of a reply that is not complete, in a word. */
export const statusWords: Partial<Record<GraphNode['status'], string>> = {
  streaming: 'Writing',
  failed: 'Failed',
  stopped: 'Stopped',
}

/** The accessible name of a message in the graph: exactly what its card shows. */
export const cardName = ({ role, preview, status }: GraphNode): string =>
  [`${authorOf(role)}:`, plainPreview(preview) || '…', statusWords[status]].filter(Boolean).join(' ')

/** The accessible description of a message: its labels, which lie beside the tree, and whether it is picked. */
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

/** The name of a folded stretch. */
export const foldWords = (count: number): string => `${count} messages`

export const laneColor = (lane: number): string => `var(--lane-${lane % 8})`
