/** Outcome of a tool call. */
export type ToolOutcome = { toolCallId: string; name: string; input: unknown } & (
  | { state: 'output-available'; output: unknown }
  | { state: 'output-error'; errorText: string }
  | { state: 'output-denied'; reason?: string }
)

/**
 * Outcome of a message part's call, in the AI SDK's words. Undefined for any other part, for a running call,
 * and for a call the provider made itself: its result must reach the provider unchanged.
 */
export function toolOutcomeOf(part: unknown): ToolOutcome | undefined {
  if (!isToolPart(part) || part.providerExecuted === true || part.preliminary === true) return undefined
  const { toolCallId, state, input } = part
  const call = {
    toolCallId,
    input,
    name: part.type === 'dynamic-tool' ? String(part.toolName) : part.type.slice(5),
  }
  switch (state) {
    case 'output-available':
      return { ...call, state, output: part.output }
    case 'output-error':
      return { ...call, state, errorText: String(part.errorText ?? '') }
    case 'output-denied':
      return { ...call, state, ...reasonOf(part.approval) }
    default:
      return undefined
  }
}

const reasonOf = (approval: unknown): { reason?: string } =>
  typeof approval === 'object' &&
  approval !== null &&
  'reason' in approval &&
  typeof approval.reason === 'string'
    ? { reason: approval.reason }
    : {}

type ToolPart = { type: string; toolCallId: string } & Record<string, unknown>

const isToolPart = (part: unknown): part is ToolPart =>
  typeof part === 'object' &&
  part !== null &&
  'type' in part &&
  typeof part.type === 'string' &&
  (part.type.startsWith('tool-') || part.type === 'dynamic-tool') &&
  'toolCallId' in part &&
  typeof part.toolCallId === 'string'
