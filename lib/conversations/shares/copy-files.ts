import type { MessageData } from '@/lib/context'
import type { ChatId, UserId } from '@/lib/events'
import type { SharingPorts } from './shares-port'
import { shownFiles } from './shown-message'

/** The files that messages of a chat show, as another person's own: their new ids, by the old ones. */
export async function copyFiles(
  { files, stored }: Pick<SharingPorts, 'files' | 'stored'>,
  { chatId, messages, ownerId }: { chatId: ChatId; messages: readonly MessageData[]; ownerId: UserId },
): Promise<ReadonlyMap<string, string>> {
  const names = new Map(messages.flatMap(shownFiles).map(({ id, name }) => [id, name]))
  const copies = new Map<string, string>()
  if (names.size === 0) return copies
  for (const file of await stored.ofChat(chatId, [...names.keys()])) {
    // one after the other: at most one is in memory
    const { id, mediaType } = file
    const named = { mediaType, name: names.get(id) ?? 'file' }
    const copy = await files.store(ownerId, { bytes: await stored.bytes(file), ...named })
    if (copy) copies.set(file.id, copy.id)
  }
  return copies
}
