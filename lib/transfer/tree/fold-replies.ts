import type { ForeignPart } from '../foreign-chat'
import type { TreeNode } from './grow-forest'
import type { ToolAnswer, ToolPart } from './source-node'

/**
 * The nodes with the parts of one reply in one message: thoughts, calls of tools, their answers, and the words that
 * follow while nothing branches off between. The message has the id of the last of them, so that a reply which is
 * longer in a later export is a new message.
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
  const calls = new Map<TreeNode, OpenCalls>()
  for (const node of nodes) {
    const before = node.parentId === null ? undefined : groupOf.get(node.parentId)
    const isOnly = node.parentId !== null && childCount.get(node.parentId) === 1
    const open = before && calls.get(before)
    if (before && open && isOnly && isReply(before) && isReply(node) && readsOn(before, node, open)) {
      join(before, node, open)
      groupOf.set(node.id, before)
      members.get(before)?.push(node.id)
      continue
    }
    const message = { ...node, parts: [...node.parts] }
    const ownCalls = new OpenCalls(message.parts)
    answer(message, node.answers ?? [], ownCalls)
    calls.set(message, ownCalls)
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

/** A hidden message is no part of a reply that is shown, but for the answer of a tool that the reply called. */
const readsOn = (message: TreeNode, node: TreeNode, open: OpenCalls) =>
  open.count > 0 ||
  ((message.readsOn === true || message.role === 'tool') &&
    (message.isHidden ?? false) === (node.isHidden ?? false))

/** Places of parts, those before `at` passed over. */
interface Places {
  list: number[]
  at: number
}

/** The calls of a message that wait for their answers: thousands are not looked through for each answer. */
class OpenCalls {
  count = 0
  readonly #all: Places = { list: [], at: 0 }
  readonly #byId = new Map<string, Places>()
  readonly #byName = new Map<string, Places>()
  readonly #answered = new Set<number>()
  #seen = 0

  constructor(private readonly parts: readonly ForeignPart[]) {
    this.look()
  }

  /** Takes in the parts that came since the last look. */
  look(): void {
    for (; this.#seen < this.parts.length; this.#seen++) {
      const part = this.parts[this.#seen]
      if (part?.type !== 'dynamic-tool' || part.state !== 'input-available') continue
      this.count += 1
      this.#all.list.push(this.#seen)
      placesAt(this.#byId, part.toolCallId).list.push(this.#seen)
      placesAt(this.#byName, part.toolName).list.push(this.#seen)
    }
  }

  /** The place of the call that an answer is for, which is answered now; -1: there is none. */
  take({ callId, toolName }: ToolAnswer): number {
    // a tool may answer under another name than it was called by; with one call open there is no doubt
    const any = () => (this.count === 1 || toolName === null ? this.#first(this.#all) : -1)
    const named = this.#first(callId === null ? this.#byName.get(toolName ?? '') : this.#byId.get(callId))
    const place = named === -1 && callId === null ? any() : named
    if (place === -1) return -1
    this.#answered.add(place)
    this.count -= 1
    return place
  }

  #first(places: Places | undefined): number {
    if (!places) return -1
    while (this.#answered.has(places.list[places.at] ?? -1)) places.at += 1
    return places.list[places.at] ?? -1
  }
}

function placesAt(map: Map<string, Places>, key: string): Places {
  const known = map.get(key)
  if (known) return known
  const made = { list: [], at: 0 }
  map.set(key, made)
  return made
}

function join(message: TreeNode, node: TreeNode, open: OpenCalls): void {
  // one by one: a hundred thousand parts are too many arguments
  for (const part of node.parts) message.parts.push(part)
  open.look()
  // after its parts, which may be calls with their answers
  answer(message, node.answers ?? [], open)
  message.id = node.id
  message.role = node.role
  message.readsOn = node.readsOn
  message.held += node.held
  message.model = node.model ?? message.model
  message.createdAt = message.createdAt ?? node.createdAt
  message.isHidden = message.isHidden === true && node.isHidden === true
}

/** Puts answers into the calls that they answer; an answer without a call becomes a part of its own. */
function answer(message: TreeNode, answers: readonly ToolAnswer[], open: OpenCalls): void {
  for (const given of answers) {
    const at = open.take(given)
    const call = at === -1 ? undefined : (message.parts[at] as ToolPart)
    const toolCallId = call?.toolCallId ?? given.callId ?? `${message.id}-${message.parts.length}`
    const toolName = call?.toolName ?? given.toolName ?? 'tool'
    const common = { type: 'dynamic-tool' as const, toolName, toolCallId, input: call?.input ?? {} }
    const part: ToolPart = given.failed
      ? { ...common, state: 'output-error', errorText: textOf(given.output) }
      : { ...common, state: 'output-available', output: given.output }
    if (at === -1) message.parts.push(part)
    else message.parts[at] = part
    for (const file of given.files) message.parts.push(file)
  }
}

const textOf = (output: unknown): string => {
  const text = typeof output === 'string' ? output : JSON.stringify(output)
  return text === undefined || text.trim() === '' ? 'The tool failed.' : text
}
