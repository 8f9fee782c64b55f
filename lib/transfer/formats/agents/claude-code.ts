import { idOf, isRecord, type Json, type JsonRecord, jsonText, recordAt, textAt } from '../../json/values'
import { readBlocks, textPart } from '../../parts/read-blocks'
import { dateIn, type SourceNode } from '../../tree/source-node'
import { type ChatContext, chatOf, linesFormat, madeId } from '../format'
import { folderTags } from './folder-tags'

/** Kinds of lines that Claude Code writes besides messages. */
const kinds = new Set(['queue-operation', 'last-prompt', 'file-history-snapshot', 'custom-title', 'ai-title'])

/** Lists of tools and skills that the client offers its model, and its own settings: nothing of the conversation. */
const listings =
  /_(?:listing|delta)(?:_delta)?$|^(?:skill|agent|deferred_tools|mcp_instructions|command_permissions|prompt_snapshot|session_context)/

const isMessage = (value: JsonRecord) =>
  'parentUuid' in value && 'isSidechain' in value && typeof value.sessionId === 'string'

/** A session of Claude Code: a line for each block of a message, which names the line above. Lines of sub-agents come after it. */
export const claudeCode = linesFormat({
  source: 'claude-code',
  program: 'Claude Code',
  // copies of the messages' words, and the client's own notes
  silent: ['toolUseResult', 'attachment', 'rendered', 'snapshot', 'content.data', 'compactMetadata', 'usage'],
  recognises: (value) =>
    isRecord(value) &&
    (isMessage(value) ||
      (value.type === 'summary' && 'leafUuid' in value) ||
      (kinds.has(String(value.type)) && ('sessionId' in value || 'messageId' in value))),
  // the requests made of the messages, and the requests sent once more
  isAside: (value) =>
    isRecord(value) && (/^api-request/.test(String(value.type)) || value.subtype === 'api_error'),
  // a sub-agent has a file of its own
  partOf: (value) => (isRecord(value) && value.isSidechain === true ? textAt(value, 'sessionId') : null),
  read: (values, context) => [new Session(context).read(values.filter(isRecord))],
})

class Session {
  readonly #nodes: SourceNode[] = []
  /** The node that a line has become part of, by the id of the line. */
  readonly #nodeOf = new Map<string, SourceNode>()
  /** By the id of a message of the API, whose blocks are a line each. */
  readonly #replies = new Map<string, SourceNode>()
  readonly #callers = new Map<string, SourceNode>()
  /** The sub-agent that speaks in a node. */
  readonly #agentOf = new Map<SourceNode, string>()
  /** The calls that began a sub-agent, by its id. */
  readonly #beginners = new Map<string, SourceNode>()
  /** The first and the last node of each sub-agent. */
  readonly #agents = new Map<string, { first: SourceNode; last: SourceNode; prompt: string }>()
  #current: string | null = null

  constructor(private readonly context: ChatContext) {}

