import { encode } from '@toon-format/toon'
import { stringify } from 'smol-toml'
import { ContextRenderer, type RenderNode, type RenderScalar } from './context-renderer'

/**
 * TOML: a key or table per fragment; fragments of one name become an array under it. As TOML demands, plain keys
 * stand before tables, whatever the order of the fragments.
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
 * TOON, a format that spends few tokens: fragments of one name and one shape become a table under it.
 *
 * @example
 * new ToonRenderer({ groupFragments: true }).render([term('MRR', 'monthly revenue'), term('ARR', 'yearly revenue')])
 * // terms[2]{name,definition}:
 * //   MRR,monthly revenue
 * //   ARR,yearly revenue
 */
export class ToonRenderer extends ContextRenderer {
  protected override print(nodes: RenderNode[]): string {
    return encode(toRecord(nodes))
  }
}

/** Plain data, as formats for data take it. */
type RecordValue = RenderScalar | RecordValue[] | { [key: string]: RecordValue }

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

function toValue({ value }: RenderNode): RecordValue {
  if (!Array.isArray(value)) return value
  return value.every((node) => node.kind === 'item') ? value.map(toValue) : toRecord(value)
}

function only(values: RecordValue[]): RecordValue | undefined {
  return values.length === 1 ? values[0] : undefined
}
