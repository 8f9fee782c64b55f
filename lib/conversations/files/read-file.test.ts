import { readFileSync } from 'node:fs'
import { imageSize } from 'image-size'
import { describe, expect, it } from 'vitest'
import {
  docxFile,
  epubFile,
  openDocumentFile,
  paragraph,
  pptxFile,
  xlsxFile,
} from '@/testing/worlds/document-files'
import { pngImage } from '@/testing/worlds/sample-files'
import { zipOf } from '@/testing/worlds/zip-file'
import { readFile } from './read-file'

const fixture = (name: string) => readFileSync(`testing/fixtures/attachments/${name}`)
const typeOf = async (name: string, bytes: Buffer) => (await readFile(name, bytes)).mediaType
const refusal = (name: string, bytes: Buffer) =>
  readFile(name, bytes).then(
    () => 'taken',
    ({ code = 'unsupported_type', message }) => ({ code, message }),
  )
const words = docxFile(paragraph('Words'))
const wav = (size: number) => {
  const bytes = Buffer.alloc(44 + 8)
  bytes.write('RIFF', 0, 'latin1')
  bytes.writeUInt32LE(size, 4)
  bytes.write('WAVEfmt ', 8, 'latin1')
  return bytes
}
const mp3 = Buffer.concat([
  Buffer.from('ID3\x03\0\0\0\0\0\0', 'latin1'),
  Buffer.from('fffb9064', 'hex'),
  Buffer.alloc(413),
])
/** A PNG that says it has so many pixels. */
const pngOf = (width: number, height: number) => {
  const bytes = pngImage()
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}

