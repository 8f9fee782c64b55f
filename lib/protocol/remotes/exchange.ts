import { z } from 'zod'
import type { MessageId } from '@/lib/events'
import { id, named } from '../fields'

/** The refs of a chat, as servers tell them to each other. */
export const chatRefs = named(
  'ChatRefs',
  z.object({
    chat_id: z.string(),
    origin: z.string().meta({ description: 'Made with the chat, and kept by its clones' }),
    title: z.string().nullable(),
    branches: z.array(
      z.object({
        name: z.string(),
        head_message_id: id<MessageId>().nullable().meta({ description: 'Null while it is empty' }),
      }),
    ),
    checkpoints: z.array(z.object({ name: z.string(), message_id: id<MessageId>() })),
    seq: z.int().meta({ description: 'The position of its last event' }),
  }),
)

/** The heads of the branches that a push has moved. */
export const pushResult = z.object({
  updated: z.array(z.object({ branch: z.string(), head_message_id: id<MessageId>() })),
})

interface Refs {
  chatId: string
  origin: string
  title: string | null
  branches: { name: string; headMessageId: MessageId | null }[]
  checkpoints: { name: string; messageId: MessageId }[]
  seq: number
}

export const toChatRefs = ({
  chatId,
  origin,
  title,
  branches,
  checkpoints,
  seq,
}: Refs): z.infer<typeof chatRefs> => ({
  chat_id: chatId,
  origin,
  title,
  branches: branches.map(({ name, headMessageId }) => ({ name, head_message_id: headMessageId })),
  checkpoints: checkpoints.map(({ name, messageId }) => ({ name, message_id: messageId })),
  seq,
})
