import { runInNewContext } from 'node:vm'
import type { BisectJudge } from '@/lib/context'
import type { ChatId } from '@/lib/events'
import { InvalidRequestError } from '../errors'
import type { Ports } from '../ports'

/** Characters of a reply that a pattern looks at, and how long it may take, in ms. */
const [LOOKED_AT, PATTERN_MS] = [100_000, 200]
/** How long a model is waited for, in ms. */
const MODEL_MS = 60_000

/**
 * Whether a reply says it, and what that cost; null where a person has to say so.
 *
 * @throws InvalidRequestError for a pattern that takes too long, and for a model that says neither yes nor no
 */
export async function judgeReply(
  ports: Pick<Ports, 'judge'>,
  judge: BisectJudge,
  asked: { chatId: ChatId; model: string; question: string; reply: string },
): Promise<{ says: boolean; tokens: number } | null> {
  switch (judge.kind) {
    case 'person':
      return null
    case 'text':
      return { says: asked.reply.toLowerCase().includes(judge.text.toLowerCase()), tokens: 0 }
    case 'pattern':
      return { says: matches(judge.pattern, asked.reply), tokens: 0 }
    case 'model': {
      const { question, reply, ...rest } = asked
      const prompt = `Claim: the reply ${judge.what}\n\nQuestion:\n${question.slice(0, 4000)}\n\nReply:\n${reply.slice(0, 20_000)}`
      const abortSignal = AbortSignal.timeout(MODEL_MS)
      const { text, tokens } = await ports.judge({ ...rest, prompt, abortSignal })
      const says = /^\W*(yes|no)\b/i.exec(text)?.[1]?.toLowerCase()
      if (says === undefined) throw new InvalidRequestError('The model said neither yes nor no.')
      return { says: says === 'yes', tokens }
    }
  }
}

/**
 * Whether a text matches a pattern of a person's. A pattern that backtracks without end is cut off: it runs in a context of
 * its own, whose time is limited by the engine, and on a text of limited length.
 */
export function matches(pattern: string, text: string): boolean {
  try {
    return runInNewContext(
      'new RegExp(pattern, "i").test(text)',
      { pattern, text: text.slice(0, LOOKED_AT) },
      {
        timeout: PATTERN_MS,
      },
    )
  } catch (error) {
    // an error of another context is no `Error` of this one
    const isSlow =
      typeof error === 'object' &&
      error !== null &&
      'code' in error &&
      error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
    if (isSlow)
      throw new InvalidRequestError('This pattern takes too long. Choose a simpler one.', 'slow_pattern')
    throw new InvalidRequestError('This pattern is not a regular expression.', 'invalid_pattern')
  }
}
