import { createHash } from 'node:crypto'
import type { ImportChoice } from '@/lib/protocol'
import type { ImportItem } from './open-import'

/**
 * Names a chat among those of its file: the same in a preview and in the import. Null when this place has no
 * chat.
 */
export function choiceIdOf(item: ImportItem): string | null {
  if ('own' in item) return shortened('ramify', item.title)
  return 'chat' in item ? shortened(item.source, item.chat.id) : null
}

const shortened = (...names: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(names)).digest('base64url').slice(0, 12)

/** Selects the chosen items of a file. Items that are not chats are always selected, for the report. */
export function chosenBy(choice: ImportChoice | null): (item: ImportItem) => boolean {
  if (choice === null) return () => true
  const named = new Set(choice.only ?? choice.except)
  return (item) => {
    const id = choiceIdOf(item)
    return id === null || named.has(id) === (choice.only !== undefined)
  }
}
