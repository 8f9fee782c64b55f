import type { ForeignPart } from '../../foreign-chat'
import { idOf, isRecord, type JsonRecord, listAt, recordAt, textAt } from '../../json/values'
import { readBlocks, textPart } from '../../parts/read-blocks'
import { chainId, dateIn, type SourceNode } from '../../tree/source-node'
import { type ChatContext, chatOf, linesFormat, madeId } from '../format'
import { readItem, SUMMARY_ENCRYPTED } from './codex-items'
import { folderTags } from './folder-tags'

/** Words that Codex says in the person's name. */
const ofTheClient =
  /^\s*(?:<(?:environment_context|user_instructions|permissions instructions|turn_aborted|subagent_notification|skill|user_shell_command)\b|# AGENTS\.md instructions)/

const isLine = (value: JsonRecord) =>
  'timestamp' in value && typeof value.type === 'string' && isRecord(value.payload)

/** The first line of a file, of today or of the first versions. */
const isHeader = (value: JsonRecord) =>
  value.type === 'session_meta' ||
  ('id' in value && 'timestamp' in value && 'instructions' in value && !('messages' in value))

/** A rollout of Codex: items of the Responses API in their order. A fork repeats the items of the session that it left. */
export const codex = linesFormat({
  source: 'codex',
  program: 'Codex',
  // definitions of tools, the state of the client, and events that say again what the items say
  silent: [
    ...['payload.tools', 'payload.state', 'payload.item', 'encrypted_content', 'payload.replacement_history'],
    ...[
      'payload.stdout',
      'payload.stderr',
      'payload.aggregated_output',
      'payload.formatted_output',
      'payload.changes',
    ],
    ...['payload.action', 'git', 'sandbox_policy', 'permission_profile', 'rate_limits', 'metadata'],
    ...[
      'internal_chat_message_metadata_passthrough',
      'originator',
      'model_provider',
      'codex_error_info',
      'exec_command',
    ],
  ],
  recognises: (value) =>
    isRecord(value) &&
    (isHeader(value) ||
      (isLine(value) && /^(?:response_item|event_msg|turn_context|compacted)$/.test(String(value.type)))),
  partOf: (value) => {
    const meta = isRecord(value) ? recordAt(value, 'payload') : {}
    const spawn = recordAt(recordAt(recordAt(meta, 'source'), 'subagent'), 'thread_spawn')
    return textAt(meta, 'forked_from_id') ?? textAt(spawn, 'parent_thread_id')
  },
  read: (values, context) => [new Rollout(context).read(values.filter(isRecord))],
})

class Rollout {
  readonly #nodes = new Map<string, SourceNode>()
  readonly #branches: { name: string; headId: string }[] = []
  #above: string | null = null
  #model: string | null = null
  #header: JsonRecord | null = null
  #agent: string | null = null
  #hasSpoken = false
  /** The current message of the first file. */
  #current: string | null = null
  /** Messages of the person down to here, to go back by. */
  #turns: (string | null)[] = []

  constructor(private readonly context: ChatContext) {}

  read(lines: readonly JsonRecord[]) {
    for (const line of lines) {
      // the state of the client, between the items of the first versions
      if ('record_type' in line) continue
      const payload = isRecord(line.payload) ? line.payload : line
      const type = isRecord(line.payload) ? line.type : isHeader(line) ? 'session_meta' : 'response_item'
      const createdAt = dateIn(this.context.problems, line.timestamp)
      if (type === 'session_meta') this.#begin(payload)
      else if (type === 'turn_context') this.#model = textAt(payload, 'model') ?? this.#model
      else if (type === 'response_item') this.#item(payload, createdAt)
      else if (type === 'compacted') this.#compacted(payload, createdAt)
      else if (payload.type === 'thread_rolled_back') this.#goBack(Number(payload.num_turns) || 0)
    }
    this.#endFile()
    const header = this.#header ?? {}
    const id = idOf(header.id) ?? idOf(header.session_id)
    return chatOf(
      {
        id: id ?? madeId('codex', this.context.fileName),
        isNamedByFile: id === null,
        createdAt: dateIn(this.context.problems, header.timestamp),
        instructions: instructionsIn(header),
        tags: folderTags(textAt(header, 'cwd')),
      },
      [...this.#nodes.values()],
      this.context.problems,
      { current: this.#current, branches: this.#branches },
    )
  }

  /**
   * The header of a file: of the session, of a fork that begins again with its items, or of the session that those
   * items were copied from.
   */
  #begin(meta: JsonRecord): void {
    const spawn = recordAt(recordAt(recordAt(meta, 'source'), 'subagent'), 'thread_spawn')
    const isFile = this.#header === null || codex.partOf?.({ payload: meta }) !== null
    if (!isFile) return
    if (this.#header !== null) this.#endFile()
    this.#header ??= meta
    if (this.#header === meta) return
    const isAgent = textAt(spawn, 'parent_thread_id') !== null
    this.#agent =
      textAt(spawn, 'agent_nickname') ?? textAt(spawn, 'agent_role') ?? (isAgent ? 'sub-agent' : 'fork')
    this.#above = isAgent && textAt(meta, 'forked_from_id') === null ? this.#spawnCall(meta) : null
    this.#turns = []
    this.#hasSpoken = false
  }

  /** The message whose call began a sub-agent: its answer names it; else the last one. */
  #spawnCall(meta: JsonRecord): string | null {
    const id = textAt(meta, 'id') ?? ''
    for (const node of this.#nodes.values())
      if (node.answers?.some(({ output }) => JSON.stringify(output).includes(id))) return node.id
    return this.#current
  }

  #endFile(): void {
    if (this.#agent === null) this.#current = this.#above
    else if (this.#above !== null) this.#branches.push({ name: this.#agent, headId: this.#above })
  }

  #goBack(turns: number): void {
    for (let left = turns; left > 0 && this.#turns.length > 0; left -= 1)
      this.#above = this.#turns.pop() ?? null
  }

  #compacted(payload: JsonRecord, createdAt: Date | null): void {
    const history = listAt(payload, 'replacement_history')
    const last = readBlocks(recordAt({ last: history.at(-1) }, 'last').content, this.context, '').parts
    const parts = textPart(textAt(payload, 'message') ?? '')
    if (parts.length === 0 && last.length === 0) this.context.problems.say(SUMMARY_ENCRYPTED)
    this.#add('user', parts.length > 0 ? parts : last, { createdAt })
  }

  #item(item: JsonRecord, createdAt: Date | null): void {
    if (item.type === 'message') this.#message(item, createdAt)
    else {
      const read = readItem(item, this.context, `${this.#above}`)
      if (read)
        this.#add(read.role, read.parts, {
          createdAt,
          answers: read.answers,
          isRoot: item.type === 'reasoning',
        })
    }
  }

  #message(item: JsonRecord, createdAt: Date | null): void {
    const { parts } = readBlocks(item.content, this.context, `${this.#above}`)
    const origins = listAt(recordAt(item, 'internal_chat_message_metadata_passthrough'), 'content_item_kinds')
    if (item.role === 'assistant') {
      this.#add('assistant', parts, { createdAt })
      return
    }
    if (item.role !== 'user') {
      const [only] = parts
      // the instructions of the session, once more
      if (parts.length === 1 && only?.type === 'text' && only.text === instructionsIn(this.#header ?? {}))
        return
      this.#add('system', parts, { createdAt, isHidden: this.#hasSpoken })
      return
    }
    const [first] = parts
    const isOwn =
      origins.length > 0
        ? origins.some((origin) => String(origin).startsWith('user.'))
        : !(first?.type === 'text' && ofTheClient.test(first.text))
    if (isOwn) {
      this.#turns.push(this.#above)
      this.#hasSpoken = true
    }
    this.#add('user', parts, { createdAt, isHidden: !isOwn })
  }

  #add(role: SourceNode['role'], parts: ForeignPart[], more: Partial<SourceNode>): void {
    const answers = more.answers ?? []
    const id = chainId(this.#above, role, [parts, answers])
    const isReply = role === 'assistant' || role === 'tool'
    const model = isReply ? this.#model : null
    if (!this.#nodes.has(id))
      this.#nodes.set(id, {
        createdAt: null,
        ...more,
        id,
        parentId: this.#above,
        role,
        parts,
        answers,
        model,
        readsOn: isReply,
      })
    this.#above = id
  }
}

const instructionsIn = (meta: JsonRecord): string | null =>
  textAt(recordAt(meta, 'base_instructions'), 'text') ?? textAt(meta, 'instructions')
