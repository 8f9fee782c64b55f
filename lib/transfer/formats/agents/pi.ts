import type { ForeignPart } from '../../foreign-chat'
import { idOf, isRecord, type Json, type JsonRecord, recordAt, textAt } from '../../json/values'
import {
  answerOf,
  callPart,
  codeFence,
  type ReadParts,
  readBlocks,
  reasoningPart,
  textPart,
} from '../../parts/read-blocks'
import { chainId, dateIn, type SourceNode } from '../../tree/source-node'
import { type ChatContext, chatOf, linesFormat, madeId } from '../format'
import { folderTags } from './folder-tags'

/** A session of pi: a header, then entries that name the one above. Going back in it makes branches in the same file. */
export const pi = linesFormat({
  source: 'pi',
  program: 'pi',
  silent: ['details', 'thinkingSignature', 'textSignature', 'fullOutputPath', 'parentSession'],
  recognises: (value) =>
    isRecord(value) && value.type === 'session' && 'cwd' in value && 'timestamp' in value,
  // a fork begins with the entries of the session that it left
  partOf: (value) => {
    const from = isRecord(value) ? textAt(value, 'parentSession') : null
    return from === null ? null : (/([0-9a-f]{8}-[0-9a-f-]{27})\.jsonl$/.exec(from)?.[1] ?? null)
  },
  read: (values, context) => [readSession(values.filter(isRecord), context)],
})

function readSession(lines: readonly JsonRecord[], context: ChatContext) {
  const nodes = new Map<string, SourceNode>()
  const labels = new Map<string, string>()
  const branches: { name: string; headId: string }[] = []
  let [above, title, current] = [null as string | null, null as string | null, null as string | null]
  let files = 0
  const endFile = () => {
    if (files === 1) current = above
    else if (files > 1 && above !== null) branches.push({ name: 'fork', headId: above })
  }
  for (const entry of lines) {
    if (entry.type === 'session') {
      endFile()
      files += 1
      above = null
      continue
    }
    if (entry.type === 'session_info') title = textAt(entry, 'name')
    const target = idOf(entry.targetId)
    if (entry.type === 'label' && target !== null) labels.set(target, textAt(entry, 'label') ?? '')
    const parentId: string | null = 'parentId' in entry ? idOf(entry.parentId) : above
    const read = nodeOf(entry, context)
    const id: string = idOf(entry.id) ?? chainId(parentId, read.role, [read.parts, read.answers])
    // a fork repeats the entries of the session that it left
    if (!nodes.has(id)) nodes.set(id, { ...read, id, parentId })
    above = id
  }
  endFile()
  for (const [headId, name] of labels) if (name !== '') branches.push({ name, headId })
  const [header] = lines
  const session = idOf(header?.id)
  const facts = {
    id: session ?? madeId('pi', context.fileName),
    isNamedByFile: session === null,
    title,
    createdAt: dateIn(context.problems, header?.timestamp),
    tags: folderTags(textAt(header, 'cwd')),
  }
  return chatOf(facts, [...nodes.values()], context.problems, { current, branches })
}

function nodeOf(entry: JsonRecord, context: ChatContext): Omit<SourceNode, 'id' | 'parentId'> {
  const message = recordAt(entry, 'message')
  const createdAt = dateIn(context.problems, entry.timestamp ?? message.timestamp)
  const place = idOf(entry.id) ?? ''
  if (entry.type === 'message') {
    const model = textAt(message, 'model')
    if (message.role === 'assistant') {
      const { parts, answers } = piBlocks(message.content, context, place)
      const failed = textPart(textAt(message, 'errorMessage') ?? '')
      const readsOn = parts.some(({ type }) => type === 'dynamic-tool')
      return { role: 'assistant', parts: [...parts, ...failed], answers, createdAt, model, readsOn }
    }
    if (message.role === 'toolResult') {
      const callId = idOf(message.toolCallId)
      const toolName = textAt(message, 'toolName')
      const answer = {
        callId,
        toolName,
        failed: message.isError === true,
        ...answerOf(message.content, context, place),
      }
      return { role: 'tool', parts: [], answers: [answer], createdAt, model: null }
    }
    const said = message.role === 'bashExecution' ? [] : readBlocks(message.content, context, place).parts
    const isHidden = message.role === 'custom' && message.display === false
    return { role: 'user', parts: [...ranIn(message), ...said], createdAt, model: null, isHidden }
  }
  if (entry.type === 'custom_message') {
    const { parts } = readBlocks(entry.content, context, place)
    return { role: 'user', parts, createdAt, model: null, isHidden: entry.display === false }
  }
  // summaries: of the part that a compaction leaves behind, and of a branch that was left
  return {
    role: 'user',
    parts: textPart(textAt(entry, 'summary') ?? ''),
    createdAt,
    model: null,
    isRoot: true,
  }
}

/** A command that the person ran, in the words that the model is sent. */
function ranIn(message: JsonRecord): ForeignPart[] {
  if (message.role !== 'bashExecution') return []
  const code = message.exitCode ? `\n\nCommand exited with code ${message.exitCode}` : ''
  const output = textAt(message, 'output')
  return textPart(
    `Ran \`${textAt(message, 'command') ?? ''}\`\n${output ? codeFence(output) : '(no output)'}${code}`,
  )
}

function piBlocks(content: Json, context: ChatContext, place: string): ReadParts {
  const read: ReadParts = { parts: [], answers: [] }
  for (const [index, block] of (Array.isArray(content) ? content : [content]).entries()) {
    if (isRecord(block) && block.type === 'toolCall') {
      const { id, name, arguments: input } = block
      read.parts.push(callPart({ id: idOf(id), name: idOf(name), input, place: `${place}-${index}` }))
    } else if (isRecord(block) && block.type === 'thinking') {
      read.parts.push(...reasoningPart(textAt(block, 'thinking') ?? ''))
    } else read.parts.push(...readBlocks(block, context, `${place}-${index}`).parts)
  }
  return read
}
