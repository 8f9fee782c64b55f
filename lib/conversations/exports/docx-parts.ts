import { escapeHtml } from './escape-html'

const main = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const relations = 'http://schemas.openxmlformats.org/package/2006/relationships'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

export const documentHead = `${head}<w:document xmlns:w="${main}" xmlns:r="${office}" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><w:body>`
export const documentTail =
  '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1134" w:right="1134" w:bottom="1134" w:left="1134" w:header="567" w:footer="567" w:gutter="0"/></w:sectPr></w:body></w:document>'

const wordTypes = 'application/vnd.openxmlformats-officedocument.wordprocessingml'

/** The parts of a document that are the same for every chat. */
export const fixedParts: readonly { path: string; text: string }[] = [
  {
    path: '[Content_Types].xml',
    text: `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/><Default Extension="jpg" ContentType="image/jpeg"/><Default Extension="gif" ContentType="image/gif"/><Override PartName="/word/document.xml" ContentType="${wordTypes}.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="${wordTypes}.styles+xml"/><Override PartName="/word/numbering.xml" ContentType="${wordTypes}.numbering+xml"/></Types>`,
  },
  {
    path: '_rels/.rels',
    text: `${head}<Relationships xmlns="${relations}"><Relationship Id="r1" Type="${office}/officeDocument" Target="word/document.xml"/></Relationships>`,
  },
  { path: 'word/styles.xml', text: `${head}<w:styles xmlns:w="${main}">${styles()}</w:styles>` },
]

function styles(): string {
  const style = (id: string, name: string, paragraph: string, run: string) =>
    `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/><w:basedOn w:val="Normal"/><w:qFormat/><w:pPr>${paragraph}</w:pPr><w:rPr>${run}</w:rPr></w:style>`
  const heading = (level: number, size: number) =>
    style(
      `Heading${level}`,
      `heading ${level}`,
      `<w:keepNext/><w:spacing w:before="240" w:after="80"/><w:outlineLvl w:val="${level - 1}"/>`,
      `<w:b/><w:sz w:val="${size}"/>`,
    )
  return [
    '<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:cs="Calibri"/><w:sz w:val="22"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:spacing w:after="120" w:line="276" w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults>',
    '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>',
    ...[40, 32, 26, 24, 22, 22].map((size, at) => heading(at + 1, size)),
    style('Title', 'Title', '<w:spacing w:after="80"/>', '<w:b/><w:sz w:val="48"/>'),
    style('Facts', 'Facts', '<w:keepNext/>', '<w:color w:val="6B655D"/><w:sz w:val="18"/>'),
    style('Quote', 'Quote', '<w:ind w:left="567"/>', '<w:color w:val="57524B"/>'),
    style(
      'Code',
      'Code',
      '<w:shd w:val="clear" w:color="auto" w:fill="F1EFEA"/><w:spacing w:after="0" w:line="240" w:lineRule="auto"/>',
      '<w:rFonts w:ascii="Consolas" w:hAnsi="Consolas" w:cs="Consolas"/><w:sz w:val="18"/>',
    ),
    '<w:style w:type="character" w:styleId="Hyperlink"><w:name w:val="Hyperlink"/><w:rPr><w:color w:val="1D6B4E"/><w:u w:val="single"/></w:rPr></w:style>',
  ].join('')
}

/** The references of a document: addresses and pictures by their ids, and lists, each counted from its beginning. */
export class DocumentRefs {
  readonly #relations: string[] = [
    `<Relationship Id="styles" Type="${office}/styles" Target="styles.xml"/>`,
    `<Relationship Id="numbering" Type="${office}/numbering" Target="numbering.xml"/>`,
  ]
  readonly #links = new Map<string, string>()
  readonly #lists: string[] = []

  /** The id of an address of the web; undefined for any other, which is no link. */
  link(url: string): string | undefined {
    if (!/^(https?:\/\/|mailto:)/i.test(url) || !URL.canParse(url)) return undefined
    const known = this.#links.get(url)
    if (known) return known
    const id = this.#add('hyperlink', new URL(url).href, ' TargetMode="External"')
    this.#links.set(url, id)
    return id
  }

  picture(name: string): string {
    return this.#add('image', `media/${name}`, '')
  }

  /** The number of a list that begins. */
  list(isOrdered: boolean, start: number): number {
    const id = this.#lists.length + 1
    const starts = isOrdered
      ? `<w:lvlOverride w:ilvl="0"><w:startOverride w:val="${start}"/></w:lvlOverride>`
      : ''
    this.#lists.push(
      `<w:num w:numId="${id}"><w:abstractNumId w:val="${isOrdered ? 1 : 0}"/>${starts}</w:num>`,
    )
    return id
  }

  #add(type: string, target: string, mode: string): string {
    const id = `r${this.#relations.length}`
    this.#relations.push(
      `<Relationship Id="${id}" Type="${office}/${type}" Target="${escapeHtml(target)}"${mode}/>`,
    )
    return id
  }

  /** The parts that resolve the ids, once the document is written. */
  parts(): { path: string; text: string }[] {
    const level = (at: number, format: string, text: string) =>
      `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="${(at + 1) * 425}" w:hanging="425"/></w:pPr></w:lvl>`
    const levels = [0, 1, 2, 3, 4, 5, 6, 7, 8]
    const kinds = [
      `<w:abstractNum w:abstractNumId="0">${levels.map((at) => level(at, 'bullet', '•')).join('')}</w:abstractNum>`,
      `<w:abstractNum w:abstractNumId="1">${levels.map((at) => level(at, 'decimal', `%${at + 1}.`)).join('')}</w:abstractNum>`,
    ]
    return [
      {
        path: 'word/_rels/document.xml.rels',
        text: `${head}<Relationships xmlns="${relations}">${this.#relations.join('')}</Relationships>`,
      },
      {
        path: 'word/numbering.xml',
        text: `${head}<w:numbering xmlns:w="${main}">${kinds.join('')}${this.#lists.join('')}</w:numbering>`,
      },
    ]
  }
}
