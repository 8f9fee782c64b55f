import type { MessageId } from '@/lib/events'
import { plainLetters } from '@/lib/events/search-letters'
import type { VisibleGraph } from './visible-graph'

/** Finds words in the texts and labels a drawing shows. Made once for a drawing, in linear time. */
export class MessageFinder {
  readonly #ids: MessageId[] = []
  readonly #texts: string[] = []

  constructor({ nodes, labels }: Pick<VisibleGraph, 'nodes' | 'labels'>) {
    for (const { node } of nodes) {
      const at = labels.get(node.id)
      const names = at ? [...at.branches, ...at.waiting, ...at.checkpoints].map(({ name }) => name) : []
      this.#ids.push(node.id)
      this.#texts.push(plainLetters([node.preview, ...names].join('\n')))
    }
  }

  /**
   * The messages that hold every word: in their preview, or in the name of a branch or checkpoint at them.
   * Neither case nor accents count. In the order they are drawn, top to bottom, branch by branch.
   *
   * @param also messages known to hold them below their preview
   * @returns an empty list without words
   */
  find(words: string, also: ReadonlySet<MessageId> = new Set()): MessageId[] {
    const wanted = plainLetters(words).split(/\s+/).filter(Boolean)
    if (wanted.length === 0) return []
    return this.#ids.filter(
      (id, at) => also.has(id) || wanted.every((word) => this.#texts[at]?.includes(word)),
    )
  }
}
