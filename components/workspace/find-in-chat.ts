import { type Api, getJson } from '@/components/app/api'
import type { ChatId, MessageId } from '@/lib/events'
import type { SearchPage } from '@/lib/graph'

/** As many as the server gives in one answer. */
const most = 100

/** The messages of a chat, on any branch, that hold all the words; of very many the best. */
export async function findInChat(
  api: Api,
  chatId: ChatId,
  words: string,
  signal: AbortSignal,
): Promise<MessageId[]> {
  const query = new URLSearchParams({ q: words, chat: chatId, limit: String(most) })
  const { hits } = await getJson<SearchPage>(api, `/api/search?${query}`, signal)
  return hits.map(({ messageId }) => messageId)
}
