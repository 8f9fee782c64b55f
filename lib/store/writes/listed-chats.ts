import type { Database } from '@/lib/db'
import type { PickedChats } from '@/lib/protocol'
import { pickedChats } from '../reads/chat-list'
import { publicId } from '../reads/rows'
import { refusalOf } from './refusals'

type Keyed = Readonly<Record<string, string>>

/** Changes to an owner's list of chats. */
export interface KeptChange {
  pinned?: boolean | undefined
  archived?: boolean | undefined
  /** spellings by key, to replace the tags or to add; and the keys of tags to remove */
  tags?: { all: Keyed } | { add: Keyed; remove: readonly string[] } | undefined
}

/**
 * Pins, archives, tags and deletes listed chats. Each change is one statement for any number of chats: it
 * changes all of them, or none. Nothing else of a chat depends on it, so no event is logged and the time of
 * its last change stays.
 */
export class ListedChats {
  /** @param onDeleted called with the key of every chat that was deleted */
  constructor(
    private readonly database: Pick<Database, 'query'>,
    private readonly onDeleted: (chatId: string) => void = () => undefined,
  ) {}

  /**
   * Changes those chats of an owner; of others, none.
   *
   * @returns the owner's ids of the chats that are other than before
   * @throws InvalidDataError when a chat would have too many tags; then nothing is changed
   */
  async change(ownerId: string, picked: PickedChats, change: KeptChange): Promise<string[]> {
    const { where, params } = pickedChats(ownerId, picked)
    const param = (value: unknown) => `$${params.push(value)}`
    const sets: [column: string, value: string][] = []
    for (const [column, on] of [
      ['pinned_at', change.pinned],
      ['archived_at', change.archived],
    ] as const) {
      if (on !== undefined) sets.push([column, on ? `coalesce(c.${column}, now())` : 'null::timestamptz'])
    }
    if (change.tags) sets.push(['tags', tagsSql(change.tags, param)])
    if (sets.length === 0) return []
    try {
      const rows = await this.database.query<{ id: string }>(
        // in the order of their keys: two acts on the same chats wait for each other
        `with picked as (select c.id from chats c where ${where} order by c.id for no key update)
        update chats c set ${sets.map(([column, value]) => `${column} = ${value}`).join(', ')}
        from picked where c.id = picked.id
          and (${sets.map(([column, value]) => `c.${column} is distinct from ${value}`).join(' or ')})
        returning ${publicId('c')} as id`,
        params,
      )
      return rows.map(({ id }) => id)
    } catch (error) {
      throw refusalOf(error)
    }
  }

  /**
   * Deletes the picked chats of an owner with everything in them. Returns their keys, and the owner's ids for
   * them.
   */
  async remove(ownerId: string, picked: PickedChats): Promise<{ key: string; id: string }[]> {
    const { where, params } = pickedChats(ownerId, picked)
    const gone = await this.database.query<{ key: string; id: string }>(
      `with picked as (select c.id from chats c where ${where} order by c.id for update)
      delete from chats c using picked where c.id = picked.id returning c.id as key, ${publicId('c')} as id`,
      params,
    )
    for (const { key } of gone) this.onDeleted(key)
    return gone
  }
}

function tagsSql(tags: NonNullable<KeptChange['tags']>, param: (value: unknown) => string): string {
  if ('all' in tags) return `${param(JSON.stringify(tags.all))}::text::jsonb`
  const added = param(JSON.stringify(tags.add))
  // an existing tag keeps its spelling
  return `((${added}::text::jsonb || c.tags) - ${param(tags.remove)}::text[])`
}
