import type { ContextData, MessageData } from '@/lib/context'
import type { Database } from '@/lib/db'
import type { PickedChats } from '@/lib/protocol'
import type { FileInfo } from '../files/files'
import { asking } from './asking'
import { messageColumns, recorded } from './chain-sql'
import { pickedChats } from './chat-list'
import { type MessageRow, publicId, toMessage } from './rows'

/** Content of a chat besides its log and its messages. */
interface ExportedChat {
  /** the owner's id for it */
  called: string
  /** its last event */
  seq: number
  contexts: ContextData[]
  /** ids by name: old events lack them */
  checkpointIds: Record<string, string>
  summaries: { messageId: string; leftOut: string; text: string; model: string }[]
  files: FileInfo[]
  /** its place in the owner's list */
  kept: { pinned: boolean; archived: boolean; tags: string[] }
}

/** Reads whole chats, for files of them. Another person's chat reads as missing. */
export class ChatExports {
  readonly #ask: Database['query']

  constructor(database: Pick<Database, 'query'>) {
    this.#ask = asking(database)
  }

  async chat(chatId: string, ownerId: string): Promise<ExportedChat | undefined> {
    const [row] = await this.#ask<ExportedChat>(
      `select ${publicId('c')} as called, c.last_seq::float8 as seq,
        (select coalesce(json_agg(json_build_object('id', x.id, 'fragments', x.fragments, 'model', x.model, 'setup', x.setup)
          order by x.id collate "C"), '[]') from contexts x where x.chat_id = c.id) as contexts,
        (select coalesce(json_object_agg(k.name, k.id), '{}') from checkpoints k where k.chat_id = c.id) as "checkpointIds",
        (select coalesce(json_agg(json_build_object('messageId', s.message_id, 'leftOut', s.left_out, 'text', s.text,
          'model', s.model) order by s.message_id collate "C", s.left_out), '[]') from summaries s where s.chat_id = c.id) as summaries,
        (select coalesce(json_agg(json_build_object('id', f.id, 'sha256', f.sha256, 'mediaType', f.media_type,
          'name', f.name, 'size', f.size) order by f.id collate "C"), '[]')
          from chat_files h join files f on f.id = h.file_id where h.chat_id = c.id and f.is_whole) as files,
        json_build_object('pinned', c.pinned_at is not null, 'archived', c.archived_at is not null,
          'tags', (select coalesce(json_agg(t.value order by t.key collate "C"), '[]') from jsonb_each_text(c.tags) t)) as kept
      from chats c where c.id = $1 and c.user_id = $2`,
      [chatId, ownerId],
    )
    return row
  }

  /** Messages that were recorded after one event and not after another, in the order of the log. */
  async messages(chatId: string, { after, upTo }: { after: number; upTo: number }): Promise<MessageData[]> {
    const rows = await this.#ask<MessageRow>(
      `select ${messageColumns} from events e
      cross join ${recorded} m
      where e.chat_id = $1 and e.message_id is not null and e.seq > $2 and e.seq <= $3 order by e.seq`,
      [chatId, after, upTo],
    )
    return rows.map((row) => toMessage(chatId, row))
  }

  /** The keys of a person's chats, or of the picked ones, from the oldest on, after a given chat. */
  async chatsOf(
    ownerId: string,
    {
      after,
      limit,
      picked,
    }: {
      after: { id: string; createdAt: string } | null
      limit: number
      picked?: PickedChats | undefined
    },
  ) {
    const { where, params } = picked
      ? pickedChats(ownerId, picked)
      : { where: 'c.user_id = $1', params: [ownerId] }
    const param = (value: unknown) => `$${params.push(value)}`
    const [id, createdAt] = [param(after?.id ?? null), param(after?.createdAt ?? null)]
    return this.#ask<{ id: string; createdAt: string }>(
      `select c.id, c.created_at::text as "createdAt" from chats c
      where ${where} and (${id}::text is null or (c.created_at, c.id) > (${createdAt}::timestamptz, ${id}))
      order by c.created_at, c.id limit ${param(limit)}`,
      params,
    )
  }
}
