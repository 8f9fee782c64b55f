import type { ModelMessage } from 'ai'
import { aboutTokens, toldTokens } from '@/lib/context'
import type { AgentCall, AgentReply } from '@/lib/gateway/agent-call'
import { isKept, type KeptPart } from '@/lib/gateway/kept'

type MessagePart = Exclude<ModelMessage['content'], string>[number]
type Spoken = Pick<AgentCall, 'system' | 'tools' | 'messages'>

/** A file takes so many tokens at most, unless it is long: the dearest picture of the providers known here. */
const FILE_TOKENS = 40_000

/**
 * The tokens of a call for the quotas: the provider's count, else the most that the sent and received texts
 * can have.
 */
export function spentTokens(call: Spoken, { usage, message, others = [] }: AgentReply): number {
  const input = toldTokens(usage?.input) ?? mostTokens(call)
  const said = [message, ...others.map((other) => other.message)]
  return input + (toldTokens(usage?.output) ?? lengthOf(said.flatMap(textsOf)))
}

/** A token has a character at least, but for rare ones. */
const mostTokens = (call: Spoken): number =>
  lengthOf(textsOfCall(call)) + call.messages.reduce((sum, message) => sum + fileTokens(message), 0)

const lengthOf = (texts: readonly string[]): number => texts.reduce((sum, { length }) => sum + length, 0)

function fileTokens({ content }: ModelMessage): number {
  if (typeof content === 'string') return 0
  const files = content.filter(({ type }) => type === 'file' || type === 'image')
  return files.reduce((sum, part) => {
    const data = 'data' in part ? part.data : 'image' in part ? part.image : undefined
    const long = typeof data === 'string' || data instanceof Uint8Array ? data.length / 4 : 0
    return sum + Math.max(FILE_TOKENS, Math.ceil(long))
  }, 0)
}

/** About as many tokens as the texts of a call have; files are not counted. */
export const callTokens = (call: Spoken): number => aboutTokens(textsOfCall(call))

const textsOfCall = ({ system, tools, messages }: Spoken): string[] => [
  ...system,
  ...(tools.length > 0 ? [JSON.stringify(tools)] : []),
  ...messages.flatMap(textsOf),
]

/** Texts of a message; files are not counted. */
function textsOf({ content }: ModelMessage): string[] {
  if (typeof content === 'string') return [content]
  return content.flatMap((part: MessagePart | KeptPart) => {
    if (isKept(part)) return [JSON.stringify(part.item) ?? '']
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
