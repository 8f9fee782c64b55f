import { and, type Column, count, eq, ne, type SQL, sql } from 'drizzle-orm'
import { NotFoundError } from '@/lib/context'
import { type Database, schema } from '@/lib/db'
import { asking } from '../reads/asking'
import { lockPerson } from './lock-person'

const { contextPresets } = schema

/** A context that a person has saved under a name. Times are milliseconds. */
export interface StoredPreset<Content> {
  id: string
  name: string
  content: Content
  createdAt: number
  updatedAt: number
}

/** Maximum number of a person's presets, and of characters in all of them together. */
export interface PresetLimits {
  most: number
  size: number
}

/** Result of saving a preset: the preset, or the limit that it would exceed, and its use. */
export type SavedPreset<Content> =
  | { preset: StoredPreset<Content>; limit?: never }
  | { limit: 'presets' | 'size'; used: number; preset?: never }

/** People's presets; each is its owner's alone. */
export class ContextPresets<Content> {
  readonly #ask: Database['query']

  constructor(
    private readonly database: Database,
    private readonly limits: PresetLimits,
  ) {
    this.#ask = asking(database)
  }

  /** A person's presets, by name. */
  list(ownerId: string): Promise<StoredPreset<Content>[]> {
    return this.#ask<StoredPreset<Content>>(
      `select id, name, content, epoch_ms(created_at) as "createdAt", epoch_ms(updated_at) as "updatedAt"
      from context_presets where user_id = $1 order by lower(name), id`,
      [ownerId],
    )
  }

  /**
   * Saves a new preset.
   *
   * @returns undefined when the owner does not exist (any more)
   */
  create(
    ownerId: string,
    preset: { id: string; name: string; content: Content },
  ): Promise<SavedPreset<Content> | undefined> {
    return this.#save(ownerId, preset)
  }

  /** Changes the name or the content of a preset. Rejects with `NotFoundError` when it is missing or someone else's. */
  async change(
    ownerId: string,
    id: string,
    change: { name?: string | undefined; content?: Content | undefined },
  ): Promise<SavedPreset<Content>> {
    const saved = await this.#save(ownerId, { ...change, id, replaces: true })
    if (!saved) throw new NotFoundError('preset', id)
    return saved
  }

  /** Deletes a preset. Rejects with `NotFoundError` when it is missing or someone else's. */
  async remove(ownerId: string, id: string): Promise<void> {
    const rows = await this.#ask('delete from context_presets where user_id = $1 and id = $2 returning id', [
      ownerId,
      id,
    ])
    if (rows.length === 0) throw new NotFoundError('preset', id)
  }

  #save(
    ownerId: string,
    preset: {
      id: string
      name?: string | undefined
      content?: Content | undefined
      /** true for a change of one that is there */
      replaces?: boolean
    },
  ): Promise<SavedPreset<Content> | undefined> {
    const { id, name, content, replaces = false } = preset
    const { most, size } = this.limits
    const mine = eq(contextPresets.userId, ownerId)
    const said = content === undefined ? undefined : JSON.stringify(content)
    return this.database.orm.transaction(async (tx) => {
      if (!(await lockPerson(tx, ownerId))) return undefined
      const [others] = await tx
        .select({
          presets: count(),
          size: sql<number>`coalesce(sum(length(content::text)), 0)::int`,
          added: sql<number>`coalesce(length(${said ?? null}::text), 0)`,
        })
        .from(contextPresets)
        .where(and(mine, ne(contextPresets.id, id)))
      if (!others) return undefined
      if (!replaces && others.presets >= most) return { limit: 'presets', used: others.presets }
      if (said !== undefined && others.size + others.added > size) return { limit: 'size', used: others.size }
      const [row] = replaces
        ? await tx
            .update(contextPresets)
            .set({ name, content, updatedAt: sql`clock_timestamp()` })
            .where(and(mine, eq(contextPresets.id, id)))
            .returning(saved)
        : await tx
            .insert(contextPresets)
            .values({ id, userId: ownerId, name: name ?? '', content })
            .returning(saved)
      return row && { preset: row as StoredPreset<Content> }
    })
  }
}

const msOf = (time: Column): SQL<number> => sql<number>`epoch_ms(${time})`

const saved = {
  id: contextPresets.id,
  name: contextPresets.name,
  content: contextPresets.content,
  createdAt: msOf(contextPresets.createdAt),
  updatedAt: msOf(contextPresets.updatedAt),
}
