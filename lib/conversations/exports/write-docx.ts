import type { UserId } from '@/lib/events'
import { speakerOf } from '@/lib/graph/speaker'
import { pixelsOf } from '../files/picture-size'
import type { FileFacts, Ports } from '../ports'
import { codeBlock, linked, markdownParagraphs, paragraph, run } from './docx-markdown'
import { DocumentRefs, documentHead, documentTail, fixedParts } from './docx-parts'
import { escapeHtml } from './escape-html'
import { fileEnding } from './file-names'
import { modelOf, type ReadableChat, type ReadableMessage, timeOf } from './readable-chat'
import { type ReadablePart, valueText } from './readable-parts'
import { type ArchiveEntry, inOnePiece } from './zip-stream'

/** A larger picture is named and not shown, in bytes. */
const PICTURE = 20 * 1024 * 1024
/** Units of a document to a pixel, and the width between its margins. */
const [PIXEL, WIDTH] = [9525, 6_120_000]

/**
 * A chat as a Word document, written part by part: first its text, then its pictures and the targets of its
 * references.
 */
export async function* chatDocx(
  { files }: Pick<Ports, 'files'>,
  chat: ReadableChat,
  { ownerId }: { ownerId: UserId },
): AsyncGenerator<ArchiveEntry> {
  const refs = new DocumentRefs()
  const pictures = new Map<string, FileFacts>()
  for (const { path, text } of fixedParts) yield { path, content: inOnePiece(text) }
  const drawn = (id: string) => drawing({ files, ownerId, refs, pictures }, id)
  yield { path: 'word/document.xml', content: documentXml(chat, refs, drawn) }
  for (const [name, file] of pictures) yield { path: `word/media/${name}`, content: files.pieces(file) }
  for (const { path, text } of refs.parts()) yield { path, content: inOnePiece(text) }
}

type Drawn = (fileId: string) => Promise<string | undefined>

async function* documentXml(chat: ReadableChat, refs: DocumentRefs, drawn: Drawn): AsyncGenerator<string> {
  const { title, sections, origin, onlyBranch, counts } = chat
  yield documentHead + paragraph(run(title), 'Title')
  if (onlyBranch !== undefined) yield paragraph(run(`Branch: ${onlyBranch}`), 'Facts')
  yield paragraph(run(counts.join(', ')), 'Facts')
  if (origin) yield paragraph(run('Imported from ') + linked(origin, origin, refs), 'Facts')
  for (const section of sections) {
    const archived = section.isArchived ? ' (archived)' : ''
    if (sections.length > 1) yield paragraph(run(`Branch: ${section.title}${archived}`), 'Heading1')
    const from = section.after?.preview.trim() || 'a message without text'
    if (section.after) yield paragraph(run(`It goes on from “${from}”.`), 'Facts')
    for await (const read of chat.messages(section.nodes)) {
      if (read.context) yield contextXml(read.context)
      yield messageHead(read)
      const isReply = read.message.name === 'assistant'
      for (const part of read.parts) yield await partXml(part, { isReply, refs, drawn })
    }
  }
  yield documentTail
}

function contextXml({ instructions, tools }: NonNullable<ReadableMessage['context']>): string {
  const said =
    instructions.trim() === ''
      ? ''
      : paragraph(run('Instructions'), 'Heading2') + paragraph(run(instructions), 'Quote')
  return tools.length === 0 ? said : said + paragraph(run(`Tools: ${tools.join(', ')}`), 'Facts')
}

function messageHead({ message }: ReadableMessage): string {
  const { name, createdAt, status } = message
  const facts = [timeOf(createdAt), modelOf(message), status].filter(Boolean).join(' · ')
  return paragraph(run(speakerOf(name)), 'Heading2') + paragraph(run(facts), 'Facts')
}

async function partXml(
  part: ReadablePart,
  { isReply, refs, drawn }: { isReply: boolean; refs: DocumentRefs; drawn: Drawn },
): Promise<string> {
  switch (part.kind) {
    case 'text':
      return isReply ? markdownParagraphs(part.text, refs) : paragraph(run(part.text))
    case 'thoughts':
      return paragraph(run('Thoughts', { bold: true })) + paragraph(run(part.text), 'Quote')
    case 'tool': {
      const answer =
        part.error !== undefined
          ? paragraph(run('It failed', { bold: true })) + codeBlock(part.error)
          : part.output === undefined
            ? ''
            : paragraph(run('Answer', { bold: true })) + codeBlock(valueText(part.output))
      return paragraph(run(`Tool: ${part.name}`, { bold: true })) + codeBlock(valueText(part.input)) + answer
    }
    case 'file': {
      const picture = part.fileId === undefined ? undefined : await drawn(part.fileId)
      return paragraph(picture ?? run(`File: ${part.name} (${part.mediaType || 'unknown type'})`))
    }
    case 'source':
      return paragraph(run('Source: ') + linked(part.title || part.url, part.url, refs))
  }
}

/** A stored picture in a line; undefined for a missing or large one, or a kind that Word does not show. */
async function drawing(
  {
    files,
    ownerId,
    refs,
    pictures,
  }: Pick<Ports, 'files'> & { ownerId: UserId; refs: DocumentRefs; pictures: Map<string, FileFacts> },
  id: string,
): Promise<string | undefined> {
  const [file] = await files.of(ownerId, [id])
  if (!file || !['image/png', 'image/jpeg', 'image/gif'].includes(file.mediaType) || file.size > PICTURE)
    return undefined
  const size = pixelsOf(await beginning(files.pieces(file)))
  if (!size?.width || !size.height) return undefined
  const name = `${file.sha256}${fileEnding(file)}`
  const relation = refs.picture(name)
  pictures.set(name, file)
  const shrunk = Math.min(1, WIDTH / (size.width * PIXEL))
  const [cx, cy] = [size.width, size.height].map((pixels) => Math.max(1, Math.round(pixels * PIXEL * shrunk)))
  const at = relation.slice(1)
  const named = `id="${at}" name="${escapeHtml(file.name)}"`
  return `<w:r><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent cx="${cx}" cy="${cy}"/><wp:docPr ${named} descr="${escapeHtml(file.name)}"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr ${named}/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed="${relation}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="${cx}" cy="${cy}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`
}

/** The bytes in which a picture says how large it is. */
async function beginning(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const read: Uint8Array[] = []
  let length = 0
  for await (const piece of pieces) {
    read.push(piece)
    length += piece.length
    if (length > 512 * 1024) break
  }
  return Buffer.concat(read)
}
