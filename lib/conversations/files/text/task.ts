/** A task for the process: it does this with the bytes of a file. */
export interface Task {
  /** `zip`: finds out which document it is, and takes its text out */
  kind: 'zip' | 'pdf' | 'rtf' | 'picture'
  bytes: Uint8Array
}

/** The answer of the process. */
export type Taken =
  | { kind: 'text'; mediaType: string; text: string }
  | { kind: 'picture'; bytes: Uint8Array }
  | { kind: 'refused'; code: RefusalCode; why: string }

export type RefusalCode = 'encrypted_file' | 'damaged_file' | 'file_too_large' | 'unsupported_type'

/** Refuses to read a file. The message continues its name: `is locked with a password. …`. */
export class Refused extends Error {
  readonly code: RefusalCode

  constructor(code: RefusalCode, why: string) {
    super(why)
    this.code = code
  }
}

/** Characters of the text of a document at most. */
export const MAX_TEXT = 2_000_000
/** Pixels of a picture at most, and of each of its sides: providers refuse larger ones. */
export const MAX_PIXELS = 50_000_000
export const MAX_SIDE = 8000

/** The documents that are zips, with their names in a sentence: `cannot be read as a Word document`. */
export const documents = {
  docx: {
    mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    words: 'a Word document',
  },
  xlsx: {
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    words: 'an Excel workbook',
  },
  pptx: {
    mediaType: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    words: 'a PowerPoint presentation',
  },
  odt: { mediaType: 'application/vnd.oasis.opendocument.text', words: 'an OpenDocument text' },
  ods: { mediaType: 'application/vnd.oasis.opendocument.spreadsheet', words: 'an OpenDocument spreadsheet' },
  odp: {
    mediaType: 'application/vnd.oasis.opendocument.presentation',
    words: 'an OpenDocument presentation',
  },
  epub: { mediaType: 'application/epub+zip', words: 'an EPUB book' },
  zip: { mediaType: 'application/zip', words: 'a zip' },
} as const

export type DocumentKind = keyof typeof documents
