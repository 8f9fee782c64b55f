/** Files that one message can hold at most. */
export const MAX_FILES = 10

/** Bytes that the files of one request to a model come to at most: providers refuse longer ones. */
export const MAX_SENT_BYTES = 50 * 1024 * 1024

const prefix = '/api/files/'

/** The address of a stored file, by which a message names it. */
export const fileUrl = (id: string): string => `${prefix}${id}`

/** The id of the stored file at an address; undefined for any other address. */
export function fileIdOf(url: unknown): string | undefined {
  if (typeof url !== 'string' || !url.startsWith(prefix)) return undefined
  const id = url.slice(prefix.length)
  return /^[\w-]{1,128}$/.test(id) ? id : undefined
}

/** True when an address of this server is that of a file: one of its reader's, or one of a shared link. */
export const isFileUrl = (url: string): boolean =>
  fileIdOf(url) !== undefined || /^\/s\/[\w-]{1,128}\/files\/[\w-]{1,128}$/.test(url)

/** True when a file is written into the prompt as text, which every model reads. */
export const isTextType = (mediaType: string): boolean =>
  mediaType.startsWith('text/') || mediaType === 'application/json'

/** Documents whose text is taken out for every model. */
const documentTypes: readonly string[] = [
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'application/vnd.oasis.opendocument.text',
  'application/vnd.oasis.opendocument.spreadsheet',
  'application/vnd.oasis.opendocument.presentation',
  'application/epub+zip',
  'application/rtf',
  'application/zip',
]

/** Tells whether the text of a file is taken out for a model that takes no such file. */
export const hasText = (mediaType: string): boolean =>
  mediaType === 'application/pdf' || documentTypes.includes(mediaType)

/** Tells whether a model is sent the bytes of a file. Documents but PDFs are told as text, whatever the model. */
export const takesBytes = (input: readonly string[], mediaType: string): boolean =>
  !isTextType(mediaType) &&
  !documentTypes.includes(mediaType) &&
  input.some(
    (type) =>
      [mediaType, '*/*'].includes(type) || (type.endsWith('/*') && mediaType.startsWith(type.slice(0, -1))),
  )

/**
 * Tells whether a model can be sent a file, or the text of it.
 *
 * @param input the media types that it takes, some with a wildcard: `image/*`. The wildcard of all types: they are not known,
 *   and its provider decides
 */
export const takesType = (input: readonly string[], mediaType: string): boolean =>
  isTextType(mediaType) || hasText(mediaType) || takesBytes(input, mediaType)

/** Name of a kind of file in a sentence: `PNG images`, `PDFs`. */
export function typeWords(mediaType: string): string {
  if (mediaType === 'application/pdf') return 'PDFs'
  if (mediaType.startsWith('image/')) return 'images'
  if (mediaType.startsWith('audio/')) return 'recordings'
  return isTextType(mediaType) ? 'text files' : `files of the type ${mediaType}`
}

/** A size in bytes, to two digits: `340 bytes`, `1.2 MB`. */
export function sizeWords(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB']
  let [size, unit] = [bytes, 0]
  while (size >= 1023.5 && unit < units.length - 1) [size, unit] = [size / 1024, unit + 1]
  return `${size < 10 && unit > 0 ? Math.round(size * 10) / 10 : Math.round(size)} ${units[unit]}`
}
