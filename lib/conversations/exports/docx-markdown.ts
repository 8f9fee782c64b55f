import type { Nodes, PhrasingContent, RootContent, TableRow } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { dialect } from '@/lib/markdown/dialect'
import { isCostly } from '@/lib/markdown/markdown-cost'
import type { DocumentRefs } from './docx-parts'
import { escapeHtml } from './escape-html'

/** The look of a run. */
interface Look {
  bold?: boolean
  italic?: boolean
  struck?: boolean
  code?: boolean
  link?: boolean
}

/** The place of a block: in a quotation, in a list, or with the mark of a list's entry before it. */
interface Place {
  quoted?: boolean
  depth: number
  list?: number
}

/** A run of text; its line ends and tabs stay. */
export function run(text: string, look: Look = {}): string {
  const looks = [
    look.link ? '<w:rStyle w:val="Hyperlink"/>' : '',
    look.code ? '<w:rFonts w:ascii="Consolas" w:hAnsi="Consolas" w:cs="Consolas"/>' : '',
    look.bold ? '<w:b/>' : '',
    look.italic ? '<w:i/>' : '',
    look.struck ? '<w:strike/>' : '',
  ].join('')
  const properties = looks === '' ? '' : `<w:rPr>${looks}</w:rPr>`
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => `<w:t xml:space="preserve">${escapeHtml(line)}</w:t>`)
    .map((said, at) => `<w:r>${properties}${at === 0 ? '' : '<w:br/>'}${said}</w:r>`)
    .join('')
}

/** A paragraph of runs. */
export function paragraph(runs: string, style?: string, more = ''): string {
  const named = style === undefined ? '' : `<w:pStyle w:val="${style}"/>`
  const properties = named === '' && more === '' ? '' : `<w:pPr>${named}${more}</w:pPr>`
  return `<w:p>${properties}${runs}</w:p>`
}

/** A text of many lines as code. */
export const codeBlock = (text: string): string =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => paragraph(run(line), 'Code'))
    .join('') + paragraph('')

/** A text with its address, where that is one of the web. */
export function linked(text: string, url: string, refs: DocumentRefs): string {
  const id = refs.link(url)
  return id === undefined ? run(text) : `<w:hyperlink r:id="${id}">${run(text, { link: true })}</w:hyperlink>`
}

/** A reply's Markdown as paragraphs. Its HTML stays text, and pictures from elsewhere are links. */
export function markdownParagraphs(text: string, refs: DocumentRefs): string {
  // to read it would keep the server busy
  if (isCostly(text)) return paragraph(run(text))
  const tree = fromMarkdown(text.toWellFormed(), {
    extensions: dialect(),
    mdastExtensions: [gfmFromMarkdown()],
  })
  const addresses = new Map<string, string>()
  for (const node of tree.children) if (node.type === 'definition') addresses.set(node.identifier, node.url)
  return new Writer(refs, addresses).blocks(tree.children, { depth: 0 })
}

class Writer {
  constructor(
    private readonly refs: DocumentRefs,
    private readonly addresses: ReadonlyMap<string, string>,
  ) {}

