import type { ContextFragment } from '../fragments/types'
import { groupNodes } from './group-nodes'
import { type RenderNode, toRenderNodes } from './render-node'

/** How a renderer treats fragments, whatever its format. */
export interface RendererOptions {
  /** Put fragments of one name under one plural parent: `<hints><hint>…</hint></hints>`. Default false. */
  groupFragments?: boolean
}

/**
 * Turns context fragments into a system prompt; a subclass per format prints the prepared tree (template method).
 *
 * @example
 * class PlainRenderer extends ContextRenderer {
 *   protected override print(nodes: RenderNode[]) { return nodes.map((node) => node.name).join('\n') }
 * }
 */
export abstract class ContextRenderer {
  readonly #groupFragments: boolean

  constructor(options: RendererOptions = {}) {
    this.#groupFragments = options.groupFragments ?? false
  }

  /**
   * The fragments as text, in their order, without a trailing line break; nothing to say is an empty string.
   *
   * Messages are not rendered, nor are `null`, `undefined` and lists or objects with nothing else in them.
   */
  render(fragments: readonly ContextFragment[]): string {
    const nodes = toRenderNodes(fragments)
    if (nodes.length === 0) return ''
    return this.print(this.#groupFragments ? groupNodes(nodes) : nodes)
  }

  /** Prints at least one node in the format of the subclass. */
  protected abstract print(nodes: RenderNode[]): string
}
