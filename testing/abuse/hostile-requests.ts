import type { Arena } from '@/testing/faults/arena'
import { type Dice, dice as diceOf } from '@/testing/worlds/dice'
import { type Attack, inParallel, times } from './attack'
import { belongingsAt } from './belongings'
import { type Cast, honestRequest, hostileRequest, type Written } from './drafts'
import { asksForOthers } from './others-ids'
import { leaveAfter, type RawOutcome, sendRaw } from './raw-http'
import { targetsOf } from './targets'

/** An answer that takes longer is none, in ms. */
const HANG = 10_000
/** Requests of the whole suite, and of each round of a shorter one. */
const [ALL, OF_A_ROUND] = [4000, 100]
/** Requests of one cast: what they have done and lost weighs on no other. */
const OF_A_CAST = 500

/** What an address below this answers with 400 and more is a problem document. */
const isApi = (path: string): boolean => /^\/(api|commands|threads|v1|health)(\/|\?|$)/.test(path)

/** Requests of everything that is served with one to three things wrong, as a client that means harm sends them. */
export const hostileRequests: Attack = {
  name: 'hostile requests',
  // again and again, other attempts among them
  repliesEach: ALL,
  async prepare({ base, arena, dice }) {
    const cast = await castAt(base, arena, dice)
    const targets = await targetsOf(base, cast.own)
    await inParallel(targets, 8, (target) => sendRaw(base, honestRequest(target, base, cast).bytes, HANG))
  },
  async run({ base, arena, dice, rounds, patience }) {
    const count = Math.min(ALL, OF_A_ROUND * rounds)
    // the short run is the same every time
    const rolled = rounds > 1 ? dice : diceOf(1)
    const limit = patience > 1 ? 3 * HANG : HANG
    const problems: string[] = []
    let asked = count
    for (let from = 0; from < count; from += OF_A_CAST) {
      const cast = await castAt(base, arena, rolled)
      const targets = await targetsOf(base, cast.own)
      // written one after the other: the same seed writes the same requests
      const requests = times(Math.min(OF_A_CAST, count - from), (i) =>
        hostileRequest(from + i, base, targets, cast),
      )
      const judged = await inParallel(requests, 8, (request) => attempt(base, request, cast, limit))
      problems.push(...judged.flat())
      if (from > 0) continue
      const others = await asksForOthers(base, targets, cast, { every: rounds > 1 ? 4 : 90, limit })
      asked += others.asked
      problems.push(...others.problems)
    }
    console.log(`     ${asked} hostile requests`)
    return problems
  },
}

async function castAt(base: string, arena: Arena, dice: Dice): Promise<Cast> {
  const arrive = () => belongingsAt(base, arena)
  const [own, spare, other] = await Promise.all([arrive(), arrive(), arrive()])
  return { own, spare, other, dice }
}

async function attempt(base: string, { bytes, cut, path, shown }: Written, cast: Cast, limit: number) {
  if (cut !== undefined) {
    await leaveAfter(base, bytes.subarray(0, cut))
    return []
  }
  return judge(await sendRaw(base, bytes, limit), path, cast, limit).map((problem) => `${problem}: ${shown}`)
}

function judge(outcome: RawOutcome, path: string, { other }: Cast, limit: number): string[] {
  if (outcome.kind === 'hung') return [`no answer after ${limit} ms`]
  // what is no HTTP may be hung up on
  if (outcome.kind === 'closed') return []
  const { status, headers, body } = outcome.answer
  if (outcome.ms >= limit) return [`an answer of ${status} without end`]
  if (body.includes(other.mark) && !path.includes(other.ids.shareToken))
    return [`${status} tells what another person has said`]
  if (status >= 500 && status !== 503) return [`answered ${status}`]
  if (status < 400 || !isApi(path)) return []
  // a server that calls itself unwell is no refusal
  if (status === 503 && HEALTH.test(path)) return []
  const type = headers.get('content-type') ?? 'nothing'
  const isProblem = type.startsWith('application/problem+json')
  // where agents call models, and apps ask for tokens, refusals are told as their protocol tells them
  if (!isProblem && !(PROTOCOLS.test(path) && type.startsWith('application/json')))
    return [`${status} is told as ${type}`]
  // an answer to HEAD has no body
  if (body === '') return []
  try {
    const told = JSON.parse(body) as Refusal
    const says = isProblem ? told.status === status && told.detail && told.code : reasonOf(told)
    return says ? [] : [`${status} says ${body.slice(0, 200)}`]
  } catch {
    return [`${status} says ${body.slice(0, 200)}`]
  }
}

const HEALTH = /^(?:\/api)?\/health(?:[/?]|$)/
const PROTOCOLS =
  /^\/(?:v1\/(?:chat\/completions|responses|messages(?:\/count_tokens)?|models)|api\/oauth\/(?:register|token|revoke))(?:[/?]|$)/

/** A problem document, an error of OpenAI's or Anthropic's form, or one of OAuth's. */
interface Refusal {
  status?: number
  detail?: string
  code?: string
  error?: { message?: string } | string
}

const reasonOf = ({ error }: Refusal): string | undefined =>
  typeof error === 'string' ? error : error?.message
