import type { AgentReply } from '../../agent-call'

const partsOf = ({ message: { content } }: AgentReply) =>
  typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content

/** The text of a reply. */
export const textsOf = (reply: AgentReply): string =>
  partsOf(reply)
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('')

/** The model's thoughts before and within a reply. */
export const reasoningOf = (reply: AgentReply): string =>
  partsOf(reply)
    .map((part) => (part.type === 'reasoning' ? part.text : ''))
    .join('')

/** The calls of tools in a reply, their input as JSON. */
export const callsOf = (reply: AgentReply): { id: string; name: string; input: string; value: unknown }[] =>
  partsOf(reply).flatMap((part) => {
    if (part.type !== 'tool-call') return []
    const { toolCallId: id, toolName: name, input } = part
    return [{ id, name, input: typeof input === 'string' ? input : JSON.stringify(input), value: input }]
  })
