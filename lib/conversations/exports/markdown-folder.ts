import type { ChatId, UserId } from '@/lib/events'
import type { FileFacts, Ports } from '../ports'
import { fileEnding, slug } from './file-names'
import type { ReadableChat } from './readable-chat'
import { chatMarkdown } from './write-markdown'
import type { ArchiveEntry } from './zip-stream'

/** A chat in Markdown with the files that it names beside it: pictures are shown, other files are links. */
export async function* markdownFolder(
  { exports, files }: Pick<Ports, 'exports' | 'files'>,
  chat: ReadableChat,
  { ownerId, chatId, name }: { ownerId: UserId; chatId: ChatId; name: string },
): AsyncGenerator<ArchiveEntry> {
  const kept = new Map((await exports.chat(chatId, ownerId))?.files.map((file) => [file.id, file]))
  const named = new Map<string, FileFacts>()
  const fileAt = (id: string): string | undefined => {
    const file = kept.get(id)
    if (!file) return undefined
    const path = `files/${slug(file.name.replace(/\.\w+$/, ''))}-${file.sha256.slice(0, 8)}${fileEnding(file)}`
    named.set(path, file)
    return path.split('/').map(encodeURIComponent).join('/')
  }
  yield { path: `${name}.md`, content: chatMarkdown(chat, fileAt) }
  for (const [path, file] of named) yield { path, content: files.pieces(file) }
}
