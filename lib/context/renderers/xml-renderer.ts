import { ContextRenderer } from './context-renderer'
import type { RenderNode, RenderScalar } from './render-node'
import { xmlName } from './xml-name'

/**
 * XML: an element per fragment and per object key, two spaces per level, text escaped, so no text can close or open
 * an element. Text keeps its own line breaks and spaces.
 *
 * @example
 * new XmlRenderer().render([role('You are helpful.'), hint('a < b')])
 * // <role>You are helpful.</role>
 * // <hint>a &lt; b</hint>
 */
export class XmlRenderer extends ContextRenderer {
  protected override print(nodes: RenderNode[]): string {
    return nodes.map((node) => element(node, '')).join('\n')
  }
}

function element(node: RenderNode, indent: string): string {
  const name = xmlName(node.name)
  if (!Array.isArray(node.value)) return `${indent}<${name}>${escapeText(node.value)}</${name}>`
  const children = node.value.map((child) => element(child, `${indent}  `))
  return [`${indent}<${name}>`, ...children, `${indent}</${name}>`].join('\n')
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

// XML has no way to write these characters, not even escaped.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g

function escapeText(value: RenderScalar): string {
  return String(value)
    .replace(/[&<>]/g, (character) => ESCAPES[character] ?? character)
    .replace(FORBIDDEN, '\uFFFD')
}
