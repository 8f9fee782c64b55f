import { matchesOf } from './matches'
import { countWords, likeness } from './tokens'

/** A question and its replies. A side that begins with a reply to a shared question has no question of its own. */
export interface DiffTurn<Message> {
  question: Message | null
  replies: Message[]
}

/** Two turns side by side; null on a side without a counterpart. */
export interface TurnPair<Message> {
  left: DiffTurn<Message> | null
  right: DiffTurn<Message> | null
}

/** The words of a question, and whether a message is one. */
export interface Reading<Message> {
  isQuestion(message: Message): boolean
  textOf(message: Message): string
}

/** Questions this much alike are the same question asked again. */
const alike = 0.5
/** The most comparisons of questions; larger gaps are set side by side in order. */
const maxComparisons = 10_000
const maxEdits = 1000
/** The words of a question that are compared: fewer where there are many questions. */
const mostWords = 400
const maxWords = 400_000

/** The messages of a chain as turns. */
export function turnsOf<Message>(
  messages: readonly Message[],
  { isQuestion }: Pick<Reading<Message>, 'isQuestion'>,
): DiffTurn<Message>[] {
  const turns: DiffTurn<Message>[] = []
  for (const message of messages) {
    const last = turns.at(-1)
    if (isQuestion(message)) turns.push({ question: message, replies: [] })
    else if (last) last.replies.push(message)
    else turns.push({ question: null, replies: [message] })
  }
  return turns
}

/**
 * Sets the turns of two branches side by side: the same questions first, then questions alike, and the turns between
 * those in order. Order is kept on both sides, and every turn comes once.
 */
export function alignTurns<Message>(
  left: readonly DiffTurn<Message>[],
  right: readonly DiffTurn<Message>[],
  reading: Reading<Message>,
): TurnPair<Message>[] {
  const textsOf = (turns: readonly DiffTurn<Message>[]) =>
    turns.map(({ question }) => (question === null ? '' : plain(reading.textOf(question))))
  const texts = { left: textsOf(left), right: textsOf(right) }
  const same = sameQuestions(texts.left, texts.right)
  const anchors = gapsOf(same, left.length, right.length).flatMap((gap) => [
    ...likeQuestions(texts.left, texts.right, gap),
    ...(gap.end ? [gap.end] : []),
  ])
  return gapsOf(anchors, left.length, right.length).flatMap((gap) => {
    const [lefts, rights] = [left.slice(gap.left, gap.leftEnd), right.slice(gap.right, gap.rightEnd)]
    const pairs = Array.from({ length: Math.max(lefts.length, rights.length) }, (_, at) => ({
      left: lefts[at] ?? null,
      right: rights[at] ?? null,
    }))
    const [one, other] = [left[gap.leftEnd], right[gap.rightEnd]]
    return one && other ? [...pairs, { left: one, right: other }] : pairs
  })
}

/** The places of two turns that belong together. */
type Anchor = readonly [left: number, right: number]

/** The turns between two anchors, and the anchor at its end if it has one. */
interface Gap {
  left: number
  leftEnd: number
  right: number
  rightEnd: number
  end: Anchor | undefined
}

/** The gaps before, between and after some anchors. */
const gapsOf = (anchors: readonly Anchor[], leftLength: number, rightLength: number): Gap[] =>
  [...anchors, [leftLength, rightLength] as const].map(([leftEnd, rightEnd], at) => {
    const [left, right] = anchors[at - 1] ?? [-1, -1]
    return { left: left + 1, leftEnd, right: right + 1, rightEnd, end: anchors[at] }
  })

function sameQuestions(left: readonly string[], right: readonly string[]): Anchor[] {
  const matches = matchesOf(left, right, maxEdits) ?? []
  return matches.flatMap((match) =>
    Array.from({ length: match.length }, (_, at): Anchor => [match.left + at, match.right + at]),
  )
}

/** The pairs in a gap that are most alike altogether, in order. */
function likeQuestions(leftTexts: readonly string[], rightTexts: readonly string[], gap: Gap): Anchor[] {
  const left = leftTexts.slice(gap.left, gap.leftEnd)
  const right = rightTexts.slice(gap.right, gap.rightEnd)
  if (left.length * right.length > maxComparisons) return []
  const most = Math.min(mostWords, Math.floor(maxWords / (left.length * right.length)))
  const others = right.map((text) => countWords(text, most))
  const scores = left.map((text, at) => {
    const own = countWords(text, most)
    return others.map((other, beside) =>
      // questions without a word are alike when they are the same
      own.total + other.total === 0
        ? Number(text !== '' && left[at] === right[beside])
        : likeness(own, other),
    )
  })
  const best = bestOrders(scores, right.length)
  const anchors: Anchor[] = []
  let [at, beside] = [0, 0]
  while (at < left.length && beside < right.length) {
    const [here = 0, below = 0, after = 0] = [
      best[at]?.[beside],
      best[at + 1]?.[beside],
      best[at]?.[beside + 1],
    ]
    if (here === below) at++
    else if (here === after) beside++
    else anchors.push([gap.left + at++, gap.right + beside++])
  }
  return anchors
}

/** The greatest likeness from each pair of places on. */
function bestOrders(scores: readonly (readonly number[])[], width: number): number[][] {
  const best = Array.from({ length: scores.length + 1 }, () => new Array<number>(width + 1).fill(0))
  for (let at = scores.length - 1; at >= 0; at--) {
    const [row = [], below = []] = [best[at], best[at + 1]]
    for (let beside = width - 1; beside >= 0; beside--) {
      const score = scores[at]?.[beside] ?? 0
      const paired = score >= alike ? score + (below[beside + 1] ?? 0) : 0
      row[beside] = Math.max(below[beside] ?? 0, row[beside + 1] ?? 0, paired)
    }
  }
  return best
}

const plain = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').toLowerCase()
