import type { MergeMode, ResolvedConflict } from '@/lib/events'
import { messagePreview } from '../fragments'

/** Conflicts that the text of a message tells in full. */
const MAX_CONFLICTS = 200
const MAX_WORDING = 600

/**
 * The model's text of a merge: it introduces the merge in plain words, then gives the source's content and
 * the conflicts.
 *
 * @param brief content of the branch that this one lacks
 */
export function mergeText({
  source,
  mode,
  brief,
  conflicts,
}: {
  /** the name of the branch */
  source: string
  mode: Exclude<MergeMode, 'turns'>
  brief: string
  conflicts: readonly ResolvedConflict[]
}): string {
  const what =
    mode === 'context'
      ? 'its context counts here from now on, as far as it was changed there.'
      : 'what was decided, found and made there and is new here.'
  const told = conflicts.slice(0, MAX_CONFLICTS).map((conflict) => `- ${conflictLine(source, conflict)}`)
  const left = conflicts.length - told.length
  const contradictions =
    told.length === 0
      ? []
      : [
          '**Where the two contradicted each other**',
          [...told, ...(left > 0 ? [`- and in ${left} more`] : [])].join('\n'),
        ]
  return [`Merged from branch “${source}”: ${what}`, brief.trim(), ...contradictions]
    .filter((part) => part !== '')
    .join('\n\n')
}

function conflictLine(branch: string, { about, source, target, resolution }: ResolvedConflict): string {
  const both = `${about}: ${wording(target)} here, ${wording(source)} on “${branch}”.`
  if (resolution === undefined) return `${both} This is left open.`
  if (resolution === 'target') return `${both} What was said here counts.`
  if (resolution === 'source') return `${both} What was said on “${branch}” counts.`
  return `${both} What counts is “${resolution.text.trim()}”.`
}

const wording = (text: string | null): string =>
  text === null ? 'nothing' : `“${messagePreview(text, MAX_WORDING)}”`

/** The model's text at the start of a branch that begins with a summary of another. */
export const summaryText = (source: string, count: number, summary: string): string =>
  `Summary of ${count === 1 ? 'the message' : `the ${count} messages`} of branch “${source}” before this point:\n\n${summary.trim()}`
