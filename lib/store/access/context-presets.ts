import { NotFoundError } from '@/lib/context'
import type { Database } from '@/lib/db'
import { asking } from '../reads/asking'

/** A context that a person has saved under a name. Times are milliseconds. */
export interface StoredPreset<Content> {
  id: string
  name: string
  content: Content
  createdAt: number
  updatedAt: number
}

/** How many presets a person may have, and how many characters all of them together. */
export interface PresetLimits {
  most: number
  size: number
}

/** What came of saving a preset: the preset, or the limit that it would go beyond, and how much of it is used. */
export type SavedPreset<Content> =
  | { preset: StoredPreset<Content>; limit?: never }
  | { limit: 'presets' | 'size'; used: number; preset?: never }

/** People's presets; each is its owner's alone. */
export class ContextPresets<Content> {
  readonly #ask: Database['query']

  constructor(
    database: Database,
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
    return this.#save({ ...preset, userId: ownerId, replaces: false })
  }

  /** Changes the name or the content of a preset. Rejects with `NotFoundError` when it is missing or someone else's. */
  async change(
    ownerId: string,
    id: string,
    change: { name?: string | undefined; content?: Content | undefined },
  ): Promise<SavedPreset<Content>> {
    const saved = await this.#save({ ...change, id, userId: ownerId, replaces: true })
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

  async #save(preset: object): Promise<SavedPreset<Content> | undefined> {
    const [row] = await this.#ask<{ saved: SavedPreset<Content> | null }>(
      'select save_preset($1::json) as saved',
      [JSON.stringify({ ...preset, ...this.limits })],
    )
    return row?.saved ?? undefined
  }
}
