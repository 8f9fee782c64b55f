import { fieldsOf, listOf } from '@/lib/gateway/protocols/shared/values'

/**
 * Knows the pieces of a stream that differ from an earlier one in nothing but their words. Most do, and the frame
 * need not be read twice: such a piece passes as it came.
 */
export class SameFrame {
  #before = ''
  #after = ''

  /** Tells whether a piece of chat completions has the frame of a piece that was `note`d, and plain words in it. */
  fits(text: string): boolean {
    const { length } = this.#before
    if (length === 0 || !text.startsWith(this.#before) || !text.endsWith(this.#after)) return false
    const quote = text.indexOf('"', length)
    const slash = text.indexOf('\\', length)
    return quote === text.length - this.#after.length && slash === -1
  }

  /** Notes the frame of a piece, where nothing but words is in it, and every field is as the AI SDK takes it. */
  note(value: unknown, text: string): void {
    const { id, model, created, usage, error, choices } = fieldsOf(value)
    const [choice, ...others] = listOf(choices).map(fieldsOf)
    if (typeof id !== 'string' || typeof model !== 'string' || typeof created !== 'number') return
    if (!choice || others.length > 0 || (usage ?? null) !== null || error !== undefined) return
    if ((choice.finish_reason ?? null) !== null || (choice.index ?? 0) !== 0) return
    const delta = fieldsOf(choice.delta)
    const { content } = delta
    if (typeof content !== 'string' || content === '' || Object.keys(delta).length !== 1) return
    const begin = '"content":"'
    const at = text.indexOf(`${begin}${content}"}`)
    if (at === -1 || text.indexOf(begin) !== at || /[\\\n]/.test(text)) return
    this.#before = text.slice(0, at + begin.length)
    this.#after = text.slice(at + begin.length + content.length)
  }
}
