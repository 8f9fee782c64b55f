import type { UIMessage } from 'ai'
import { aboutTokens, type Change, promptText } from '@/lib/context'
import type { MessageMetadata } from '@/lib/protocol'
import type { FittedPrompt } from './fit-window'

/**
 * The cost of a reply, for quotas: the tokens its provider counted, else an estimate. A request that failed
 * before its first word counts nothing.
 *
 * @param attempt number of the attempt that made it: earlier attempts also called the model
 */
export function spentOn(
  prompt: FittedPrompt,
  reply: { status: string; message: UIMessage; usage?: MessageMetadata['usage'] | undefined },
  attempt: number,
): NonNullable<Change['spent']> {
  const said = textsOf(reply.message)
  const isRefused = reply.status === 'failed' && said.every((text) => text === '')
  const { inputTokens, outputTokens } = reply.usage ?? {}
  const unknown = (texts: () => string[]) => (isRefused ? 0 : aboutTokens(texts()))
  const input = inputTokens ?? unknown(() => [prompt.instructions, ...prompt.messages.map(promptText)])
  const { tokens, calls } = prompt.summarised ?? { tokens: 0, calls: 0 }
  return { tokens: tokens + input + (outputTokens ?? unknown(() => said)), calls: calls + attempt - 1 }
}

/** The cost of abandoned attempts: only their texts are known. */
export const spentOnAttempts = (
  partials: readonly UIMessage[],
  attempt: number,
): NonNullable<Change['spent']> => ({
  tokens: aboutTokens(partials.flatMap(textsOf)),
  // the last one only ends the run
  calls: Math.max(0, attempt - 2),
})

export const textsOf = ({ parts }: UIMessage): string[] =>
  parts.flatMap((part) => (part.type === 'text' || part.type === 'reasoning' ? [part.text] : []))
