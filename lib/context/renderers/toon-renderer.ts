import { encode } from '@toon-format/toon'
import { ContextRenderer } from './context-renderer'
import type { RenderNode } from './render-node'
import { toRecord } from './to-record'

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