  blocks(nodes: readonly RootContent[], place: Place): string {
    return nodes
      .map((node, at) => this.#block(node, at === 0 ? place : { ...place, list: undefined }))
      .join('')
  }

  #block(node: RootContent, place: Place): string {
    switch (node.type) {
      case 'paragraph':
        return this.#paragraph(this.#inline(node.children), place)
      case 'heading':
        // headings of the document rank above a reply's
        return paragraph(this.#inline(node.children), `Heading${Math.min(6, node.depth + 2)}`)
      case 'blockquote':
        return this.blocks(node.children, { ...place, quoted: true })
      case 'list': {
        const list = this.refs.list(node.ordered === true, node.start ?? 1)
        return node.children
          .map(({ checked, children }) => {
            const mark = checked == null ? '' : `${checked ? '☑' : '☐'} `
            const [first, ...rest] = children
            const marked =
              first?.type === 'paragraph'
                ? [
                    { ...first, children: [{ type: 'text' as const, value: mark }, ...first.children] },
                    ...rest,
                  ]
                : children
            return this.blocks(mark === '' ? children : marked, {
              ...place,
              depth: place.depth + 1,
              list,
            })
          })
          .join('')
      }
      case 'code':
        return codeBlock(node.value)
      case 'table':
        return this.#table(node.children)
      case 'thematicBreak':
        return paragraph(
          '',
          undefined,
          '<w:pBdr><w:bottom w:val="single" w:sz="6" w:space="1" w:color="C9C3B9"/></w:pBdr>',
        )
      case 'footnoteDefinition':
        return paragraph(run(`[${node.identifier}]`)) + this.blocks(node.children, { ...place, quoted: true })
      case 'definition':
        return ''
      case 'html':
        return this.#paragraph(run(node.value), place)
      default:
        return this.#paragraph(this.#inline([node as PhrasingContent]), place)
    }
  }

  #paragraph(runs: string, { quoted, depth, list }: Place): string {
    const numbered =
      list === undefined
        ? ''
        : `<w:numPr><w:ilvl w:val="${Math.min(8, depth - 1)}"/><w:numId w:val="${list}"/></w:numPr>`
    const indented = list === undefined && depth > 0 ? `<w:ind w:left="${depth * 425}"/>` : ''
    return paragraph(runs, quoted ? 'Quote' : undefined, numbered + indented)
  }

  #table(rows: readonly TableRow[]): string {
    const border = (side: string) => `<w:${side} w:val="single" w:sz="4" w:space="0" w:color="C9C3B9"/>`
    const borders = ['top', 'left', 'bottom', 'right', 'insideH', 'insideV'].map(border).join('')
    const columns = Math.max(1, ...rows.map(({ children }) => children.length))
    const cells = (row: TableRow, isHead: boolean) =>
      Array.from({ length: columns }, (_, at) => {
        const said = this.#inline(row.children[at]?.children ?? [], { bold: isHead })
        return `<w:tc><w:tcPr><w:tcW w:w="0" w:type="auto"/></w:tcPr>${paragraph(said)}</w:tc>`
      }).join('')
    const grid = '<w:gridCol/>'.repeat(columns)
    return `<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/><w:tblBorders>${borders}</w:tblBorders></w:tblPr><w:tblGrid>${grid}</w:tblGrid>${rows
      .map((row, at) => `<w:tr>${cells(row, at === 0)}</w:tr>`)
      .join('')}</w:tbl>${paragraph('')}`
  }

  #inline(nodes: readonly PhrasingContent[], look: Look = {}): string {
    return nodes.map((node) => this.#phrase(node, look)).join('')
  }

  #phrase(node: PhrasingContent, look: Look): string {
    switch (node.type) {
      case 'text':
      case 'html':
        return run(node.value, look)
      case 'inlineCode':
        return run(node.value, { ...look, code: true })
      case 'strong':
        return this.#inline(node.children, { ...look, bold: true })
      case 'emphasis':
        return this.#inline(node.children, { ...look, italic: true })
      case 'delete':
        return this.#inline(node.children, { ...look, struck: true })
      case 'break':
        return '<w:r><w:br/></w:r>'
      case 'link':
        return this.#link(node.url, this.#inline(node.children, { ...look, link: true }))
      case 'linkReference': {
        const url = this.addresses.get(node.identifier) ?? ''
        return this.#link(url, this.#inline(node.children, { ...look, link: true }))
      }
      case 'image':
        return linked(node.alt || node.url, node.url, this.refs)
      case 'imageReference':
        return linked(node.alt || node.identifier, this.addresses.get(node.identifier) ?? '', this.refs)
      case 'footnoteReference':
        return run(`[${node.identifier}]`, look)
      default:
        return run(textIn(node), look)
    }
  }

  #link(url: string, runs: string): string {
    const id = this.refs.link(url)
    return id === undefined ? runs : `<w:hyperlink r:id="${id}">${runs}</w:hyperlink>`
  }
}

const textIn = (node: Nodes): string => ('value' in node && typeof node.value === 'string' ? node.value : '')
