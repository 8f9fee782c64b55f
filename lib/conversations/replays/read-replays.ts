import { NotFoundError } from '@/lib/context'
import type { ChatId, UserId } from '@/lib/events'
import type { ReplayReport } from '@/lib/protocol'
import type { Ports } from '../ports'
import { costOf } from '../usage/read-usage'

/**
 * The replays of a chat, the latest first, with the usage of their replies so far, at today's prices.
 *
 * @throws NotFoundError for a missing or another person's chat
 */
export async function readReplays(
  ports: Ports,
  { ownerId, chatId }: { ownerId: UserId; chatId: ChatId },
): Promise<ReplayReport> {
  const [models, replays] = await Promise.all([ports.models.of(ownerId), ports.replays.list(chatId, ownerId)])
  if (!replays) throw new NotFoundError('chat', chatId)
  return {
    replays: replays.map(({ spent, ...replay }) => {
      const costs = spent.map(({ model, ...tokens }) => costOf(models.facts(model).price, tokens))
      const sum = (of: 'replies' | 'inputTokens' | 'outputTokens') =>
        spent.reduce((total, line) => total + line[of], 0)
      return {
        replay_id: replay.replayId,
        thread_id: replay.branchId,
        source_thread_id: replay.sourceBranchId,
        from_message_id: replay.fromId,
        asked: replay.asked,
        total: replay.total,
        model: replay.model,
        context_id: replay.contextId,
        status: replay.status,
        reason: replay.reason,
        created_at: new Date(replay.createdAt).toISOString(),
        ended_at: replay.endedAt === null ? null : new Date(replay.endedAt).toISOString(),
        replies: sum('replies'),
        input_tokens: sum('inputTokens'),
        output_tokens: sum('outputTokens'),
        // a price that is not known makes the cost null, never 0
        cost_usd: costs.some((cost) => cost === null)
          ? null
          : costs.reduce<number>((a, b) => a + (b ?? 0), 0),
      }
    }),
  }
}
