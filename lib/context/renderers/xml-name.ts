// The name characters of XML 1.0 (fifth edition), without the colon: it would promise a namespace nobody declared.
const START =
  'A-Z_a-z\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D\\u2070-\\u218F\\u2C00-\\u2FEF' +
  '\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}'
const FORBIDDEN = new RegExp(`[^${START}\\-.0-9\\u00B7\\u0300-\\u036F\\u203F-\\u2040]`, 'gu')
const LEGAL_START = new RegExp(`^[${START}]`, 'u')

/**
 * The nearest legal XML element name: forbidden characters become `_`, and a name that may not begin as it does gets
 * one in front.
 *
 * @example xmlName('2nd hint') // '_2nd_hint'
 */
export function xmlName(name: string): string {
  const legal = name.replace(FORBIDDEN, '_')
  return LEGAL_START.test(legal) ? legal : `_${legal}`
}
