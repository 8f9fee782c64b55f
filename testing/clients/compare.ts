import { sorted } from '@/lib/gateway/chain/json'
import type { Recorded } from './scripted-provider'

/** Headers that name the connection, its address or its key. */
const OF_THE_WAY =
  /^(?:host|connection|content-length|transfer-encoding|authorization|x-api-key|x-ramify-.*)$/

/** Ids and times, which differ from run to run of the same client. */
const VOLATILE: readonly [RegExp, string][] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UUID'],
  [/\b[0-9a-f]{16,64}\b/g, 'HEX'],
  [/\b(ses|msg|prt|cc_version)([_=])[\w.]+/g, '$1$2ID'],
  [/\b\d{4}-\d\d-\d\dT[\d:.]+Z?/g, 'TIME'],
  [/\b1[78]\d{8}(?:\d{3})?\b/g, 'TIME'],
  [/\b\d+(?:\.\d+)? ?(?:ms|s|seconds)\b/g, 'SPAN'],
  [/(\w*_ms|total_tokens|Wall time|wall_time_seconds|PGID)(\W+)[\d.]+/g, '$1$2N'],
  [/(chunk_id)(\W+)[0-9a-f]+/g, '$1$2ID'],
  [/\b(?:rk_[\w-]{40,}|sk-of-the-client)/g, 'KEY'],
  [/http:\/\/(?:127\.0\.0\.1|localhost):\d+/g, 'BASE'],
]

/** A request without what differs between two runs of one client, as text. */
function plainRequest({ method, path, headers, body }: Recorded): string {
  const kept = Object.entries(headers)
    .filter(([name]) => !OF_THE_WAY.test(name))
    .sort(([one], [other]) => (one < other ? -1 : 1))
  return plain(
    `${method} ${path}\n${kept.map((pair) => pair.join(': ')).join('\n')}\n${JSON.stringify(sorted(body), null, 1)}`,
  )
}

const plain = (text: string): string =>
  VOLATILE.reduce((known, [pattern, word]) => known.replace(pattern, word), text)

/**
 * The lines that a client prints in one run and not in the other, whatever their order: it writes in two streams.
 *
 * @param direct printed without Ramify
 * @param through printed with it
 */
export function printedDifferences(direct: string, through: string): string[] {
  const [without, within] = [plain(direct), plain(through)]
  return [
    ...linesLacking(without, within).map((line) => `prints "${line}" without Ramify alone`),
    ...linesLacking(within, without).map((line) => `prints "${line}" through Ramify alone`),
  ]
}

/**
 * What of one list of requests the other lacks, or has otherwise, line by line; each sentence once, with how often it holds.
 *
 * @param direct asked without Ramify
 * @param through asked through it
 */
export function differences(direct: readonly Recorded[], through: readonly Recorded[]): string[] {
  const rest = through.map(plainRequest)
  const unlike: string[] = []
  for (const request of direct.map(plainRequest)) {
    const at = rest.indexOf(request)
    if (at >= 0) rest.splice(at, 1)
    else unlike.push(request)
  }
  const counts = new Map<string, number>()
  const note = (sentence: string) => counts.set(sentence, (counts.get(sentence) ?? 0) + 1)
  for (const [at, request] of unlike.entries()) {
    const other = rest[at]
    if (other === undefined) note(`does not arrive: ${firstLine(request)}`)
    else {
      for (const line of linesLacking(request, other)) note(`loses "${line}"`)
      for (const line of linesLacking(other, request)) note(`gains "${line}"`)
    }
  }
  for (const request of rest.slice(unlike.length)) note(`arrives besides: ${firstLine(request)}`)
  return [...counts].map(([sentence, count]) => (count === 1 ? sentence : `${sentence} (${count} times)`))
}

const firstLine = (text: string): string => text.slice(0, text.indexOf('\n'))

/** The lines that one text has more often than another, cut to what can be read. */
function linesLacking(text: string, other: string): string[] {
  const there = other.split('\n')
  return text
    .split('\n')
    .filter((line) => {
      const at = there.indexOf(line)
      if (at >= 0) there.splice(at, 1)
      return at < 0
    })
    .map((line) => (line.length > LONG ? `${line.slice(0, LONG)}…` : line))
}

const LONG = 160
