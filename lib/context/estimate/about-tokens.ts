import { estimateTokens } from './estimate-tokens'

/** Characters whose tokens are estimated one by one; the rest of a longer text counts like its beginning. */
const WEIGHED = 20_000

/** About how many tokens texts have, in bounded time however long they are. */
export function aboutTokens(texts: readonly string[]): number {
  const sample: string[] = []
  let weighed = 0
  let length = 0
  for (const text of texts) {
    const beginning = text.slice(0, WEIGHED - weighed)
    if (beginning !== '') sample.push(beginning)
    weighed += beginning.length
    length += text.length
  }
  return weighed === 0 ? 0 : Math.ceil((estimateTokens(sample) * length) / weighed)
}
