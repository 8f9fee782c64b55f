import { idOf, isRecord, type Json, type JsonRecord, jsonText, listAt, textAt } from '../json/values'
import type { ReadContext } from '../parts/files'
import { Problems } from '../tree/problems'
import { chainId, dateIn, type SourceNode } from '../tree/source-node'
import { type ChatFormat, chatOf, type GatheredFormat, madeId, type Surroundings } from './format'
import { plainRole, readPlainMessage } from './plain-message'

const isMessage = (value: Json) =>
  isRecord(value) &&
  plainRole(value) !== undefined &&
  ['content', 'parts', 'text', 'value', 'tool_calls', 'toolInvocations'].some((key) => key in value)

/** The list of a chat in a request to a model, a line for fine-tuning, or a stored chat of the AI SDK. */
const listIn = (value: JsonRecord): Json[] | null => {
  const list =
    [value.messages, value.conversation, value.conversations, value.chat].find(Array.isArray) ?? null
  return list !== null && (list.length === 0 || list.some(isMessage)) ? list : null
}

/** A chat with its messages in a list. */
export const messageChat: ChatFormat = {
  source: 'messages',
  recognises: (value) => listIn(value) !== null,
  read(value, context) {
    const messages = listIn(value) ?? []
    const { problems, fileName, place } = context
    const system = value.system ?? value.system_prompt
    const hasSystem =
      typeof system === 'string' ? system.trim() !== '' : Array.isArray(system) && system.length > 0
    const all = hasSystem ? [{ role: 'system', content: system }, ...messages] : messages
    const facts = {
      id:
        idOf(value.id) ??
        idOf(value.uuid) ??
        idOf(value.conversation_id) ??
        madeId('messages', fileName, place, opening(all)),
      title: textAt(value, 'title') ?? textAt(value, 'name'),
      createdAt: dateIn(problems, value.createdAt ?? value.created_at ?? value.create_time),
      updatedAt: dateIn(problems, value.updatedAt ?? value.updated_at),
    }
    return readList(all, facts, context, textAt(value, 'model'))
  },
}

/** A file that is the list itself, or has a message in each line. */
export const messageList: GatheredFormat = {
  source: 'messages',
  recognises: isMessage,
  gather(surroundings) {
    const problems = new Problems()
    const messages: Json[] = []
    let held = 0
    return {
      problems,
      get held() {
        return held
      },
      add(value, bytes) {
        messages.push(value)
        held += bytes
        return null
      },
      end() {
        const facts = { id: madeId('messages', surroundings.fileName, opening(messages)) }
        return readList(messages, facts, { ...surroundings, problems }, null)
      },
    }
  },
}

/** What a chat begins with names it as long as it grows. */
const opening = (messages: readonly Json[]) => jsonText(messages.slice(0, 1)).slice(0, 100_000)

function readList(
  given: readonly Json[],
  facts: Parameters<typeof chatOf>[0],
  context: ReadContext & Surroundings,
  model: string | null,
) {
  const { problems } = context
  const messages = given.filter(isRecord)
  const skipped = given.length - messages.length
  if (skipped > 0) problems.count('no message', skipped)
  // some stores write a tree as a list
  const hasTree = messages.some((message) => idOf(message.id) !== null && idOf(parentIn(message)) !== null)
  let before: string | null = null
  const nodes = messages.flatMap((message): SourceNode[] => {
    const role = plainRole(message) ?? ''
    const id: string = idOf(message.id) ?? chainId(before, role, message.parts ?? message.content ?? message)
    const parentId: string | null = hasTree ? idOf(parentIn(message)) : before
    before = id
    return readPlainMessage(message, { id, parentId, context })
  })
  for (const node of nodes) if (node.role === 'assistant') node.model ??= model
  return chatOf(facts, nodes, problems, { current: before, skipped })
}

const parentIn = (message: JsonRecord): Json =>
  message.parentId ?? message.parent_id ?? listAt(message, 'parents')[0]
