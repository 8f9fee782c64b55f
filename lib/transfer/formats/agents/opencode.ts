import type { ForeignPart } from '../../foreign-chat'
import {
  idOf,
  isRecord,
  type Json,
  type JsonRecord,
  listAt,
  plainValue,
  recordAt,
  textAt,
} from '../../json/values'
import { fileAt } from '../../parts/files'
import { callPart, errorPart, type ReadParts, reasoningPart, textPart } from '../../parts/read-blocks'
import { dateIn, type SourceNode } from '../../tree/source-node'
import { type ChatContext, chatOf, linesFormat, madeId } from '../format'
import { folderTags } from './folder-tags'

/** Parts of the client's own bookkeeping. */
const silent: ReadonlySet<string> = new Set([
  'step-start',
  'step-finish',
  'snapshot',
  'patch',
  'agent',
  'retry',
  'compaction',
])

/** A session as `opencode export` writes it, with the sessions of its sub-agents after it. Its messages stand in their order. */
export const opencode = linesFormat({
  source: 'opencode',
  program: 'opencode',
  silent: [
    'metadata',
    'info.path',
    'info.permission',
    'info.summary',
    'snapshot',
    'info.system',
    'state.title',
    'files',
    'source',
  ],
  recognises: (value) =>
    isRecord(value) &&
    'directory' in recordAt(value, 'info') &&
    listAt(value, 'messages').every(
      (message) => isRecord(message) && 'info' in message && 'parts' in message,
    ),
  partOf: (value) => textAt(recordAt(value, 'info'), 'parentID'),
  read: (values, context) => [readSessions(values.filter(isRecord), context)],
})

function readSessions(sessions: readonly JsonRecord[], context: ChatContext) {
  const nodes: SourceNode[] = []
  const branches: { name: string; headId: string }[] = []
  /** The message that began the session of a sub-agent. */
  const beginners = new Map<string, string>()
  const [main, ...others] = sessions
  const info = recordAt(main, 'info')
  let current: string | null = null
  for (const session of [...(main ? [main] : []), ...others]) {
    const own = recordAt(session, 'info')
    let above = session === main ? null : (beginners.get(idOf(own.id) ?? '') ?? null)
    const reverted = idOf(recordAt(own, 'revert').messageID)
    for (const message of listAt(session, 'messages')) {
      const node = nodeOf(message, above, context, beginners)
      if (session === main && node.id === reverted) current = above
      nodes.push(node)
      above = node.id
    }
    if (session === main) current ??= above
    else if (above !== null) branches.push({ name: textAt(own, 'title') ?? 'sub-agent', headId: above })
  }
  const id = idOf(info.id)
  const time = recordAt(info, 'time')
  const facts = {
    id: id ?? madeId('opencode', context.fileName),
    isNamedByFile: id === null,
    title: textAt(info, 'title'),
    createdAt: dateIn(context.problems, time.created),
    updatedAt: dateIn(context.problems, time.updated),
    isArchived: time.archived !== undefined && time.archived !== null,
    tags: folderTags(textAt(info, 'directory')),
  }
  return chatOf(facts, nodes, context.problems, { current, branches })
}

function nodeOf(
  value: Json,
  parentId: string | null,
  context: ChatContext,
  beginners: Map<string, string>,
): SourceNode {
  const info = recordAt(value, 'info')
  const role = info.role === 'assistant' ? 'assistant' : 'user'
  const id = idOf(info.id) ?? madeId('opencode', parentId)
  const read: ReadParts = { parts: [], answers: [] }
  for (const part of listAt(value, 'parts')) {
    if (!isRecord(part)) continue
    readPart(part, read, context)
    const agent = textAt(recordAt(recordAt(part, 'state'), 'metadata'), 'sessionId')
    if (agent !== null) beginners.set(agent, id)
  }
  const failed = recordAt(info, 'error')
  const why = textAt(recordAt(failed, 'data'), 'message') ?? textAt(failed, 'name')
  read.parts.push(...errorPart(why))
  return {
    id,
    parentId,
    role,
    ...read,
    createdAt: dateIn(context.problems, recordAt(info, 'time').created),
    model: role === 'assistant' ? textAt(info, 'modelID') : null,
    readsOn: role === 'assistant' && info.finish === 'tool-calls',
    isRoot: read.parts.length === 0,
  }
}

function readPart(part: JsonRecord, read: ReadParts, context: ChatContext): void {
  const add = (...parts: ForeignPart[]) => read.parts.push(...parts)
  const type = String(part.type)
  if (type === 'text') add(...textPart(textAt(part, 'text') ?? ''))
  else if (type === 'reasoning') add(...reasoningPart(textAt(part, 'text') ?? ''))
  else if (type === 'file') {
    const mediaType = textAt(part, 'mime')
    const kind = mediaType?.startsWith('image/') ? 'Picture' : 'File'
    add(fileAt(context, textAt(part, 'url') ?? '', { name: textAt(part, 'filename'), mediaType, kind }))
  } else if (type === 'tool') {
    const state = recordAt(part, 'state')
    const callId = idOf(part.callID) ?? idOf(part.id)
    const toolName = textAt(part, 'tool')
    add(callPart({ id: callId, name: toolName, input: state.input, place: idOf(part.id) ?? '' }))
    const failed = state.status === 'error'
    const output = failed ? state.error : state.output
    const files = listAt(state, 'attachments').flatMap((file) =>
      isRecord(file)
        ? [
            fileAt(context, textAt(file, 'url') ?? '', {
              name: textAt(file, 'filename'),
              mediaType: textAt(file, 'mime'),
            }),
          ]
        : [],
    )
    if (output !== undefined)
      read.answers.push({ callId, toolName, output: plainValue(output), failed, files })
  } else if (type === 'subtask') add(...textPart(textAt(part, 'prompt') ?? ''))
  else if (!silent.has(type)) {
    context.problems.count('unknown content')
    add(...textPart(JSON.stringify(part)))
  }
}
