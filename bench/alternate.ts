import { median } from './statistics'

export interface AlternateOptions {
  /** rounds at most; in each, every contender runs once */
  rounds: number
  /** rounds before the first one that counts */
  warmup?: number
  /** begin no further round after this many milliseconds, but never stop before the third */
  budget?: number
}

/**
 * Runs contenders in turns and answers with the median of each, in milliseconds. What disturbs the machine
 * disturbs them all, so their ratio holds where single figures do not. Every round has its own order: no contender
 * always follows (caches, garbage) the same other.
 *
 * @example
 * const { floor, ours } = await alternate({ floor: scan, ours: chain }, { rounds: 31 })
 */
export async function alternate<Name extends string>(
  contenders: Record<Name, () => Promise<unknown>>,
  options: AlternateOptions,
): Promise<Record<Name, number>> {
  const samples = await inTurns(
    mapValues(contenders, (work) => () => timed(work)),
    options,
  )
  return mapValues(samples, median)
}

/** As `alternate`, for contenders that answer with a figure of their own: all figures, in the order of the rounds. */
export async function inTurns<Name extends string>(
  contenders: Record<Name, () => Promise<number>>,
  { rounds, warmup = 5, budget = 20_000 }: AlternateOptions,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(contenders) as Name[]
  const samples = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  let deadline = Number.POSITIVE_INFINITY
  for (let round = -warmup; round < rounds; round++) {
    if (round === 0) deadline = performance.now() + budget
    if (round >= 3 && performance.now() > deadline) break
    for (const name of shuffled(names)) {
      const figure = await contenders[name]()
      if (round >= 0) samples[name].push(figure)
    }
  }
  return samples
}

function mapValues<Name extends string, From, To>(
  record: Record<Name, From>,
  change: (value: From) => To,
): Record<Name, To> {
  const entries = Object.entries<From>(record).map(([name, value]) => [name, change(value)])
  return Object.fromEntries(entries) as Record<Name, To>
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, key: Math.random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item)
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
