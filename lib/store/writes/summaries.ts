import type { Database } from '@/lib/db'
import type { MessageId } from '@/lib/events'

interface StoredSummary {
  messageId: MessageId
  /** the hash of the ids that the prompt leaves out; empty for none */
  leftOut: string
  text: string
}

/** Summaries of chains that are too long for a model's window: a text at the last message that it sums up. */
export class Summaries {
  constructor(private readonly database: Database) {}

  /** The summaries that are stored at any of these messages of a chat. */
  of(chatId: string, messageIds: readonly MessageId[]): Promise<StoredSummary[]> {
    return this.database.query<StoredSummary>(
      `select message_id as "messageId", left_out as "leftOut", text from summaries
      where chat_id = $1 and message_id in (select json_array_elements_text($2::json))`,
      [chatId, JSON.stringify(messageIds)],
    )
  }

  /**
   * Stores a summary. The first one at a message, for equal left-out messages, stays, and is returned:
   * prompts that were made from it can be shown again.
   */
  async save(
    chatId: string,
    { messageId, leftOut, text, model }: StoredSummary & { model: string },
  ): Promise<StoredSummary> {
    await this.database.query(
      `insert into summaries (chat_id, message_id, left_out, text, model) values ($1, $2, $3, $4, $5)
      on conflict (chat_id, message_id, left_out) do nothing`,
      [chatId, messageId, leftOut, text, model],
    )
    const stored = await this.of(chatId, [messageId])
    return stored.find((summary) => summary.leftOut === leftOut) ?? { messageId, leftOut, text }
  }
}