  read(lines: readonly JsonRecord[]) {
    for (const line of lines) {
      if (line.type === 'last-prompt') this.#current = idOf(line.leafUuid) ?? this.#current
      else if ('uuid' in line) this.#take(line)
    }
    const branches = this.#placeAgents()
    for (const node of this.#nodes)
      if (node.parentId !== null) node.parentId = this.#nodeOf.get(node.parentId)?.id ?? node.parentId
    const first = lines.find(isMessage)
    const own = /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(this.context.fileName) ? this.context.fileName : null
    const alone = first?.isSidechain === true ? textAt(first, 'agentId') : null
    const session = own ?? textAt(first, 'sessionId')
    return chatOf(
      {
        id: alone ? `${session}/${alone}` : (session ?? madeId('claude-code', this.context.fileName)),
        isNamedByFile: session === null,
        title: titleIn(lines, this.#nodeOf),
        tags: folderTags(textAt(first, 'cwd')),
      },
      this.#nodes,
      this.context.problems,
      { current: this.#nodeOf.get(this.#current ?? '')?.id ?? null, branches },
    )
  }

  #take(line: JsonRecord): void {
    const id = idOf(line.uuid) ?? ''
    // a session that was resumed by an old version repeats its lines
    if (this.#nodeOf.has(id)) return
    const node = this.#nodeFrom(line, id)
    this.#nodeOf.set(id, node)
    if (line.isSidechain !== true) this.#current = id
    else this.#noteAgent(line, node)
  }

  /** The node that a line belongs to: its own, or the node of the reply that it is a block or an answer of. */
  #nodeFrom(line: JsonRecord, id: string): SourceNode {
    const message = recordAt(line, 'message')
    const parentId = idOf(line.parentUuid) ?? idOf(line.logicalParentUuid)
    const common = { id, parentId, createdAt: dateIn(this.context.problems, line.timestamp) }
    if (line.type === 'assistant') {
      const { parts, answers } = readBlocks(message.content, this.context, id)
      const reply = idOf(message.id) ?? id
      let node = this.#replies.get(reply)
      if (node) {
        node.parts.push(...parts)
        node.answers?.push(...answers)
      } else {
        const isSynthetic = message.model === '<synthetic>'
        const isHidden = isSynthetic && line.isApiErrorMessage !== true
        const model = isSynthetic ? null : textAt(message, 'model')
        node = this.#add({ ...common, role: 'assistant', parts, answers, model, isHidden })
        this.#replies.set(reply, node)
      }
      for (const part of parts) {
        if (part.type !== 'dynamic-tool') continue
        node.readsOn = true
        this.#callers.set(part.toolCallId, node)
      }
      return node
    }
    if (line.type === 'user') {
      const { parts, answers } = readBlocks(message.content, this.context, id)
      const rest = answers.filter((answer) => {
        const caller = this.#callers.get(answer.callId ?? '')
        if (!caller) return true
        caller.answers?.push(answer)
        const agent = textAt(line.toolUseResult, 'agentId') ?? agentIn(answer.output)
        if (agent !== null) this.#beginners.set(agent, caller)
        return false
      })
      const caller = answers.map(({ callId }) => this.#callers.get(callId ?? '')).find(Boolean)
      if (caller && rest.length === 0 && parts.length === 0) return caller
      if (rest.length > 0) return this.#add({ ...common, role: 'tool', parts, answers: rest, model: null })
      const isHidden = line.isMeta === true
      return this.#add({ ...common, role: 'user', parts, model: null, isHidden })
    }
    const said = line.type === 'attachment' ? noteIn(line) : textAt(line, 'content')
    const isQueued = recordAt(line, 'attachment').type === 'queued_command'
    const parts = isQueued
      ? readBlocks(recordAt(line, 'attachment').prompt, this.context, id).parts
      : textPart(said ?? '')
    const isHidden = !isQueued
    return this.#add({ ...common, role: 'user', parts, model: null, isHidden, isRoot: said === null })
  }

  #add(node: SourceNode): SourceNode {
    this.#nodes.push(node)
    return node
  }

  #noteAgent(line: JsonRecord, node: SourceNode): void {
    const above = this.#nodeOf.get(idOf(line.parentUuid) ?? '')
    // old versions give a sub-agent no id
    const id = textAt(line, 'agentId') ?? (above && this.#agentOf.get(above)) ?? node.id ?? ''
    this.#agentOf.set(node, id)
    const known = this.#agents.get(id)
    if (known) known.last = node
    else {
      const [part] = node.parts
      const prompt = part?.type === 'text' ? part.text : ''
      this.#agents.set(id, { first: node, last: node, prompt })
    }
  }

  /** Hangs each sub-agent on the reply that began it, and names its branch after its task. */
  #placeAgents(): { name: string; headId: string }[] {
    const taken = new Set<SourceNode['parts'][number]>()
    const callers = new Set(this.#callers.values())
    // a file of one sub-agent, without its session
    if (this.#agents.size === 1 && this.#nodes.every((node) => this.#agentOf.has(node))) return []
    return [...this.#agents].map(([id, { first, last, prompt }]) => {
      const known = this.#beginners.get(id)
      let name = id
      for (const node of known ? [known] : callers) {
        const call = node.parts.find(
          (part) =>
            part.type === 'dynamic-tool' && !taken.has(part) && textAt(part.input, 'prompt') === prompt,
        )
        if (call?.type !== 'dynamic-tool' || this.#agentOf.get(node) === id) continue
        taken.add(call)
        first.parentId = node.id
        name = textAt(call.input, 'description') ?? name
        break
      }
      return { name, headId: last.id ?? '' }
    })
  }
}

/** The id of the sub-agent that a call began, by the words of its answer. */
const agentIn = (output: Json): string | null =>
  typeof output === 'string' ? (/\bagentId: (\w+)/.exec(output)?.[1] ?? null) : null

/** A note that the client adds to the conversation by itself, as its model reads it where the line says so; null: it says nothing. */
function noteIn({ attachment, rendered }: JsonRecord): string | null {
  if (!isRecord(attachment) || listings.test(String(attachment.type))) return null
  const read = (Array.isArray(rendered) ? rendered : [])
    .map((each) => textAt(each, 'content') ?? '')
    .join('\n')
  if (read !== '') return read
  const { type, ...rest } = attachment
  const said = textAt(rest, 'content') ?? textAt(recordAt(recordAt(rest, 'content'), 'file'), 'content')
  return said ?? (Object.keys(rest).length === 0 ? null : `${type}: ${jsonText(rest)}`)
}

/** The title that a person or the client gave; among summaries, first the one of a message of this session. */
function titleIn(lines: readonly JsonRecord[], known: ReadonlyMap<string, unknown>): string | null {
  const last = (key: string) => lines.findLast((line) => textAt(line, key) !== null)?.[key]
  const summaries = lines.filter(({ type }) => type === 'summary')
  const own = summaries.findLast(({ leafUuid }) => known.has(String(leafUuid))) ?? summaries.at(-1)
  return idOf(last('customTitle')) ?? idOf(last('aiTitle')) ?? textAt(own, 'summary')
}
