import { isUtf8 } from 'node:buffer'
import { fileTypeFromBuffer } from 'file-type'
import { InvalidRequestError, UnsupportedTypeError } from '../errors'

/** Binary types that are taken: every one has marks at its beginning and at its end. */
const binary: Readonly<
  Record<string, { name: string; extensions: string[]; isWhole(bytes: Buffer): boolean }>
> = {
  'image/png': {
    ...{ name: 'a PNG image', extensions: ['png'] },
    isWhole: (bytes) => bytes.includes('IEND', Math.max(8, bytes.length - TAIL)),
  },
  'image/jpeg': {
    ...{ name: 'a JPEG image', extensions: ['jpg', 'jpeg', 'jpe', 'jfif'] },
    isWhole: (bytes) => bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) > Math.max(3, bytes.length - TAIL),
  },
  'image/gif': {
    ...{ name: 'a GIF image', extensions: ['gif'] },
    isWhole: (bytes) => bytes.length > 13 && bytes.lastIndexOf(0x3b) >= Math.max(13, bytes.length - TAIL),
  },
  'image/webp': {
    ...{ name: 'a WebP image', extensions: ['webp'] },
    isWhole: (bytes) => bytes.length > 20 && bytes.readUInt32LE(4) + 8 <= bytes.length + 1,
  },
  'application/pdf': {
    ...{ name: 'a PDF', extensions: ['pdf'] },
    isWhole: (bytes) => bytes.includes('%%EOF', Math.max(5, bytes.length - TAIL)),
  },
}

/** The mark of an end stands in the last bytes: some programs write a little after it. */
const TAIL = 4096
/** Bytes that the type of a file is told by. Nothing is decoded or decompressed, here or anywhere on the server. */
const HEAD = 4100

/** Types of text by the extension of the name; others are plain text. */
const texts: Readonly<Record<string, string>> = {
  ...{ md: 'text/markdown', markdown: 'text/markdown', csv: 'text/csv', tsv: 'text/tab-separated-values' },
  ...{ json: 'application/json', css: 'text/css', vtt: 'text/vtt', ics: 'text/calendar' },
}

/** Text that a browser would run as a page. */
const markup =
  /^(?:<\?xml[^>]*>|<!--[\s\S]*?-->|\s)*<(?:!doctype\s+(?:html|svg)|html|svg|head|body|script|iframe)[\s>]/i
const markupNames = ['html', 'htm', 'xhtml', 'xht', 'shtml', 'svg', 'svgz', 'mht', 'mhtml']

const taken = 'Images (PNG, JPEG, GIF, WebP), PDFs and text files are taken.'

/**
 * The type of a file by its content. Its name says only which kind of text it is, and never makes a file another type.
 *
 * @throws UnsupportedTypeError for a type that is not taken
 * @throws InvalidRequestError for a file that is empty, cut off, or not what its name says
 */
export async function mediaTypeOf(name: string, bytes: Buffer): Promise<string> {
  if (bytes.length === 0) throw new InvalidRequestError(`“${name}” is empty: it has 0 bytes.`, 'empty_file')
  const found = await fileTypeFromBuffer(bytes.subarray(0, HEAD)).catch(() => undefined)
  const kind = found && binary[found.mime]
  if (kind) {
    if (kind.isWhole(bytes)) return found.mime
    throw new InvalidRequestError(
      `“${name}” is cut off: it begins as ${kind.name}, and its end is missing. Save it again, and attach that.`,
      'damaged_file',
    )
  }
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  if (!isText(bytes)) throw new UnsupportedTypeError(`“${name}” ${whyNotText(bytes, found?.ext)} ${taken}`)
  if (
    markupNames.includes(extension) ||
    markup.test(bytes.toString('utf8', 0, HEAD).replace(/^\ufeff/, ''))
  ) {
    throw new UnsupportedTypeError(`“${name}” is HTML or SVG, which a browser could run. ${taken}`)
  }
  const claimed = Object.values(binary).find(({ extensions }) => extensions.includes(extension))
  if (claimed) {
    const detail = `“${name}” is not ${claimed.name}, as its name says: it holds text.`
    throw new InvalidRequestError(detail, 'disguised_file')
  }
  return texts[extension] ?? 'text/plain'
}

/** Whether bytes are UTF-8 without NUL. */
const isText = (bytes: Buffer): boolean => !bytes.includes(0) && isUtf8(bytes)

function whyNotText(bytes: Buffer, extension: string | undefined): string {
  const isUtf16 = bytes.length > 1 && [0xfffe, 0xfeff].includes(bytes.readUInt16BE(0))
  if (isUtf16) return 'is text in UTF-16. Save it as UTF-8.'
  return extension ? `is of a type that is not taken (${extension}).` : 'is of a type that is not taken.'
}
