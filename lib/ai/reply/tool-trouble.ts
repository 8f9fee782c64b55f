import { JSONParseError, TypeValidationError } from '@ai-sdk/provider'
import { InvalidToolInputError, NoSuchToolError, type TextStreamPart, type ToolSet } from 'ai'
import { explain, ReplyProblem } from '../explain-error'

type Part = TextStreamPart<ToolSet>

/** Words for calls that no tool can take; the AI SDK words them for programmers. */
export class ToolTrouble {
  readonly #words = new Map<string, string>()

  /** A part whose error, where it has one, is in words for people. */
  worded(part: Part): Part {
    if (part.type === 'tool-call' && part.invalid) {
      const words = wordsOf(part.error)
      this.#words.set(part.toolCallId, words)
      const problem = new ReplyProblem(explain('unknown', words, 'The model reads this, and may try again.'))
      return { ...part, error: problem }
    }
    if (part.type !== 'tool-error') return part
    const words = this.#words.get(part.toolCallId)
    return words === undefined ? part : { ...part, error: words }
  }
}

function wordsOf(error: unknown): string {
  if (NoSuchToolError.isInstance(error)) return `There is no tool “${error.toolName}”.`
  if (!InvalidToolInputError.isInstance(error)) return 'The call of the tool could not be read.'
  const { toolName, cause } = error
  if (JSONParseError.isInstance(cause)) return `The input for the tool “${toolName}” is not JSON.`
  const why = TypeValidationError.isInstance(cause) ? issuesOf(cause.cause) : ''
  return `The tool “${toolName}” does not take this input.${why}`
}

/** Fields that a schema refused, with the reasons. */
function issuesOf(error: unknown): string {
  const { issues } = error as { issues?: unknown }
  if (!Array.isArray(issues)) return ''
  const words = issues.slice(0, 3).map(({ path = [], message = '' }) => [...path, message].join(': '))
  return ` ${words.join('; ')}`
}
