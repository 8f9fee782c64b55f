import type { AssistantModelMessage } from 'ai'
import type { AgentTool } from './agent-call'
import { contentOf, parsed } from './chain'
import { fieldsOf } from './protocols/shared/values'

/**
 * A reply as clients send it back that check calls against the schemas of their tools: arguments that a call leaves out have
 * their defaults. Claude Code sends `replace_all: false` back with each `Edit`.
 *
 * @returns the reply itself where no call leaves such an argument out
 */
export function withArgumentDefaults(
  reply: AssistantModelMessage,
  tools: readonly AgentTool[],
): AssistantModelMessage {
  let isSame = true
  const content = contentOf(reply).map((part) => {
    if (part.type !== 'tool-call') return part
    const tool = tools.find(({ name }) => name === part.toolName)
    const input = fieldsOf(parsed(part.input))
    const left = Object.entries(defaultsOf(tool?.inputSchema)).filter(([name]) => !(name in input))
    if (left.length === 0) return part
    isSame = false
    return { ...part, input: { ...input, ...Object.fromEntries(left) } }
  })
  return isSame ? reply : ({ ...reply, content } as AssistantModelMessage)
}

/** The defaults of arguments, by their names. */
function defaultsOf(schema: unknown): Record<string, unknown> {
  const properties = Object.entries(fieldsOf(fieldsOf(schema).properties))
  return Object.fromEntries(
    properties.flatMap(([name, property]) => {
      const { default: value } = fieldsOf(property)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}
