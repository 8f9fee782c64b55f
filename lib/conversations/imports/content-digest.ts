import { createHash } from 'node:crypto'
import type { ForeignChat } from '@/lib/transfer'
import { isMissingFile } from '@/lib/transfer/parts/files'

/**
 * The content of a message, in a few letters: its words without signs and blanks, and the number of its files
 * and other parts. Equal words in another export are the same message, also with other marks in them.
 */
export interface Holding {
  words: string
  files: number
  others: number
}

/** A text in brackets stands for a file that is not there. */
const standsForFile = (text: string) => isMissingFile(text) || /^\[[^\]\n]{1,300}\]$/.test(text.trim())
/** Marks of sources, which some exports have and others not. */
const sourceMark = /\ue200[^\ue201]{0,1000}\ue201|【[^】]{0,200}】/g

/** The content of a message by its parts, of a file or as they are stored. */
export function holdingOf(parts: readonly unknown[]): Holding {
  const words = createHash('sha256')
  let [files, others] = [0, 0]
  for (const part of parts) {
    const { type, text } = (part ?? {}) as { type?: unknown; text?: unknown }
    if (type === 'file') files += 1
    else if (type !== 'text') others += type === 'step-start' ? 0 : 1
    else if (typeof text === 'string' && !standsForFile(text))
      words.update(text.replace(sourceMark, '').replace(/[^\p{L}\p{N}]+/gu, ''))
  }
  return { words: words.digest('hex').slice(0, 16), files, others }
}

/**
 * The entry in the metadata of an imported message: its file's content, also when not all of it could be
 * stored.
 */
export const holdingText = ({ words, files, others }: Holding): string => `${words}.${files}.${others}`

export function holdingIn(text: string): Holding | null {
  const [, words, files, others] = /^([0-9a-f]{16})\.(\d+)\.(\d+)$/.exec(text) ?? []
  return words === undefined ? null : { words, files: Number(files), others: Number(others) }
}

/** True: a message of a file says something that the stored one does not: other words, or more beside them. */
export const isNews = (stored: Holding, found: Holding): boolean =>
  stored.words !== found.words || found.files > stored.files || found.others > stored.others

/** A digest of all that the messages of a conversation hold: it stays the same while there is nothing new in it. */
export function contentDigest({ messages }: Pick<ForeignChat, 'messages'>): string {
  const digest = digests.get(messages) ?? digestOf(messages)
  digests.set(messages, digest)
  return digest
}

/** An import asks for the digest of a chat that has no id up to five times. */
const digests = new WeakMap<ForeignChat['messages'], string>()

function digestOf(messages: ForeignChat['messages']): string {
  const hash = createHash('sha256')
  for (const { id, parentId, parts } of messages)
    hash.update(`${id}\0${parentId ?? ''}\0${holdingText(holdingOf(parts))}\0`)
  return hash.digest('hex').slice(0, 32)
}
