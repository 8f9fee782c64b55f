import { stringify } from 'smol-toml'
import { ContextRenderer } from './context-renderer'
import type { RenderNode } from './render-node'
import { toRecord } from './to-record'

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
