import { ContextRenderer, type RenderNode, type RenderScalar } from './context-renderer'

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
  if (node.value.length === 0) return `${indent}<${name}></${name}>`
  const children = node.value.map((child) => element(child, `${indent}  `))
  return [`${indent}<${name}>`, ...children, `${indent}</${name}>`].join('\n')
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

// XML has no way to write these characters, not even escaped.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression finds them
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g

/** True when a text has any of the characters that are written in another way. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression finds them
const UNSAFE = /[&<>\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/

function escapeText(value: RenderScalar): string {
  const text = String(value)
  if (!UNSAFE.test(text)) return text
  return text.replace(/[&<>]/g, (character) => ESCAPES[character] ?? character).replace(FORBIDDEN, '\uFFFD')
}

// The name characters of XML 1.0 (fifth edition), without the colon: it would stand for a namespace.
const START =
  'A-Z_a-z\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D\\u2070-\\u218F\\u2C00-\\u2FEF' +
  '\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}'
const NOT_IN_NAMES = new RegExp(`[^${START}\\-.0-9\\u00B7\\u0300-\\u036F\\u203F-\\u2040]`, 'gu')
const LEGAL_START = new RegExp(`^[${START}]`, 'u')

/**
 * The nearest legal XML element name: forbidden characters become `_`, and a name that may not begin as it does gets
 * one in front.
 *
 * @example xmlName('2nd hint') // '_2nd_hint'
 */
function xmlName(name: string): string {
  // nearly every name is of this kind, and the sets of Unicode take their time
  if (/^[a-z_][\w-]*$/i.test(name)) return name
  const legal = name.replace(NOT_IN_NAMES, '_')
  return LEGAL_START.test(legal) ? legal : `_${legal}`
}
