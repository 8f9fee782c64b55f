import type { BisectJudge } from '@/lib/context'
import type { ChatId } from '@/lib/events'
import { InvalidRequestError } from '../errors'
import type { Ports } from '../ports'
import { matchesPattern } from './match-pattern'

/** Longest wait for a model, in ms. */
const MODEL_MS = 60_000

/**
 * True when a reply says it, and the cost of the verdict; null when a person has to judge.
 *
 * @throws InvalidRequestError for a pattern that takes too long, and for a model that says neither yes nor no
 */
export async function judgeReply(
  ports: Pick<Ports, 'judge'>,
  judge: BisectJudge,
  asked: { ownerId: string; chatId: ChatId; model: string; question: string; reply: string },
): Promise<{ says: boolean; tokens: number } | null> {
  switch (judge.kind) {
    case 'person':
      return null
    case 'text':
      return { says: asked.reply.toLowerCase().includes(judge.text.toLowerCase()), tokens: 0 }
    case 'pattern':
      return { says: await matchesPattern(asked.ownerId, judge.pattern, asked.reply), tokens: 0 }
    case 'model': {
      const { question, reply, ownerId: _owner, ...rest } = asked
      const prompt = `Claim: the reply ${judge.what}\n\nQuestion:\n${question.slice(0, 4000)}\n\nReply:\n${reply.slice(0, 20_000)}`
      const abortSignal = AbortSignal.timeout(MODEL_MS)
      const { text, tokens } = await ports.judge({ ...rest, prompt, abortSignal })
      const says = /^\W*(yes|no)\b/i.exec(text)?.[1]?.toLowerCase()
      if (says === undefined) throw new InvalidRequestError('The model said neither yes nor no.')
      return { says: says === 'yes', tokens }
    }
  }
}
