import { type MessageData, NotFoundError } from '@/lib/context'
import type { ChatId, UserId } from '@/lib/events'
import type { Ports } from '../ports'
import type { ChatSource } from './chat-file'

/** Events whose messages are read at once. */
const STRETCH = 100

/**
 * A stored chat as of now: messages that are written during the read are not part of it. Messages are read
 * page by page.
 *
 * @throws NotFoundError for a missing or another person's chat
 */
export async function chatSource(
  { exports, store, files }: Pick<Ports, 'exports' | 'store' | 'files'>,
  { ownerId, chatId }: { ownerId: UserId; chatId: ChatId },
): Promise<ChatSource> {
  const chat = await exports.chat(chatId, ownerId)
  if (!chat) throw new NotFoundError('chat', chatId)
  const { seq, ...facts } = chat
  const events = (await store.getEvents(chatId)).filter((event) => event.seq <= seq)
  return {
    ...facts,
    events,
    async *messages(): AsyncGenerator<MessageData> {
      for (let after = 0; after < seq; after += STRETCH) {
        yield* await exports.messages(chatId, { after, upTo: Math.min(after + STRETCH, seq) })
      }
    },
    pieces: (file) => files.pieces(file),
  }
}
