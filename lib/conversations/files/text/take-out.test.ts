import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import {
  docxFile,
  epubFile,
  openDocumentFile,
  paragraph,
  pdfOf,
  pptxFile,
  xlsxFile,
} from '@/testing/worlds/document-files'
import { pdfFile } from '@/testing/worlds/sample-files'
import { zipOf } from '@/testing/worlds/zip-file'
import { takeOut } from './take-out'
import { MAX_TEXT } from './task'

const textOf = async (bytes: Buffer, kind: 'zip' | 'pdf' | 'rtf' = 'zip') => {
  const taken = await takeOut(kind, undefined, () => bytes)
  return taken.kind === 'text' ? taken.text : taken
}

it('given Word, then headings, tables and words stay, and what was deleted goes', async () => {
  const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`
  const body = [
    paragraph('The plan', 'Heading1'),
    paragraph('Go east &amp; rest.'),
    '<w:p><w:del><w:r><w:delText>west</w:delText></w:r></w:del><w:ins><w:r><w:t>By boat.</w:t></w:r></w:ins></w:p>',
    `<w:tbl><w:tr>${cell('Port')}${cell('Day')}</w:tr><w:tr>${cell('Faro')}${cell('2')}</w:tr></w:tbl>`,
  ]
  expect(await textOf(docxFile(body.join('')))).toBe(
    '# The plan\n\nGo east & rest.\n\nBy boat.\n\n| Port | Day |\n| --- | --- |\n| Faro | 2 |',
  )
})

it('given comments in Word, then they stand at the end', async () => {
  const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
  const body = '<w:p><w:r><w:t>Go east.</w:t></w:r><w:r><w:commentReference w:id="0"/></w:r></w:p>'
  const comment = `<w:comments ${w}><w:comment w:id="0" w:initials="A">${paragraph('Why?')}</w:comment></w:comments>`
  expect(await textOf(docxFile(body, [{ name: 'word/comments.xml', bytes: comment }]))).toBe(
    'Go east.[A1]\n\nComment [A1]\n\nWhy?',
  )
})

it.each<[string, string, string]>([
  [
    'words, marks and lines',
    String.raw`{\rtf1\ansi\b Go\b0  east\emdash now.\par \{Rest\}\line here\~too}`,
    'Go east—now.\n{Rest}\nhere\u00a0too',
  ],
  ['letters of a code page', String.raw`{\rtf1\ansi\ansicpg1250 za\'bf\'f3\'b3\'e6}`, 'zażółć'],
  [
    'letters of a font',
    String.raw`{\rtf1\ansi{\fonttbl{\f0 Arial;}{\f1\fcharset204 Arial;}}\f1\'d3\'e2\f0  a}`,
    'Ув a',
  ],
  ['Unicode with what stands in for it', String.raw`{\rtf1\uc1 caf\u233?\uc2 \u26085??x}`, 'café日x'],
  ['a table', String.raw`{\rtf1 \trowd Port\cell Day\cell\row Faro\cell 2\cell\row}`, 'Port\tDay\nFaro\t2'],
  ['a link', String.raw`{\rtf1{\field{\*\fldinst HYPERLINK "x"}{\fldrslt here}}}`, 'here'],
  [
    'a picture, styles and a group of another program',
    String.raw`{\rtf1{\stylesheet{\s0 Normal;}}{\*\other no}{\pict 89504e}{\b yes}\*\cs7 !}`,
    'yes!',
  ],
  ['hidden words and bytes', String.raw`{\rtf1 a{\v no}b{\pict\bin3 }}}}c}`, 'abc'],
])('given RTF with %s, then its text is read', async (_, rtf, text) => {
  expect(await textOf(Buffer.from(rtf, 'latin1'), 'rtf')).toBe(text)
})

it('given macros, then the words are read, and a line says that the macros are not', async () => {
  const text = await textOf(
    docxFile(paragraph('Sum'), [{ name: 'word/vbaProject.bin', bytes: 'Shell "rm"' }]),
  )
  expect(text).toBe('Sum\n\n[Its macros are left out.]')
})

it('given Excel, then each sheet has its name and its rows, with dates and results of formulas', async () => {
  const rows = [
    '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>say "hi"</t></is></c></row>',
    '<row r="2"><c r="A2" s="1"><v>46027</v></c><c r="B2"><f>1+1</f><v>2</v></c><c r="C2" t="b"><v>1</v></c></row>',
  ]
  const text = await textOf(
    xlsxFile([
      ['Fares', rows.join('')],
      ['Other', rows[1] ?? ''],
    ]),
  )
  expect(text).toMatch(/^## Fares\n\n"Port, old","say ""hi"""\n2026-01-05,2,true\n\n## Other\n\n/)
})

it('given a workbook whose cells have no addresses, or far ones, then their order and their columns stay', async () => {
  const rows = [
    '<row><c><v>0.30000000000000004</v></c><c s="1"><v>0.5</v></c><c s="1"><v>46027.25</v></c></row>',
    '<row r="3"><c r="D3" t="e"><v>#REF!</v></c><c r="XFE3"><v>1</v></c></row>',
  ]
  expect(await textOf(xlsxFile([['One', rows.join('')]]))).toBe(
    '## One\n\n0.3,12:00:00,2026-01-05 06:00:00\n,,,#REF!',
  )
})

it('given PowerPoint, then slides come in the order they are shown in, with their notes', async () => {
  const slides = [{ words: 'First', notes: 'Smile' }, { words: 'Second', isHidden: true }, { words: 'Third' }]
  expect(await textOf(pptxFile(slides))).toBe(
    '## Slide 1\n\nFirst\n\nNotes: Smile\n\n## Slide 2 (hidden)\n\nSecond\n\n## Slide 3\n\nThird',
  )
})

it('given a book, then chapters come in its order, without scripts', async () => {
  const chapters = [
    '<h1>One</h1><p>Caf&eacute;&nbsp;one.</p><script>alert(1)</script>',
    '<h2>Two</h2><ul><li>a</li><li>b</li></ul><img src="x.png" alt="A map"/>',
  ]
  expect(await textOf(epubFile(chapters))).toBe(
    '# One\n\nCafé one.\n\n## Two\n\n- a\n- b\n\n[Picture: A map]',
  )
})

it('given OpenDocument, then its headings, lists and tables stay', async () => {
  const text =
    '<office:text><text:h text:outline-level="2">Plan</text:h><text:list><text:list-item><text:p>Go</text:p></text:list-item></text:list></office:text>'
  expect(await textOf(openDocumentFile('text', text))).toBe('## Plan\n\n- Go')
  const cell = (words: string) => `<table:table-cell><text:p>${words}</text:p></table:table-cell>`
  const sheet = `<table:table table:name="Fares"><table:table-row>${cell('Port')}${cell('Fee')}</table:table-row></table:table>`
  expect(await textOf(openDocumentFile('spreadsheet', sheet))).toBe(
    '## Fares\n\n| Port | Fee |\n| --- | --- |',
  )
})

it('given a zip, then its files are listed and not unpacked', async () => {
  const bytes = zipOf([
    { name: 'src/', bytes: '' },
    { name: 'src/a.ts', bytes: 'let a' },
    { name: 'big.bin', bytes: Buffer.alloc(300 * 1024 * 1024) },
    { name: 'key\n.txt', bytes: 'x', claims: { encrypted: true } },
  ])
  expect(await textOf(bytes)).toBe(
    'A zip of 3 files. Their names are listed, and their content is left out:\n- src/a.ts (5 bytes)\n- big.bin (314572800 bytes)\n- key\\n.txt (1 bytes, locked with a password)',
  )
})

it('given a PDF, then its words are read, also where only printing is locked', async () => {
  expect(await textOf(pdfOf('The ferry leaves'), 'pdf')).toBe('[Page 1]\nThe ferry leaves')
  const restricted = readFileSync('testing/fixtures/attachments/restricted.pdf')
  expect(await textOf(restricted, 'pdf')).toBe('[Page 1]\nThe ferry leaves')
  expect(await textOf(pdfFile(), 'pdf')).toBe('')
})

it('given a text longer than is read, then it is cut, and says so', async () => {
  const text = await textOf(docxFile(paragraph('word '.repeat(500_000))))
  expect(text).toMatch(/\n\n\[The rest is left out: the first 2,000,000 characters of a file are read\.\]$/)
  expect(String(text).length).toBeLessThan(MAX_TEXT + 100)
})

it('given a file again, then it is not read again', async () => {
  const bytes = docxFile(paragraph('Once'))
  const first = await takeOut('zip', undefined, () => bytes)
  const { createHash } = await import('node:crypto')
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const never = () => Promise.reject(new Error('read again'))
  expect(await takeOut('zip', sha256, never)).toEqual(first)
})
