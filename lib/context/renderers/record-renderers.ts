import { encode } from '@toon-format/toon'
import { stringify } from 'smol-toml'
import { ContextRenderer, type RenderNode, type RenderScalar } from './context-renderer'

/**
 * TOML: a key or table per fragment; fragments of one name become an array under it. As TOML demands, plain
 * keys stand before tables, in any order of the fragments.
 *
 * @example
 * new TomlRenderer().render([hint('a'), hint('b'), term('MRR', 'monthly revenue')])
 * // hint = [ "a", "b" ]
 * //
 * // [term]
 * // name = "MRR"
 * // definition = "monthly revenue"
 */
export class TomlRenderer extends ContextRenderer {
  protected override print(nodes: RenderNode[]): string {
    return stringify(toRecord(nodes)).trimEnd()
  }
}

/**
 * TOON, a format that spends few tokens: fragments of one name and one shape become a table under it, and so do rows of
 * which some lack a cell (`null` stands there). Numbers are as TOON's specification has them: NaN and the infinities are `null`.
 *
 * @example
 * new ToonRenderer({ groupFragments: true }).render([term('MRR', 'monthly revenue'), term('ARR', 'yearly revenue')])
 * // terms[2]{name,definition}:
 * //   MRR,monthly revenue
 * //   ARR,yearly revenue
 */
export class ToonRenderer extends ContextRenderer {
  protected override print(nodes: RenderNode[]): string {
    return encode(tabled(toRecord(nodes)))
  }
}

/** Plain data, as formats for data take it. */
type RecordValue = RenderScalar | null | RecordValue[] | { [key: string]: RecordValue }

/**
 * Nodes as one plain object, for formats whose keys must be unique: nodes of one name become an array under it,
 * in their order, at the place of the first.
 */
function toRecord(nodes: readonly RenderNode[]): { [key: string]: RecordValue } {
  const byName = new Map<string, RecordValue[]>()
  for (const node of nodes) {
    const values = byName.get(node.name)
    if (values) values.push(toValue(node))
    else byName.set(node.name, [toValue(node)])
  }
  return Object.fromEntries(Array.from(byName, ([name, values]) => [name, only(values) ?? values]))
}

function toValue({ shape, value }: RenderNode): RecordValue {
  if (!Array.isArray(value)) return value
  return shape === 'list' ? value.map(toValue) : toRecord(value)
}

function only(values: RecordValue[]): RecordValue | undefined {
  return values.length === 1 ? values[0] : undefined
}

/** The value in TOON's shortest form: similar rows get equal columns, so that they become a table. */
function tabled(value: RecordValue): RecordValue {
  if (typeof value !== 'object' || value === null) return value
  if (!Array.isArray(value))
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, tabled(inner)]))
  const items = value.map(tabled)
  const rows = items.filter(isRow)
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const cells = rows.reduce((sum, row) => sum + Object.keys(row).length, 0)
  // with most cells missing, key names cost less than `null` in the empty cells
  if (rows.length < items.length || cells * 2 < rows.length * columns.length) return items
  return rows.map((row) =>
    Object.fromEntries(columns.map((name) => [name, Object.hasOwn(row, name) ? (row[name] ?? null) : null])),
  )
}

/** True when a value could be a row of a table: an object of scalars. An empty object would read as a row of nothing. */
const isRow = (value: RecordValue): value is { [column: string]: RecordValue } =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).length > 0 &&
  Object.values(value).every((cell) => typeof cell !== 'object' || cell === null)
