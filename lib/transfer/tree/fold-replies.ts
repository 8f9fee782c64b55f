import type { ForeignPart } from '../foreign-chat'
import type { TreeNode } from './grow-forest'
import type { ToolAnswer, ToolPart } from './source-node'

/**
 * The nodes with what one reply is made of in one message: thoughts, calls of tools, their answers, and the words that follow
 * while nothing branches off between. The message has the id of the last of them, so that a reply which is longer in a later
 * export is a new message.
 *
 * @param nodes parents first
 */
export function foldReplies(nodes: readonly TreeNode[]): {
  messages: TreeNode[]
  /** The message that each folded node has become part of. */
  moved: Map<string, string>
} {
  const childCount = new Map<string, number>()
  for (const { parentId } of nodes) {
    if (parentId !== null) childCount.set(parentId, (childCount.get(parentId) ?? 0) + 1)
  }
  /** The message that a node of the file has become so far. */
  const groupOf = new Map<string, TreeNode>()
  const messages: TreeNode[] = []
  const members = new Map<TreeNode, string[]>()
  for (const node of nodes) {
    const before = node.parentId === null ? undefined : groupOf.get(node.parentId)
    const isOnly = node.parentId !== null && childCount.get(node.parentId) === 1
    if (before && isOnly && isReply(before) && isReply(node) && readsOn(before)) {
      join(before, node)
      groupOf.set(node.id, before)
      members.get(before)?.push(node.id)
      continue
    }
    const message = { ...node, parts: [...node.parts] }
    answer(message, node.answers ?? [])
    messages.push(message)
    groupOf.set(node.id, message)
    members.set(message, [node.id])
  }
  const moved = new Map<string, string>()
  for (const [message, ids] of members) for (const id of ids) moved.set(id, message.id)
  for (const message of messages) {
    if (message.parentId !== null) message.parentId = moved.get(message.parentId) ?? message.parentId
  }
  return { messages, moved }
}

const isReply = ({ role }: TreeNode) => role === 'assistant' || role === 'tool'

const readsOn = (message: TreeNode) =>
  message.readsOn === true || message.role === 'tool' || message.parts.some(isOpenCall)

const isOpenCall = (part: ForeignPart): part is ToolPart & { state: 'input-available' } =>
  part.type === 'dynamic-tool' && part.state === 'input-available'

function join(message: TreeNode, node: TreeNode): void {
  answer(message, node.answers ?? [])
  message.parts.push(...node.parts)
  message.id = node.id
  message.role = node.role
  message.readsOn = node.readsOn
  message.held += node.held
  message.model = node.model ?? message.model
  message.createdAt = message.createdAt ?? node.createdAt
  message.isHidden = message.isHidden === true && node.isHidden === true
}

/** Puts answers into the calls that they answer; an answer without a call becomes a part of its own. */
function answer(message: TreeNode, answers: readonly ToolAnswer[]): void {
  for (const given of answers) {
    const at = callOf(message.parts, given)
    const call = at === -1 ? undefined : (message.parts[at] as ToolPart)
    const toolCallId = call?.toolCallId ?? given.callId ?? `${message.id}-${message.parts.length}`
    const toolName = call?.toolName ?? given.toolName ?? 'tool'
    const common = { type: 'dynamic-tool' as const, toolName, toolCallId, input: call?.input ?? {} }
    const part: ToolPart = given.failed
      ? { ...common, state: 'output-error', errorText: textOf(given.output) }
      : { ...common, state: 'output-available', output: given.output }
    if (at === -1) message.parts.push(part)
    else message.parts[at] = part
    message.parts.push(...given.files)
  }
}

function callOf(parts: readonly ForeignPart[], { callId, toolName }: ToolAnswer): number {
  if (callId !== null) return parts.findIndex((part) => isOpenCall(part) && part.toolCallId === callId)
  const named = parts.findIndex((part) => isOpenCall(part) && part.toolName === toolName)
  if (named !== -1) return named
  // a tool may answer under another name than it was called by; with one call open there is no doubt
  const isOne = parts.filter(isOpenCall).length === 1
  return isOne || toolName === null ? parts.findIndex(isOpenCall) : -1
}

const textOf = (output: unknown): string => {
  const text = typeof output === 'string' ? output : JSON.stringify(output)
  return text === undefined || text.trim() === '' ? 'The tool failed.' : text
}
