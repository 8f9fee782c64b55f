import type { FileUIPart, TextUIPart } from 'ai'
import { QuotaExceededError } from '@/lib/context'
import { fileUrl, sizeWords } from '@/lib/protocol'
import { InvalidRequestError, UnsupportedTypeError } from '../errors'
import type { Ports } from '../ports'
import { storeFile } from './store-file'

/**
 * Stores a file that a model has made, for the owner of the chat, like an upload of the owner.
 *
 * @param input.most largest file, in bytes
 * @returns its part, or a sentence that explains why it is not kept
 */
export async function keepFile(
  { store, files, logError }: Pick<Ports, 'files' | 'logError'> & { store: Pick<Ports['store'], 'getChat'> },
  { chatId, file, most }: { chatId: string; file: { mediaType: string; bytes: Buffer }; most: number },
): Promise<FileUIPart | TextUIPart> {
  const { mediaType, bytes } = file
  const leftOut = (why: string): TextUIPart => ({
    type: 'text',
    text: `[A file of the model (${mediaType}, ${sizeWords(bytes.length)}) is left out: ${why}]`,
  })
  if (bytes.length > most) return leftOut(`the most a file can have is ${sizeWords(most)}.`)
  const chat = await store.getChat(chatId)
  if (!chat) return leftOut('the chat was deleted.')
  const [kind, extension = 'bin'] = mediaType.split(/[/+;]/)
  const name = `${kind === 'image' ? 'picture' : 'file'}.${extension === 'jpeg' ? 'jpg' : extension}`
  try {
    const stored = await storeFile({ files }, { ownerId: chat.userId, name, bytes })
    if (!stored) return leftOut('its owner does not exist any more.')
    return { type: 'file', mediaType: stored.media_type, filename: stored.name, url: fileUrl(stored.id) }
  } catch (error) {
    const isRefused =
      error instanceof InvalidRequestError ||
      error instanceof UnsupportedTypeError ||
      error instanceof QuotaExceededError
    if (isRefused) return leftOut(error.message)
    // the words of the reply are worth more
    logError(`storing a file of a reply in chat ${chatId}`, error)
    return leftOut('it could not be stored.')
  }
}
