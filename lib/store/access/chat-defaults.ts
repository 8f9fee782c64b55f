import type { Database } from '@/lib/db'
import { asking } from '../reads/asking'

/** Defaults of a person's new chats. */
interface StoredDefaults {
  instructions: string
  /** null for the server's choice */
  model: string | null
  /** approvals by the name of the tool */
  tools: Record<string, 'always' | 'ask' | 'never'>
}

/** A part that is left out stays as it is. */
type DefaultsChange = { [Part in keyof StoredDefaults]?: StoredDefaults[Part] | undefined }

const columns = 'instructions, model, tools'

/** Defaults of new chats, for each person alone. */
export class ChatDefaultsStore {
  readonly #ask: Database['query']

  constructor(database: Database) {
    this.#ask = asking(database)
  }

  /** A person's defaults; undefined when nothing is set. */
  async of(ownerId: string): Promise<StoredDefaults | undefined> {
    const [row] = await this.#ask<StoredDefaults>(`select ${columns} from chat_defaults where user_id = $1`, [
      ownerId,
    ])
    return row
  }

  /**
   * Changes what a person's new chats begin with; chats that there are stay as they are.
   *
   * @returns undefined when the person does not exist (any more)
   */
  async change(ownerId: string, change: DefaultsChange): Promise<StoredDefaults | undefined> {
    const { instructions, model, tools } = change
    const [row] = await this.#ask<StoredDefaults>(
      `insert into chat_defaults (user_id, instructions, model, tools)
      select u.id, coalesce($2, ''), $4, coalesce($5::json, '{}') from "user" u where u.id = $1
      on conflict (user_id) do update set instructions = coalesce($2, chat_defaults.instructions),
        model = case when $3 then $4 else chat_defaults.model end,
        tools = coalesce($5::json, chat_defaults.tools), updated_at = clock_timestamp()
      returning ${columns}`,
      [
        ownerId,
        instructions ?? null,
        model !== undefined,
        model ?? null,
        tools === undefined ? null : JSON.stringify(tools),
      ],
      { kind: 'write' },
    )
    return row
  }
}
