import type { UIMessage } from 'ai'
import { type Change, estimateTokens, messageText } from '@/lib/context'
import type { MessageMetadata } from '@/lib/protocol'

/** Characters that are weighed one by one; a longer text is taken to be like its beginning. */
const WEIGHED = 20_000

/** What the model was given. */
export interface Prompt {
  instructions: string
  messages: UIMessage[]
}

/**
 * What a reply has cost, for quotas: the tokens its provider counted, and where it told none an estimate. A request that
 * failed before its first word cost nothing that anybody knows of.
 *
 * @param attempt the one that made it: those before were called for too
 */
export function spentOn(
  prompt: Prompt,
  reply: { status: string; message: UIMessage; usage?: MessageMetadata['usage'] | undefined },
  attempt: number,
): NonNullable<Change['spent']> {
  const said = textsOf(reply.message)
  const isRefused = reply.status === 'failed' && said.every((text) => text === '')
  const { inputTokens, outputTokens } = reply.usage ?? {}
  const unknown = (texts: () => string[]) => (isRefused ? 0 : aboutTokens(texts()))
  const input = inputTokens ?? unknown(() => [prompt.instructions, ...prompt.messages.map(messageText)])
  return { tokens: input + (outputTokens ?? unknown(() => said)), calls: attempt - 1 }
}

/** What attempts have cost that nobody goes on with: what they said is all that is left of them. */
export const spentOnAttempts = (
  partials: readonly UIMessage[],
  attempt: number,
): NonNullable<Change['spent']> => ({
  tokens: aboutTokens(partials.flatMap(textsOf)),
  // the last one only ends the run
  calls: Math.max(0, attempt - 2),
})

const textsOf = ({ parts }: UIMessage): string[] =>
  parts.flatMap((part) => (part.type === 'text' || part.type === 'reasoning' ? [part.text] : []))

/** About how many tokens texts have; what it takes to say that is bounded, however long they are. */
function aboutTokens(texts: readonly string[]): number {
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
