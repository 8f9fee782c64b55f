import type { UIMessage } from 'ai'
import { expect, it } from 'vitest'
import { fillFiles } from '@/lib/conversations'
import { fileUrl } from '@/lib/protocol'
import { docxFile, paragraph, pdfOf } from '@/testing/worlds/document-files'
import { pdfFile } from '@/testing/worlds/sample-files'

const MB = 1024 * 1024

/** Files of a chat, by their ids: type and size; each asked for is noted. */
function stored(files: Record<string, [mediaType: string, size: number]>) {
  const read: string[] = []
  return {
    read,
    async ofChat(_chatId: string, ids: readonly string[]) {
      return ids.flatMap((id) => {
        const [mediaType, size] = files[id] ?? []
        return mediaType && size ? [{ id, mediaType, size, name: `${id}.bin`, sha256: '' }] : []
      })
    },
    async bytes({ id, size }: { id: string; size: number }) {
      read.push(id)
      // its size counts, and what it holds is short
      return Buffer.from(`bytes of ${id}`.slice(0, size))
    },
  }
}

const said = (...ids: string[]): UIMessage => ({
  id: ids.join(),
  role: 'user',
  parts: ids.map((id) => ({ type: 'file', mediaType: 'x/y', filename: `${id}.txt`, url: fileUrl(id) })),
})
const input = ['text/plain', 'image/*']
const partsOf = (messages: UIMessage[]) =>
  messages.flatMap(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : part)))

it('given none, then the messages are the same, and nothing is looked up', async () => {
  const messages: UIMessage[] = [{ id: 'q', role: 'user', parts: [{ type: 'text', text: 'Hello' }] }]
  const never = () => Promise.reject(new Error('looked up'))
  expect(await fillFiles({ ofChat: never, bytes: never }, messages, { chatId: 'c', input: never })).toBe(
    messages,
  )
})

it('given one that is gone and one that the model cannot read, then lines name them, and their bytes are not read', async () => {
  const files = stored({ paper: ['video/mp4', 2048] })
  const filled = await fillFiles(files, [said('gone', 'paper')], { chatId: 'c', input: () => input })
  expect(partsOf(filled)).toEqual([
    '[The file "gone.txt" is no longer stored.]',
    '[The file "paper.txt" (video/mp4, 2 kB) is left out: this model cannot read it.]',
  ])
  expect(files.read).toEqual([])
})

it('given a PDF, then a model that takes none gets its words, and one that does its bytes', async () => {
  const bytes = pdfOf('The ferry leaves')
  const file = { id: 'p', mediaType: 'application/pdf', size: bytes.length, name: 'p.pdf', sha256: '' }
  const files = { ofChat: async () => [file], bytes: async () => bytes }
  const ask = async (takes: string[]) =>
    partsOf(await fillFiles(files, [said('p')], { chatId: 'c', input: () => takes }))
  expect(await ask(input)).toEqual(['<file name="p.txt">\n[Page 1]\nThe ferry leaves\n</file>'])
  expect(await ask(['application/pdf'])).toMatchObject([{ type: 'file', mediaType: 'application/pdf' }])
  expect(await ask(['*/*'])).toMatchObject([{ type: 'file', mediaType: 'application/pdf' }])
})

it('given a document, then every model gets its words, in whatever encoding a text is', async () => {
  const contents: Record<string, [mediaType: string, bytes: Buffer]> = {
    plan: [
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      docxFile(paragraph('Go east')),
    ],
    list: ['text/csv', Buffer.from('Größe;Zürich\nlänger;schön\n', 'latin1')],
    scan: ['application/pdf', pdfFile()],
    torn: ['application/zip', Buffer.from('PK\x03\x04')],
  }
  const files = {
    ofChat: async () =>
      Object.entries(contents).map(([id, [mediaType, bytes]]) => ({
        id,
        mediaType,
        size: bytes.length,
        name: id,
        sha256: '',
      })),
    bytes: async ({ id }: { id: string }) => contents[id]?.[1] ?? Buffer.alloc(0),
  }
  const filled = await fillFiles(files, [said('plan', 'list', 'scan', 'torn')], {
    chatId: 'c',
    input: () => input,
  })
  expect(partsOf(filled)).toEqual([
    '<file name="plan.txt">\nGo east\n</file>',
    '<file name="list.txt">\nGröße;Zürich\nlänger;schön\n</file>',
    '[The file "scan.txt" is left out: it has no text: its pages are pictures. A model that takes PDFs can read it.]',
    expect.stringMatching(/^\[The file "torn.txt" is left out: it is damaged or cut off/),
  ])
})

it('given more than a request holds, then the newest are sent, and the others named', async () => {
  const png = (size: number): [string, number] => ['image/png', size * MB]
  const files = stored({ old: png(30), mid: png(20), new: png(25) })
  const messages = ['old', 'mid', 'new'].map((id) => said(id))
  const filled = await fillFiles(files, messages, { chatId: 'c', input: () => input })
  const sent = (id: string) => expect.objectContaining({ type: 'file', filename: `${id}.txt` })
  expect(partsOf(filled)).toEqual([
    '[The file "old.txt" (image/png, 30 MB) is left out: the files of this chat are too large together.]',
    ...[sent('mid'), sent('new')],
  ])
  expect(files.read).toEqual(['new', 'mid'])
})
