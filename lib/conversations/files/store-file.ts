import type { UserId } from '@/lib/events'
import type { StoredFile } from '@/lib/protocol'
import type { FileFacts, Ports } from '../ports'
import { readFile } from './read-file'

/** The longest name of a file, in UTF-16 units. */
const MAX_NAME = 200

/**
 * Stores a file of a person; the same content again is the same file, answered under the name of this upload.
 *
 * @param input.name as the browser gave it
 * @param input.id what it is to be called, unless another file is
 * @returns undefined when the person does not exist (any more)
 * @throws UnsupportedTypeError for a type that is not taken; InvalidRequestError for a file that is empty, damaged, locked or
 *   too large to read
 */
export async function storeFile(
  { files }: Pick<Ports, 'files'>,
  { ownerId, name, bytes, id }: { ownerId: UserId; name: string; bytes: Buffer; id?: string },
): Promise<StoredFile | undefined> {
  const file = await readFile(fileName(name), bytes)
  const stored = await files.store(ownerId, { ...file, ...(id !== undefined && { id }) })
  return stored && { ...toStoredFile(stored), name: file.name }
}

const toStoredFile = ({ mediaType, ...file }: FileFacts): StoredFile => ({ ...file, media_type: mediaType })

/** A name that is safe to show and to save under: without a folder, on one line, not too long; its extension is kept. */
export function fileName(given: string): string {
  const name = given
    .toWellFormed()
    .replace(/^.*[/\\]/, '')
    // controls, line ends, and marks that turn the direction of the following text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, ' ')
    .trim()
  if (/^\.*$/.test(name)) return 'file'
  if (name.length <= MAX_NAME) return name
  const extension = /\.[^.]{1,20}$/.exec(name)?.[0] ?? ''
  return `${name.slice(0, MAX_NAME - extension.length).toWellFormed()}${extension}`
}
