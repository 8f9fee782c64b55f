import type { UIMessage } from 'ai'
import type { UserId } from '@/lib/events'
import { MAX_SENT_BYTES, sizeWords, takesType, typeWords } from '@/lib/protocol'
import { InvalidRequestError } from '../errors'
import type { AvailableModels, FileFacts, Ports } from '../ports'
import { fileIdsOf } from './user-message'

/**
 * A message whose files have their stored types, not those that the client claims.
 *
 * @returns the same message when it holds no file
 * @throws InvalidRequestError for a missing or another person's file, and for files too large together
 */
export async function withStoredTypes(
  { files }: Pick<Ports, 'files'>,
  ownerId: UserId,
  message: UIMessage,
): Promise<UIMessage> {
  const ids = [...new Set(fileIdsOf(message))]
  if (ids.length === 0) return message
  const found = new Map((await files.of(ownerId, ids)).map((file) => [file.id, file]))
  const bytes = [...found.values()].reduce((sum, { size }) => sum + size, 0)
  if (bytes > MAX_SENT_BYTES) {
    throw new InvalidRequestError(
      `These files have ${sizeWords(bytes)} together. The most one message can hold is ${sizeWords(MAX_SENT_BYTES)}.`,
      'files_too_large',
    )
  }
  const parts = message.parts.map((part) => {
    if (part.type !== 'file') return part
    const [id = ''] = fileIdsOf({ parts: [part] })
    return storedPart(part, found.get(id))
  })
  return { ...message, parts }
}

function storedPart(
  part: Extract<UIMessage['parts'][number], { type: 'file' }>,
  file: FileFacts | undefined,
) {
  if (!file) {
    const named = part.filename ? `The file “${part.filename}”` : 'A file of this message'
    throw new InvalidRequestError(`${named} is not stored any more. Attach it again.`, 'file_missing')
  }
  const { type, filename = file.name, url } = part
  return { type, mediaType: file.mediaType, filename, url }
}

/** Throws `InvalidRequestError` when a model does not take a file of the message that it is to answer. */
export function checkTakes(models: AvailableModels, model: string, message: Pick<UIMessage, 'parts'>): void {
  if (fileIdsOf(message).length === 0) return
  const types = message.parts.flatMap((part) =>
    part.type === 'file' && fileIdsOf({ parts: [part] }).length > 0 ? [part.mediaType] : [],
  )
  const { input } = models.facts(model)
  const refused = types.find((type) => !takesType(input, type))
  if (refused === undefined) return
  throw new InvalidRequestError(
    `The model "${model}" does not take ${typeWords(refused)}. Choose a model that does, or remove the file.`,
    'unsupported_file_type',
  )
}
