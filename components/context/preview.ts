import { aboutTokens, instructionsOf } from '@/lib/context'
import type { Parts } from './parts'

/** A system prompt before it is in force; `problem` says why there is none. */
export interface Preview {
  text: string
  tokens: number
  problem: string | null
}

/** The system prompt that a context becomes: the same function that compiles it for the model. */
export function previewOf({ fragments, memories, renderer }: Parts): Preview {
  try {
    const instructions = instructionsOf({
      fragments: fragments.map(({ id, name, data }) => ({ $fragment: { id, name, data } })),
      setup: {
        memories,
        off: fragments.filter(({ enabled }) => !enabled).map(({ id }) => id),
        ...(renderer !== 'xml' && { renderer }),
      },
    })
    const text = instructions.renderer.render(instructions.fragments)
    return { text, tokens: aboutTokens([text]), problem: null }
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    return { text: '', tokens: 0, problem }
  }
}
