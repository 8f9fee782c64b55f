import { ContextRenderer, type RenderNode, type RenderScalar } from './context-renderer'

/**
 * Markdown: a section per fragment, nested fragments and object keys as bullets.
 *
 * Text stands as it is, Markdown in it included, and lines of a bullet stay inside the bullet. Nothing is escaped:
 * where text comes from strangers, `XmlRenderer` keeps it from posing as a section.
 *
 * @example
 * new MarkdownRenderer().render([role('You are helpful.')])
 * // ## Role
 * //
 * // You are helpful.
 */
export class MarkdownRenderer extends ContextRenderer {
  protected override print(nodes: RenderNode[]): string {
    return nodes.map(section).join('\n\n')
  }
}

function section({ name, value }: RenderNode): string {
  return `## ${title(name)}\n\n${Array.isArray(value) ? bullets(value, '') : value}`
}

function bullets(nodes: RenderNode[], indent: string): string {
  return nodes.map((node) => `${indent}- ${bullet(node, `${indent}  `)}`).join('\n')
}

function bullet({ name, kind, shape, value }: RenderNode, indent: string): string {
  const label = `**${name.replace(/\s+/g, ' ')}**:`
  if (Array.isArray(value) && value.length > 0) return `${label}\n${bullets(value, indent)}`
  const text = Array.isArray(value) ? EMPTY[shape] : indented(value, indent)
  return kind === 'item' ? text : `${label} ${text}`
}

/** An empty list or object, as JSON has it. */
const EMPTY = { list: '[]', object: '{}', scalar: '' }

function indented(text: RenderScalar, indent: string): string {
  return String(text).replace(/\r?\n(?=[^\r\n])/g, (lineBreak) => lineBreak + indent)
}

/** `styleGuide` → `Style guide`. */
function title(name: string): string {
  const words = name
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`)
    .replace(/[\s_-]+/g, ' ')
    .trim()
  return words.replace(/^./u, (first) => first.toUpperCase())
}