describe('a file is taken under the type of its content', () => {
  const office = 'application/vnd.openxmlformats-officedocument.'
  it.each([
    ['plan.docx', words, `${office}wordprocessingml.document`],
    ['plan.docm', words, `${office}wordprocessingml.document`],
    // named as another one
    ['plan.pdf', words, `${office}wordprocessingml.document`],
    ['sums.xlsx', xlsxFile([['One', '']]), `${office}spreadsheetml.sheet`],
    ['talk.pptx', pptxFile([{ words: 'Hello' }]), `${office}presentationml.presentation`],
    ['book.epub', epubFile(['<p>One</p>']), 'application/epub+zip'],
    ['plan.odt', openDocumentFile('text', ''), 'application/vnd.oasis.opendocument.text'],
    ['sums.ods', openDocumentFile('spreadsheet', ''), 'application/vnd.oasis.opendocument.spreadsheet'],
    ['all.zip', zipOf([{ name: 'a.txt', bytes: 'a' }]), 'application/zip'],
    ['empty.zip', zipOf([]), 'application/zip'],
    ['talk.wav', wav(44), 'audio/wav'],
    ['song.mp3', mp3, 'audio/mpeg'],
    ['page.html', Buffer.from('<!doctype html><script>alert(1)</script>'), 'text/plain'],
    ['sign.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'text/plain'],
    ['list.csv', Buffer.from('\ufeffname,città\n', 'utf16le'), 'text/csv'],
    ['letter.rtf', Buffer.from('{\\rtf1 Hello}'), 'application/rtf'],
    ['list.csv', Buffer.from('Größe;Zürich\nlänger;schön\n', 'latin1'), 'text/csv'],
    ['open.pdf', fixture('restricted.pdf'), 'application/pdf'],
    ['wide.png', pngOf(8000, 6000), 'image/png'],
  ])('given %s', async (name, bytes, type) => {
    expect(await typeOf(name, bytes)).toBe(type)
  })

  it.each(['red.heic', 'red.avif'])('given %s, then it becomes a JPEG of the same pixels', async (name) => {
    const bytes = fixture(name)
    const file = await readFile(name, bytes)
    expect(file).toMatchObject({ name: 'red.jpg', mediaType: 'image/jpeg' })
    const [width, height] = name === 'red.heic' ? [64, 48] : [40, 30]
    expect(imageSize(file.bytes)).toMatchObject({ width, height })
  })
})

describe('a file that cannot be read is refused in words', () => {
  const cfb = (text: string) =>
    Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600), Buffer.from(text, 'utf16le')])
  const locked = zipOf([
    { name: 'word/document.xml', bytes: '<w/>', claims: { encrypted: true } },
    { name: '[Content_Types].xml', bytes: '<w/>' },
  ])
  const bomb = zipOf([
    { name: 'word/document.xml', bytes: Buffer.alloc(201 * 1024 * 1024) },
    { name: '[Content_Types].xml', bytes: '<w/>' },
  ])
  const liar = zipOf([
    { name: 'word/document.xml', bytes: Buffer.alloc(50 * 1024 * 1024), claims: { size: 10 } },
  ])
  const crowd = zipOf(Array.from({ length: 10_001 }, (_, at) => ({ name: `${at}`, bytes: '' })))
  const drm = {
    name: 'META-INF/encryption.xml',
    bytes: '<encryption><CipherReference URI="OEBPS/text/chapter 0.xhtml"/></encryption>',
  }
  const encrypted = '<manifest:file-entry><manifest:encryption-data/></manifest:file-entry>'
  it.each([
    ['a locked PDF', 'a.pdf', fixture('locked.pdf'), 'encrypted_file', 'locked with a password'],
    ['a locked Office file', 'a.docx', cfb('EncryptedPackage'), 'encrypted_file', 'locked with a password'],
    ['a locked entry', 'a.docx', locked, 'encrypted_file', 'locked with a password'],
    ['a locked OpenDocument', 'a.odt', openDocumentFile('text', '', encrypted), 'encrypted_file', 'locked'],
    ['a locked book', 'a.epub', epubFile(['<p>x</p>'], [drm]), 'encrypted_file', 'DRM'],
    ['an old Office file', 'a.doc', cfb('WordDocument'), 'unsupported_type', 'Save it as docx'],
    [
      'a binary workbook',
      'a.xlsb',
      zipOf([{ name: 'xl/workbook.bin', bytes: 'x' }]),
      'unsupported_type',
      'xlsx',
    ],
    ['a cut document', 'a.docx', words.subarray(0, -30), 'damaged_file', 'damaged or cut off'],
    [
      'a document without words',
      'a.pptx',
      zipOf([{ name: 'word/document.xml', bytes: '<' }]),
      'damaged_file',
      'a Word document',
    ],
    ['a bomb', 'a.docx', bomb, 'file_too_large', 'would unpack to 202 MB'],
    ['a bomb that lies', 'a.docx', liar, 'damaged_file', 'entries cannot be read'],
    ['a crowd', 'a.zip', crowd, 'file_too_large', '10,001 files'],
    ['a zip named as a picture', 'a.png', zipOf([]), 'disguised_file', 'not a PNG image'],
    ['a zip named as a document', 'a.docx', zipOf([]), 'disguised_file', 'not a Word document'],
    ['text named as a recording', 'a.mp3', Buffer.from('la la'), 'disguised_file', 'not an MP3'],
    ['a cut recording', 'a.wav', wav(4000), 'damaged_file', 'cut off'],
    ['a HEIC without its end', 'a.heic', fixture('red.heic').subarray(0, -40), 'damaged_file', 'damaged'],
    ['a cut HEIC', 'a.heic', fixture('red.heic').subarray(0, 420), 'damaged_file', 'damaged'],
    ['10,000 × 10,000 pixels', 'a.png', pngOf(10_000, 10_000), 'file_too_large', '10,000 × 10,000 pixels'],
    ['a side of 8,001 pixels', 'a.png', pngOf(8001, 2), 'file_too_large', '8,000 pixels a side'],
  ])('given %s', async (_, name, bytes, code, told) => {
    const refused = await refusal(name, bytes)
    expect(refused).toMatchObject({ code, message: expect.stringContaining(told) })
    expect(refused).toMatchObject({ message: expect.stringContaining(`“${name}”`) })
  })

  it('given a document whose reading needs more memory than its process has, then that is told', async () => {
    const words = paragraph('a').repeat(3_000_000)
    expect(await refusal('a.docx', docxFile(words))).toMatchObject({
      code: 'file_too_large',
      message: expect.stringMatching(/memory to read|seconds to read/),
    })
  }, 60_000)

  it('given a document that is cut at any byte, then it is refused, and never read in part', async () => {
    const book = epubFile(['<p>One</p>', '<p>Two</p>'])
    for (let end = 30; end < book.length; end += 499)
      expect(await refusal('book.epub', book.subarray(0, end))).toMatchObject({ code: 'damaged_file' })
  })
})
