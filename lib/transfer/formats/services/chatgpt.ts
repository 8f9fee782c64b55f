import type { ForeignPart } from '../../foreign-chat'
import { idOf, isRecord, type JsonRecord, listAt, recordAt, textAt } from '../../json/values'
import type { ReadContext } from '../../parts/files'
import { dateIn, type SourceNode } from '../../tree/source-node'
import { type ChatFormat, chatOf, madeId, webChat } from '../format'
import { attachedFiles, readContent } from './chatgpt-content'

/** ChatGPT's `conversations.json`: `mapping` is the tree, `current_node` where it was read last. */
export const chatgpt: ChatFormat = {
  source: 'chatgpt',
  program: 'ChatGPT',
  // labels of its page while it thinks
  silent: ['initial_text', 'finished_text', 'reasoning_title'],
  recognises: (value) => isRecord(value.mapping),
  read(value, context) {
    const { problems } = context
    const mapping = recordAt(value, 'mapping')
    const namedParents = parentsByChildren(mapping)
    const defaultModel = textAt(value, 'default_model_slug')
    let skipped = 0
    const nodes = inOrder(mapping).flatMap(([key, node]): SourceNode[] => {
      if (!isRecord(node)) {
        problems.count('no message')
        skipped += 1
        return []
      }
      return [readNode(key, node, { context, namedParents, mapping, defaultModel })]
    })
    const createdAt = dateIn(problems, value.create_time)
    const facts = {
      id:
        idOf(value.conversation_id) ??
        idOf(value.id) ??
        madeId('chatgpt', textAt(value, 'title'), String(value.create_time), nodes[0]?.id ?? null),
      origin: webChat('https://chatgpt.com/c/', idOf(value.conversation_id)),
      title: textAt(value, 'title'),
      createdAt,
      updatedAt: dateIn(problems, value.update_time),
      isArchived: value.is_archived === true,
      isPinned: value.is_starred === true || typeof value.pinned_time === 'number',
    }
    return chatOf(facts, nodes, problems, { current: idOf(value.current_node), skipped })
  },
}

interface Surrounding {
  context: ReadContext
  namedParents: ReadonlyMap<string, string>
  mapping: JsonRecord
  defaultModel: string | null
}

function readNode(
  key: string,
  node: JsonRecord,
  { context, namedParents, mapping, defaultModel }: Surrounding,
): SourceNode {
  const { problems } = context
  const message = isRecord(node.message) ? node.message : null
  const parent = idOf(node.parent)
  // a parent that is missing may still name the node among its children
  const parentId = parent !== null && parent in mapping ? parent : (namedParents.get(key) ?? parent)
  const common = { id: key, parentId }
  if (!message) {
    return { ...common, role: 'system', parts: [], createdAt: null, model: null, isRoot: true }
  }
  const metadata = recordAt(message, 'metadata')
  const given = textAt(recordAt(message, 'author'), 'role') ?? ''
  const { parts, answers, readsOn, isContext } = readContent(message, context, key)
  const role = isContext ? 'system' : roleOf(given, context)
  const isReply = role === 'assistant' || role === 'tool'
  const files: ForeignPart[] = attachedFiles(metadata, parts, context)
  return {
    ...common,
    role,
    parts: [...files, ...parts],
    answers,
    createdAt: dateIn(problems, message.create_time),
    model: textAt(metadata, 'model_slug') ?? (isReply ? defaultModel : null),
    isHidden: isContext || role === 'system' || metadata.is_visually_hidden_from_conversation === true,
    readsOn,
  }
}

function roleOf(given: string, { problems }: ReadContext): SourceNode['role'] {
  if (given === 'user' || given === 'assistant' || given === 'system' || given === 'tool') return given
  if (given === 'developer') return 'system'
  problems.count('unknown role')
  return 'assistant'
}

/** The nodes in the order in which their parents list them, as the alternatives stand on its screen. */
function inOrder(mapping: JsonRecord): [string, unknown][] {
  const place = new Map<string, number>()
  for (const node of Object.values(mapping)) {
    listAt(node, 'children').forEach((child, index) => {
      const id = idOf(child)
      if (id !== null) place.set(id, index)
    })
  }
  const entries = Object.entries(mapping)
  // siblings alone are compared by it, and sorting keeps the order of the file for the rest
  return entries.toSorted(([one], [other]) => (place.get(one) ?? 0) - (place.get(other) ?? 0))
}

function parentsByChildren(mapping: JsonRecord): Map<string, string> {
  const parents = new Map<string, string>()
  for (const [key, node] of Object.entries(mapping)) {
    for (const child of listAt(node, 'children')) {
      const id = idOf(child)
      if (id !== null && id !== key && !parents.has(id)) parents.set(id, key)
    }
  }
  return parents
}
