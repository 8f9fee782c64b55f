import { fileTypeFromBuffer } from 'file-type'
import { InvalidRequestError, UnsupportedTypeError } from '../errors'
import { pixelsOf } from './picture-size'
import { decodeText } from './text/decode-text'
import { takeOut } from './text/take-out'
import { documents, MAX_PIXELS, MAX_SIDE, type RefusalCode, type Taken } from './text/task'

interface Kind {
  name: string
  extensions: string[]
  /** says that its bytes go to their end */
  isWhole(bytes: Buffer): boolean
}

/** The mark of an end stands in the last bytes: some programs write a little after it. */
const TAIL = 4096
/** Number of bytes that reveal the type of a file. */
const HEAD = 4100

const isWholeRiff = (bytes: Buffer): boolean =>
  bytes.length > 20 && bytes.readUInt32LE(4) + 8 <= bytes.length + 1

/** Binary types that are stored as they are. */
const binary: Readonly<Record<string, Kind>> = {
  'image/png': {
    name: 'a PNG image',
    extensions: ['png'],
    isWhole: (bytes) => bytes.includes('IEND', Math.max(8, bytes.length - TAIL)),
  },
  'image/jpeg': {
    name: 'a JPEG image',
    extensions: ['jpg', 'jpeg', 'jpe', 'jfif'],
    isWhole: (bytes) => bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) > Math.max(3, bytes.length - TAIL),
  },
  'image/gif': {
    name: 'a GIF image',
    extensions: ['gif'],
    isWhole: (bytes) => bytes.length > 13 && bytes.lastIndexOf(0x3b) >= Math.max(13, bytes.length - TAIL),
  },
  'image/webp': { name: 'a WebP image', extensions: ['webp'], isWhole: isWholeRiff },
  'application/pdf': {
    name: 'a PDF',
    extensions: ['pdf'],
    isWhole: (bytes) => bytes.includes('%%EOF', Math.max(5, bytes.length - TAIL)),
  },
  'audio/wav': { name: 'a WAV recording', extensions: ['wav'], isWhole: isWholeRiff },
  // it has no mark of an end
  'audio/mpeg': { name: 'an MP3 recording', extensions: ['mp3'], isWhole: () => true },
}

/** Picture types that few models and browsers take: they become a JPEG. */
const converted: Readonly<Record<string, Omit<Kind, 'isWhole'>>> = {
  'image/heic': { name: 'a HEIC image', extensions: ['heic', 'heif', 'hif'] },
  'image/heif': { name: 'a HEIC image', extensions: ['heic', 'heif', 'hif'] },
  'image/avif': { name: 'an AVIF image', extensions: ['avif'] },
}

/** Types of text by the extension of the name; others are plain text, among them pages and drawings, which no browser is to run. */
const texts: Readonly<Record<string, string>> = {
  md: 'text/markdown',
  markdown: 'text/markdown',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  json: 'application/json',
  css: 'text/css',
  vtt: 'text/vtt',
  ics: 'text/calendar',
}

const taken =
  'Images (PNG, JPEG, GIF, WebP, HEIC, AVIF), PDFs, documents of Word, Excel, PowerPoint and OpenDocument, RTF, EPUB, sound (WAV, MP3), zips and text files are taken.'

/** A file as it is stored. */
export interface ReadFile {
  name: string
  mediaType: string
  bytes: Buffer
}

/**
 * A file under the type of its content. Its name tells only kinds of text apart, and never changes a file's
 * type. A picture in HEIC or AVIF becomes a JPEG.
 *
 * @throws UnsupportedTypeError for a type that is not taken
 * @throws InvalidRequestError for a file that is empty, cut off, locked, too large to read, or not what its name says
 */
