import { type ZipEntry, zipOf } from './zip-file'

// Documents as their programs write them, with as little as their readers need.

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'

/** The entries that every Office file has: what its parts are, and which one is first. */
function officeEntries(first: string, type: string): ZipEntry[] {
  const override = `<Override PartName="/${first}" ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/>`
  const rels =
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
  return [
    {
      name: '[Content_Types].xml',
      bytes: `${xml}<Types xmlns="${packages}/content-types">${rels}<Default Extension="xml" ContentType="application/xml"/>${override}</Types>`,
    },
    { name: '_rels/.rels', bytes: relations([['rId1', 'officeDocument', first]]) },
  ]
}

const relations = (targets: readonly (readonly [id: string, type: string, target: string])[]): string =>
  `${xml}<Relationships xmlns="${packages}/relationships">${targets
    .map(([id, type, target]) => `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`

/** @param body elements of WordprocessingML, whose prefix is `w` */
export const docxFile = (body: string, more: readonly ZipEntry[] = []): Buffer =>
  zipOf([
    ...officeEntries('word/document.xml', 'wordprocessingml.document'),
    {
      name: 'word/document.xml',
      bytes: `${xml}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
    },
    {
      name: 'word/styles.xml',
      bytes: `${xml}<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>`,
    },
    { name: 'word/_rels/document.xml.rels', bytes: relations([['rId1', 'styles', 'styles.xml']]) },
    ...more,
  ])

/** A paragraph of Word. */
export const paragraph = (text: string, style = ''): string =>
  `<w:p>${style && `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`

/** A workbook: of each sheet its name, and its rows as SpreadsheetML. */
export function xlsxFile(sheets: readonly (readonly [name: string, rows: string])[]): Buffer {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const listed = sheets.map(([name], at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`)
  return zipOf([
    ...officeEntries('xl/workbook.xml', 'spreadsheetml.sheet'),
    {
      name: 'xl/workbook.xml',
      bytes: `${xml}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${listed.join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      bytes: relations([
        ...sheets.map((_, at) => [`rId${at + 1}`, 'worksheet', `worksheets/sheet${at + 1}.xml`] as const),
        ['rId99', 'styles', 'styles.xml'],
        ['rId98', 'sharedStrings', 'sharedStrings.xml'],
      ]),
    },
    // the second format of a cell is a date
    {
      name: 'xl/styles.xml',
      bytes: `${xml}<styleSheet xmlns="${main}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    },
    { name: 'xl/sharedStrings.xml', bytes: `${xml}<sst xmlns="${main}"><si><t>Port, old</t></si></sst>` },
    ...sheets.map(([, rows], at) => ({
      name: `xl/worksheets/sheet${at + 1}.xml`,
      bytes: `${xml}<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`,
    })),
  ])
}

const drawing =
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
const shape = (words: string): string =>
  `<p:sp><p:txBody><a:p><a:r><a:t>${words}</a:t></a:r></a:p></p:txBody></p:sp>`

/** A presentation, whose slides lie in the file in another order than they are shown in. */
export function pptxFile(slides: readonly { words: string; notes?: string; isHidden?: boolean }[]): Buffer {
  const number = (at: number) => slides.length - at
  const ids = slides.map((_, at) => `<p:sldId id="${256 + at}" r:id="rId${at + 1}"/>`)
  return zipOf([
    ...officeEntries('ppt/presentation.xml', 'presentationml.presentation'),
    {
      name: 'ppt/presentation.xml',
      bytes: `${xml}<p:presentation ${drawing} xmlns:r="${office}"><p:sldIdLst>${ids.join('')}</p:sldIdLst></p:presentation>`,
    },
    {
      name: 'ppt/_rels/presentation.xml.rels',
      bytes: relations(slides.map((_, at) => [`rId${at + 1}`, 'slide', `slides/slide${number(at)}.xml`])),
    },
    ...slides.flatMap(({ words, notes, isHidden }, at) => [
      {
        name: `ppt/slides/slide${number(at)}.xml`,
        bytes: `${xml}<p:sld ${drawing}${isHidden ? ' show="0"' : ''}><p:cSld><p:spTree>${shape(words)}</p:spTree></p:cSld></p:sld>`,
      },
      ...(notes === undefined
        ? []
        : [
            {
              name: `ppt/slides/_rels/slide${number(at)}.xml.rels`,
              bytes: relations([['rId1', 'notesSlide', `../notesSlides/notes${at}.xml`]]),
            },
            {
              name: `ppt/notesSlides/notes${at}.xml`,
              bytes: `${xml}<p:notes ${drawing}>${shape(notes)}<a:p><a:fld type="slidenum"><a:t>7</a:t></a:fld></a:p></p:notes>`,
            },
          ]),
    ]),
  ])
}

/** A book of chapters of XHTML, in the order of its spine. */
export function epubFile(chapters: readonly string[], more: readonly ZipEntry[] = []): Buffer {
  const items = chapters.map((_, at) => `<item id="c${at}" href="text/chapter%20${at}.xhtml"/>`).reverse()
  const spine = chapters.map((_, at) => `<itemref idref="c${at}"/>`)
  return zipOf([
    { name: 'mimetype', bytes: 'application/epub+zip', isStored: true },
    {
      name: 'META-INF/container.xml',
      bytes: `${xml}<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>`,
    },
    {
      name: 'OEBPS/book.opf',
      bytes: `${xml}<package><manifest>${items.join('')}</manifest><spine>${spine.join('')}</spine></package>`,
    },
    ...chapters.map((chapter, at) => ({
      name: `OEBPS/text/chapter ${at}.xhtml`,
      bytes: `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>no words</title></head><body>${chapter}</body></html>`,
    })),
    ...more,
  ])
}

/** @param kind the end of its media type: `text`, `spreadsheet` */
export const openDocumentFile = (kind: string, body: string, manifest = ''): Buffer =>
  zipOf([
    { name: 'mimetype', bytes: `application/vnd.oasis.opendocument.${kind}`, isStored: true },
    {
      name: 'content.xml',
      bytes: `${xml}<office:document-content><office:body>${body}</office:body></office:document-content>`,
    },
    { name: 'META-INF/manifest.xml', bytes: `${xml}<manifest:manifest>${manifest}</manifest:manifest>` },
  ])

/** A PDF of one page with words on it. */
export const pdfOf = (words: string): Buffer => {
  const content = `BT /F1 12 Tf 20 100 Td (${words}) Tj ET`
  return Buffer.from(
    `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj\n4 0 obj<</Length ${content.length}>>stream\n${content}\nendstream endobj\n5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n`,
    'latin1',
  )
}
