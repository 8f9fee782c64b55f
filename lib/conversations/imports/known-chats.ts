import type { UserId } from '@/lib/events'
import { contentDigest } from './content-digest'
import type { ImportsPort, ImportWork } from './imports-port'
import type { ImportItem } from './open-import'
import type { KnownChat } from './plan-chat'

type ChatItem = Extract<ImportItem, { chat: unknown }>

const isChat = (item: ImportItem): item is ChatItem => 'chat' in item

const nameOf = ({ source, chat }: ChatItem): string => `${source}\n${chat.id}`
const contentOf = ({ source, chat }: ChatItem): string => `${source}\n\n${contentDigest(chat)}`

/** Names of a chat of a file: two with one in common are the same. */
export const namesOf = (item: ChatItem): string[] =>
  item.chat.isNamedByFile ? [nameOf(item), contentOf(item)] : [nameOf(item)]

/**
 * A person's stored chats among some items: by their ids, or by their content when their files give no ids.
 */
export class KnownChats {
  readonly #found = new Map<string, KnownChat>()

  constructor(
    private readonly imports: Pick<ImportsPort, 'known' | 'knownByDigest'>,
    private readonly ownerId: UserId,
    private readonly work: ImportWork,
  ) {}

  async look(items: readonly ImportItem[]): Promise<void> {
    const { imports, ownerId, work } = this
    for (const [source, some] of Map.groupBy(items.filter(isChat), (item) => item.source)) {
      const ids = some.map(({ chat }) => chat.id)
      for (const { foreignId, ...row } of await imports.known(ownerId, source, ids, work))
        this.#found.set(`${source}\n${foreignId}`, row)
      const unnamed = some.filter((item) => item.chat.isNamedByFile && !this.#found.has(nameOf(item)))
      if (unnamed.length === 0) continue
      const digests = unnamed.map(({ chat }) => contentDigest(chat))
      for (const row of await imports.knownByDigest(ownerId, source, digests, work))
        this.#found.set(`${source}\n\n${row.digest}`, row)
    }
  }

  of(item: ImportItem): KnownChat | undefined {
    if (!isChat(item)) return undefined
    return namesOf(item)
      .map((name) => this.#found.get(name))
      .find(Boolean)
  }
}
