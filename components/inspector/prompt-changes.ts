import { diffWords, type Range } from '@/lib/graph/diff/diff-words'
import { type Match, matchesOf } from '@/lib/graph/diff/matches'
import type { SentPrompt } from '@/lib/protocol'
import { entriesOf, settingWords } from './prompt-words'

type Entry = ReturnType<typeof entriesOf>[number]

/** A text that differs from another: the parts that each has alone; null for texts that share too little. */
export interface Rewording {
  before: string
  marks: { before: readonly Range[]; now: readonly Range[] } | null
}

/** A message of a prompt beside another prompt. */
export type Change =
  | { kind: 'same'; entries: Entry[] }
  | { kind: 'added' | 'removed'; entry: Entry }
  | { kind: 'changed'; entry: Entry; from: Rewording }

/** Differences of a prompt from another. */
export interface PromptChanges {
  /** null where both have the same system prompt */
  system: Rewording | null
  /** the settings of each in a line; null where both have the same */
  settings: { before: string; now: string } | null
  messages: Change[]
}

/** Prompts with more differing messages than this, after their common beginning, are not compared further. */
const MOST = 300

/**
 * The parts that only one of two prompts has. A message that stands in the place of another one of the same role has
 * changed; the word `removed` is for messages that only the other has.
 */
export function promptChanges(before: SentPrompt, now: SentPrompt): PromptChanges {
  const [left, right] = [entriesOf(before), entriesOf(now)]
  const [one, other] = [before.system ?? '', now.system ?? '']
  return {
    system: one === other ? null : reworded(one, other),
    settings:
      settingsOf(before) === settingsOf(now) ? null : { before: settingsOf(before), now: settingsOf(now) },
    messages: changesOf(left, right),
  }
}

const settingsOf = ({ settings }: SentPrompt): string => settingWords(settings) ?? 'the model’s own'

function changesOf(left: Entry[], right: Entry[]): Change[] {
  const keyOf = ({ role, text }: Entry) => JSON.stringify([role, text])
  const [one, other] = [left.map(keyOf), right.map(keyOf)]
  const changes: Change[] = []
  const at = { left: 0, right: 0 }
  for (const match of [...matched(one, other), { left: left.length, right: right.length, length: 0 }]) {
    changes.push(...between(left.slice(at.left, match.left), right.slice(at.right, match.right)))
    at.left = match.left + match.length
    at.right = match.right + match.length
    if (match.length > 0) changes.push({ kind: 'same', entries: right.slice(match.right, at.right) })
  }
  return changes
}

/** Matches of two sequences: mostly their beginning, since prompts of one chat grow. */
function matched(one: readonly string[], other: readonly string[]): Match[] {
  const most = Math.min(one.length, other.length)
  let length = 0
  while (length < most && one[length] === other[length]) length++
  const rest = matchesOf(one.slice(length), other.slice(length), MOST) ?? []
  const below = rest.map((match) => ({ ...match, left: match.left + length, right: match.right + length }))
  return length === 0 ? below : [{ left: 0, right: 0, length }, ...below]
}

/** Messages between two that are the same: in pairs while their roles agree. */
function between(left: Entry[], right: Entry[]): Change[] {
  const changes: Change[] = []
  let pairs = 0
  for (; pairs < Math.min(left.length, right.length); pairs++) {
    const [before, now] = [left[pairs], right[pairs]]
    if (!before || before.role !== now?.role) break
    changes.push({ kind: 'changed', entry: now, from: reworded(before.text, now.text) })
  }
  for (const entry of left.slice(pairs)) changes.push({ kind: 'removed', entry })
  for (const entry of right.slice(pairs)) changes.push({ kind: 'added', entry })
  return changes
}

function reworded(before: string, now: string): Rewording {
  const diff = diffWords(before, now)
  return { before, marks: diff.kind === 'changed' ? { before: diff.left, now: diff.right } : null }
}

/** The differences in a line: `2 messages added, 1 changed, and another system prompt`. */
export function changeWords({ system, settings, messages }: PromptChanges): string {
  const count = (kind: Change['kind']) => messages.filter((change) => change.kind === kind).length
  const counted = (['added', 'changed', 'removed'] as const)
    .map((kind) => ({ kind, n: count(kind) }))
    .filter(({ n }) => n > 0)
    .map(({ kind, n }, at) =>
      at === 0 ? `${n} ${n === 1 ? 'message' : 'messages'} ${kind}` : `${n} ${kind}`,
    )
  const others = [
    ...(system ? ['another system prompt'] : []),
    ...(settings ? [`other settings (${settings.now}, before ${settings.before})`] : []),
  ].join(' and ')
  if (others)
    counted.push(counted.length > 0 ? `and ${others}` : others.replace(/^./, (a) => a.toUpperCase()))
  return counted.length === 0 ? 'Both prompts are the same.' : `${counted.join(', ')}.`
}