export async function readFile(name: string, bytes: Buffer): Promise<ReadFile> {
  if (bytes.length === 0) throw new InvalidRequestError(`“${name}” is empty: it has 0 bytes.`, 'empty_file')
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  const isMarkedText = [0xfffe, 0xfeff].includes(bytes.length > 1 ? bytes.readUInt16BE(0) : 0)
  const found = isMarkedText
    ? undefined
    : await fileTypeFromBuffer(bytes.subarray(0, HEAD)).catch(() => undefined)
  if (found && binary[found.mime]) {
    await checkBinary(name, found.mime, bytes)
    return { name, mediaType: found.mime, bytes }
  }
  if (found && converted[found.mime]) return asJpeg(name, bytes)
  if (/^504b(?:0304|0506)/.test(bytes.toString('hex', 0, 4))) {
    const zip = textOf(name, await takeOut('zip', undefined, () => bytes))
    if (zip.mediaType === documents.zip.mediaType) refuseClaim(name, extension, 'is a zip')
    return { name, mediaType: zip.mediaType, bytes }
  }
  if (found?.mime === 'application/rtf') {
    const { mediaType } = textOf(name, await takeOut('rtf', undefined, () => bytes))
    return { name, mediaType, bytes }
  }
  if (found?.mime === 'application/x-cfb') throw refusedOffice(name, bytes)
  if (decodeText(bytes) === undefined) {
    const type = found ? ` (${found.ext})` : ''
    throw new UnsupportedTypeError(`“${name}” is of a type that is not taken${type}. ${taken}`)
  }
  refuseClaim(name, extension, 'holds text')
  return { name, mediaType: texts[extension] ?? 'text/plain', bytes }
}

async function checkBinary(name: string, mediaType: string, bytes: Buffer): Promise<void> {
  const kind = binary[mediaType]
  if (kind && !kind.isWhole(bytes)) {
    throw new InvalidRequestError(
      `“${name}” is cut off: it begins as ${kind.name}, and its end is missing. Save it again, and attach that.`,
      'damaged_file',
    )
  }
  if (mediaType.startsWith('image/')) checkPixels(name, bytes)
  // the pages of a PDF are read only where a password may be asked for
  if (mediaType === 'application/pdf' && bytes.includes('/Encrypt'))
    textOf(name, await takeOut('pdf', undefined, () => bytes))
}

/** Refuses a picture of unknown size, or larger than models take. Nothing of it is decoded. */
function checkPixels(name: string, bytes: Buffer): void {
  const size = pixelsOf(bytes)
  if (!size) {
    throw new InvalidRequestError(
      `“${name}” is damaged: it does not say how many pixels it has. Save it again, and attach that.`,
      'damaged_file',
    )
  }
  const { width, height } = size
  if (Math.max(width, height) <= MAX_SIDE && width * height <= MAX_PIXELS) return
  const [wide, high, side] = [width, height, MAX_SIDE].map((count) => count.toLocaleString('en'))
  throw new InvalidRequestError(
    `“${name}” has ${wide} × ${high} pixels. Models take ${side} pixels a side and ${MAX_PIXELS / 1_000_000} million in all at most. Make it smaller, and attach that.`,
    'file_too_large',
  )
}

async function asJpeg(name: string, bytes: Buffer): Promise<ReadFile> {
  checkPixels(name, bytes)
  const made = await takeOut('picture', undefined, () => bytes)
  if (made.kind !== 'picture') throw refusalOf(name, made)
  return {
    name: `${name.replace(/\.[^.]*$/, '')}.jpg`,
    mediaType: 'image/jpeg',
    bytes: Buffer.from(made.bytes),
  }
}

/** The form in which Office locks a file, and stored all files before 2007. */
function refusedOffice(name: string, bytes: Buffer): Error {
  return bytes.includes(Buffer.from('EncryptedPackage', 'utf16le'))
    ? new InvalidRequestError(
        `“${name}” is locked with a password. Save it without one, and attach that.`,
        'encrypted_file',
      )
    : new UnsupportedTypeError(
        `“${name}” is in the old form of Office (doc, xls, ppt). Save it as docx, xlsx or pptx, and attach that.`,
      )
}

/** Throws for text and zips that are named as a picture, a recording or a document. */
function refuseClaim(name: string, extension: string, what: string): void {
  const claimed =
    [...Object.values(binary), ...Object.values(converted)].find(({ extensions }) =>
      extensions.includes(extension),
    )?.name ??
    Object.entries(documents).find(([kind]) => kind === extension && what !== `is a ${kind}`)?.[1].words
  if (!claimed) return
  throw new InvalidRequestError(
    `“${name}” is not ${claimed}, as its name says: it ${what}. Save it again, or attach it under its own name.`,
    'disguised_file',
  )
}

function textOf(name: string, made: Taken): Extract<Taken, { kind: 'text' }> {
  if (made.kind === 'text') return made
  throw refusalOf(name, made)
}

function refusalOf(name: string, made: Taken): Error {
  const { code, why }: { code: RefusalCode; why: string } =
    made.kind === 'refused' ? made : { code: 'damaged_file', why: 'cannot be read.' }
  return code === 'unsupported_type'
    ? new UnsupportedTypeError(`“${name}” ${why}`)
    : new InvalidRequestError(`“${name}” ${why}`, code)
}
