import type { ModelMessage } from 'ai'
import { aboutTokens, toldTokens } from '@/lib/context'
import type { AgentCall, AgentReply } from '@/lib/gateway/agent-call'

type Spoken = Pick<AgentCall, 'system' | 'tools' | 'messages'>

/** The tokens of a call for the quotas: as the provider says, else about as many as the texts have. */
export function spentTokens({ system, tools, messages }: Spoken, { usage, message }: AgentReply): number {
  const input = toldTokens(usage?.input) ?? callTokens({ system, tools, messages })
  return input + (toldTokens(usage?.output) ?? aboutTokens(textsOf(message)))
}

/** About as many tokens as the texts of a call have; files are not counted. */
export const callTokens = ({ system, tools, messages }: Spoken): number =>
  aboutTokens([...system, ...(tools.length > 0 ? [JSON.stringify(tools)] : []), ...messages.flatMap(textsOf)])

/** What a message says; files are not counted. */
function textsOf({ content }: ModelMessage): string[] {
  if (typeof content === 'string') return [content]
  return content.flatMap((part) => {
    if (part.type === 'text' || part.type === 'reasoning') return [part.text]
    if (part.type === 'tool-call') return [JSON.stringify(part.input) ?? '']
    if (part.type !== 'tool-result') return []
    const { output } = part
    if (output.type === 'content')
      return output.value.flatMap((one) => (one.type === 'text' ? [one.text] : []))
    return 'value' in output
      ? [typeof output.value === 'string' ? output.value : JSON.stringify(output.value)]
      : []
  })
}
