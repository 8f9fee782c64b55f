import { posix } from 'node:path'
import { elements, htmlText, openDocumentText, slideText, targetsOf } from './markup.ts'
import { readSheets } from './sheets.ts'
import { type DocumentKind, documents, MAX_TEXT, Refused } from './task.ts'
import { type Unzipped, unzip } from './unzip.ts'

/** Names of a zip that are listed at most. */
const MAX_LISTED = 1000

/** The text of a zip: of the document that it is, and of any other one the list of its files. */
export async function readZip(bytes: Buffer): Promise<{ mediaType: string; text: string }> {
  const zip = await unzip(bytes)
  const kind = await kindOf(zip)
  const { mediaType, words } = documents[kind]
  if (kind !== 'zip') await zip.checkEntries()
  try {
    const text = await readers[kind](zip, bytes)
    const hasMacros = [...zip.entries.keys()].some((name) => /(?:^|\/)vbaProject\.bin$|^Basic\//.test(name))
    return { mediaType, text: hasMacros ? `${text}\n\n[Its macros are left out.]` : text }
  } catch (error) {
    if (error instanceof Refused) throw error
    const cause = error instanceof Error ? error.message : String(error)
    throw new Refused(
      'damaged_file',
      `is damaged: it cannot be read as ${words} (${cause}). Open it in its program, save it again, and attach that.`,
    )
  }
}

async function kindOf(zip: Unzipped): Promise<DocumentKind> {
  const has = (name: string) => zip.entries.has(name)
  if (has('word/document.xml')) return 'docx'
  if (has('xl/workbook.xml')) return 'xlsx'
  if (has('ppt/presentation.xml')) return 'pptx'
  if (has('xl/workbook.bin'))
    throw new Refused(
      'unsupported_type',
      'is a binary Excel workbook (xlsb). Save it as xlsx, and attach that.',
    )
  if (has('META-INF/container.xml') && has('mimetype')) return 'epub'
  if (!has('content.xml') || !has('mimetype') || (zip.entries.get('mimetype')?.uncompressedSize ?? 0) > 200)
    return 'zip'
  const given = (await zip.text('mimetype')).trim().replace(/-template$/, '')
  const [kind = 'zip'] = (['odt', 'ods', 'odp'] as const).filter((one) => documents[one].mediaType === given)
  return kind
}

type Reader = (zip: Unzipped, bytes: Buffer) => Promise<string> | string

const readers: Readonly<Record<DocumentKind, Reader>> = {
  docx: readDocx,
  xlsx: readSheets,
  pptx: readPptx,
  odt: readOpenDocument,
  ods: readOpenDocument,
  odp: readOpenDocument,
  epub: readEpub,
  zip: listZip,
}

async function readDocx(_: Unzipped, buffer: Buffer): Promise<string> {
  const { default: mammoth } = await import('mammoth')
  // the bytes of a picture are no text; its description is
  const convertImage = mammoth.images.imgElement(async () => ({ src: '' }))
  // comments stand at the end, like footnotes
  const { value } = await mammoth.convertToHtml(
    { buffer },
    { convertImage, styleMap: ['comment-reference => sup'] },
  )
  return htmlText(value.replaceAll(/ ?<a href="#[^"]*">↑<\/a>/g, ''))
}

async function readPptx(zip: Unzipped): Promise<string> {
  const targets = await targetsOf(zip, 'ppt/presentation.xml')
  const slides = elements(await zip.text('ppt/presentation.xml'), 'sldId').flatMap(
    (slide) => targets.get(slide['r:id'] ?? '') ?? [],
  )
  const texts: string[] = []
  for (const [at, { path }] of slides.entries()) {
    const xml = await zip.text(path)
    const isHidden = ['0', 'false'].includes(elements(xml, 'sld')[0]?.show ?? '')
    texts.push(`## Slide ${at + 1}${isHidden ? ' (hidden)' : ''}`, slideText(xml))
    for (const { path: of, type } of (await targetsOf(zip, path)).values()) {
      if (type.endsWith('/notesSlide')) texts.push(`Notes: ${slideText(await zip.text(of))}`)
      if (type.endsWith('/comments')) texts.push(`Comments: ${slideText(await zip.text(of))}`)
    }
  }
  return texts.filter((text) => text !== '' && text !== 'Notes: ' && text !== 'Comments: ').join('\n\n')
}

async function readOpenDocument(zip: Unzipped): Promise<string> {
  if (elements(await zip.text('META-INF/manifest.xml'), 'encryption-data').length > 0)
    throw new Refused('encrypted_file', 'is locked with a password. Save it without one, and attach that.')
  return openDocumentText(await zip.text('content.xml'))
}

async function readEpub(zip: Unzipped): Promise<string> {
  const [root] = elements(await zip.text('META-INF/container.xml'), 'rootfile')
  const book = root?.['full-path'] ?? ''
  const opf = await zip.text(book)
  const files = new Map(
    elements(opf, 'item').map(({ id = '', href = '' }) => [
      id,
      posix.join(posix.dirname(book), decodeURIComponent(href)),
    ]),
  )
  const chapters = elements(opf, 'itemref').flatMap(({ idref = '' }) => files.get(idref) ?? [])
  if (chapters.length === 0) throw new Error('it names no chapters')
  // fonts are often scrambled, in books that are not locked
  const locked = new Set(
    elements(await zip.text('META-INF/encryption.xml'), 'CipherReference').map(({ URI = '' }) => URI),
  )
  if (chapters.some((chapter) => locked.has(chapter)))
    throw new Refused(
      'encrypted_file',
      'is locked by its seller (DRM), and no program but theirs reads it. Attach a copy without a lock, or its text.',
    )
  let text = ''
  for (const chapter of chapters) {
    text += `${htmlText(await zip.text(chapter))}\n\n`
    if (text.length > MAX_TEXT) break
  }
  return text.trim()
}

function listZip({ entries }: Unzipped): string {
  const files = [...entries.values()].filter(({ fileName }) => !fileName.endsWith('/'))
  const lines = files.slice(0, MAX_LISTED).map((entry) => {
    const locked = entry.isEncrypted() ? ', locked with a password' : ''
    return `- ${JSON.stringify(entry.fileName).slice(1, -1)} (${entry.uncompressedSize} bytes${locked})`
  })
  const more = files.length - lines.length
  return [
    `A zip of ${files.length} ${files.length === 1 ? 'file' : 'files'}. Their names are listed, and their content is left out:`,
    ...lines,
    ...(more > 0 ? [`and ${more} more`] : []),
  ].join('\n')
}
