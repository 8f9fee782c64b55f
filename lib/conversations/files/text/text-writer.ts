/** Tags that begin and end a line. */
const blocks = new Set(
  'p div section article blockquote pre ul ol li dl dt dd table figure figcaption header footer aside h1 h2 h3 h4 h5 h6'.split(
    ' ',
  ),
)
/** Tags that have a blank line around them. */
const apart = new Set('p pre ul ol table h1 h2 h3 h4 h5 h6'.split(' '))
const silent = new Set(['script', 'style', 'head', 'template'])

/** Writes the text of markup as Markdown: headings, lists and tables keep their form, all else its words. */
export class TextWriter {
  #text = ''
  #silent = 0
  #pre = 0
  /** text around the open cells of a table, and the cells of the open rows */
  readonly #around: string[] = []
  readonly #rows: string[][] = []
  readonly #rowsWritten: number[] = []

  open(tag: string, attributes: Readonly<Record<string, string>> = {}): void {
    if (silent.has(tag)) this.#silent += 1
    if (blocks.has(tag)) this.#line(apart.has(tag))
    if (/^h[1-6]$/.test(tag)) this.#text += `${'#'.repeat(Number(tag[1]))} `
    else if (tag === 'li') this.#text += '- '
    else if (tag === 'pre') this.#pre += 1
    else if (tag === 'br') this.#text += '\n'
    else if (tag === 'hr') this.#text += '\n---\n'
    else if (tag === 'img') this.write(attributes.alt ? `[Picture: ${attributes.alt}]` : '[Picture]')
    else if (tag === 'table') this.#rowsWritten.push(0)
    else if (tag === 'tr') this.#rows.push([])
    else if (tag === 'td' || tag === 'th') {
      this.#around.push(this.#text)
      this.#text = ''
    }
  }

  write(text: string): void {
    if (this.#silent > 0) return
    const words = this.#pre > 0 ? text : text.replace(/\s+/g, ' ')
    this.#text += /(?:^|\s)$/.test(this.#text) && this.#pre === 0 ? words.trimStart() : words
  }

  close(tag: string): void {
    if (silent.has(tag)) this.#silent = Math.max(0, this.#silent - 1)
    if (tag === 'pre') this.#pre = Math.max(0, this.#pre - 1)
    if ((tag === 'td' || tag === 'th') && this.#around.length > 0) {
      const cell = this.#text.trim().replace(/\s*\n\s*/g, ' ')
      this.#text = this.#around.pop() ?? ''
      this.#rows.at(-1)?.push(cell)
    } else if (tag === 'tr') this.#writeRow(this.#rows.pop() ?? [])
    else if (tag === 'table') this.#rowsWritten.pop()
    if (blocks.has(tag)) this.#line(apart.has(tag))
  }

  /** The text so far, without spaces at its ends. */
  get text(): string {
    return `${this.#around.join('')}${this.#text}`
      .replace(/[ \t]+\n/g, '\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  }

  get length(): number {
    return this.#text.length
  }

  #line(isApart: boolean): void {
    if (this.#silent > 0 || this.#text === '' || /(?:^|\n)- $/.test(this.#text)) return
    const ends = isApart && this.#around.length === 0 ? '\n\n' : '\n'
    if (!this.#text.endsWith(ends)) this.#text = `${this.#text.trimEnd()}${ends}`
  }

  #writeRow(cells: readonly string[]): void {
    if (cells.length === 0) return
    this.#text += tableRow(cells)
    const at = this.#rowsWritten.length - 1
    if (this.#rowsWritten[at] === 0) this.#text += tableRow(cells.map(() => '---'))
    this.#rowsWritten[at] = (this.#rowsWritten[at] ?? 0) + 1
  }
}

const tableRow = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`
