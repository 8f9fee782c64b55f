import { inParallel } from './attack'
import { type Belongings, type Kind, kinds } from './belongings'
import { type Cast, honestRequest, type Written } from './drafts'
import { type RawOutcome, sendRaw } from './raw-http'
import type { Target } from './targets'

/** Two requests that differ in one id: another person's, and one that nobody has. */
interface Pair {
  theirs: Written
  unknown: Written
  ids: { theirs: string; unknown: string }
  /** whether the id is of the kind that belongs there */
  fits: boolean
}

/**
 * Puts ids of another person wherever an id fits, and says where the answer differs from that to an id that nobody has.
 * A link's token is left out: it opens what its owner shares.
 *
 * @param options.every one of so many of the pairs there are
 */
export async function asksForOthers(
  base: string,
  targets: readonly Target[],
  cast: Cast,
  { every, limit }: { every: number; limit: number },
): Promise<{ asked: number; problems: string[] }> {
  // the same one in all requests: what is begun under an id of another person is begun under the other id, too
  const unknown = kinds.map((kind) => [cast.other.ids[kind], unlike(cast.other.ids[kind], cast)] as const)
  const pairs = targets
    .flatMap((target) => pairsOf(target, base, cast, new Map(unknown)))
    .filter(({ fits }, index) => (fits && every <= 4) || index % every === 0)
  const differing = await inParallel(pairs, 8, async (pair) =>
    (await differenceOf(base, pair, limit)) === undefined ? [] : [pair],
  )
  const problems: string[] = []
  // alone, each is asked again
  for (const pair of differing.flat()) {
    const difference = await lastingDifferenceOf(base, pair, limit)
    if (difference !== undefined) problems.push(`${difference}: ${pair.theirs.shown}`)
  }
  return { asked: 2 * pairs.length, problems }
}

function pairsOf(target: Target, base: string, cast: Cast, unknown: ReadonlyMap<string, string>): Pair[] {
  const template = `${target.path} ${JSON.stringify(target.fields ?? {})}`
  const named = [...new Set([...template.matchAll(/\{(\w+)\}/g)].map(([, kind]) => kind as Kind))]
  return named.flatMap((place) =>
    kinds.map((kind) => {
      const theirs = cast.other.ids[kind]
      const ids = { theirs, unknown: unknown.get(theirs) ?? '' }
      const asking = (id: string) =>
        honestRequest(target, base, { ...cast, own: withId(cast.own, place, id) })
      return { ids, fits: kind === place, theirs: asking(ids.theirs), unknown: asking(ids.unknown) }
    }),
  )
}

const withId = (own: Belongings, kind: Kind, id: string): Belongings => ({
  ...own,
  ids: { ...own.ids, [kind]: id },
})

/** An id of the same form. */
const unlike = (id: string, { dice }: Cast): string => {
  const other = id.replace(
    /[\da-f]/g,
    (digit) => '0123456789abcdef'[dice.roll(/\d/.test(digit) ? 10 : 16)] ?? '',
  )
  // the digit of a version stays
  return other.replace(/^(.{14})./, `$1${id[14] ?? ''}`)
}

/** How often a pair is asked whose answers change meanwhile. */
const TRIES = 10

/**
 * A difference that comes and goes with the id. What changed between two requests, because a reply or a replay went on,
 * is none: another person's id is asked for once more, and must be answered as before.
 */
async function lastingDifferenceOf(base: string, pair: Pair, limit: number): Promise<string | undefined> {
  let difference: string | undefined
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const before = await answerTo(base, pair, 'theirs', limit)
    const unknown = await answerTo(base, pair, 'unknown', limit)
    const after = await answerTo(base, pair, 'theirs', limit)
    difference = partedAt(after, unknown)
    if (difference === undefined || before === after) return difference
  }
  return `never the same twice, ${difference}`
}

async function differenceOf(base: string, pair: Pair, limit: number): Promise<string | undefined> {
  return partedAt(await answerTo(base, pair, 'theirs', limit), await answerTo(base, pair, 'unknown', limit))
}

async function answerTo(base: string, pair: Pair, which: 'theirs' | 'unknown', limit: number) {
  const { path, bytes } = pair[which]
  // what a tool says comes in a stream that ends; a turn that goes on would stand in the way of the next one
  const options = { toItsEnd: ['/mcp', '/api/chat'].includes(pair.theirs.path) }
  return told(await sendRaw(base, bytes, limit, options), pair.ids[which], path)
}

/** Two texts where they part, each with some words before. */
function partedAt(one: string, other: string): string | undefined {
  if (one === other) return undefined
  let shared = 0
  while (one[shared] === other[shared]) shared++
  const from = Math.max(0, shared - 100)
  return `“${one.slice(from, from + 300)}” in place of “${other.slice(from, from + 300)}”`
}

/** An answer without the id that was asked for, and without what is new in each answer. */
function told(outcome: RawOutcome, id: string, path: string): string {
  if (outcome.kind !== 'answer') return outcome.kind
  const { status, headers, body } = outcome.answer
  const said = body
    .replaceAll(id, '…')
    .replaceAll(encodeURIComponent(id), '…')
    .replace(/[\da-f]{8}-[\da-f-]{27}|\d{4}-\d\d-\d\dT[\d:.]+Z|\b\d{10,}\b|nonce="[^"]*"|'nonce-[^']*'/g, '…')
  const type = headers.get('content-type') ?? 'nothing'
  if (type.startsWith('text/event-stream') && path !== '/mcp') return `${status} ${type}`
  // what was done before the answer took its time, and has its place in a log
  const shape = status < 400 ? said.replace(/\d+/g, '…') : said
  return `${status} ${type} ${type.startsWith('text/html') ? shape.length : shape}`
}
