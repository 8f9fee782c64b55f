import type { ForeignChat } from '../foreign-chat'
import { idOf, isRecord, type Json, type JsonRecord, jsonText, textAt } from '../json/values'
import { readBlocks } from '../parts/read-blocks'
import { entriesOf } from '../tree/entries'
import { Problems } from '../tree/problems'
import { chainId, dateIn } from '../tree/source-node'
import { type ChatContext, type ChatFacts, type ChatFormat, chatOf, linesFormat, madeId } from './format'
import { countTools, plainRole, readPlainMessage } from './plain-message'
import { at, textIn } from './table'

const isMessage = (value: Json) =>
  isRecord(value) &&
  plainRole(value) !== undefined &&
  ['content', 'parts', 'text', 'value', 'tool_calls', 'toolInvocations'].some((key) => key in value)

/** The list of a chat in a request to a model, a line for fine-tuning, or a stored chat of the AI SDK. */
const listIn = (value: JsonRecord): Json[] | null => {
  const { messages, conversation, conversations, chat, contents } = value
  const list =
    [messages, conversation, conversations, chat, contents, itemsIn(value)].find(Array.isArray) ?? null
  return list !== null && (list.length === 0 || list.some(isMessage)) ? list : null
}

/** The items of a request to OpenAI's Responses API, and of the response to it. */
function itemsIn({ input, output }: JsonRecord): Json[] | null {
  if (!Array.isArray(input) && !Array.isArray(output)) return null
  const asked = typeof input === 'string' ? [{ role: 'user', content: input }] : input
  return [asked, output].filter(Array.isArray).flat()
}

/** Keys under which chats keep a model's instructions before them. */
const instructions = [
  ...['system', 'system_prompt', 'systemPrompt', 'preprompt', 'prompt', 'instructions'],
  ...['systemInstruction', 'system_instruction', 'config.systemInstruction'],
]

/** A chat with its messages in a list. */
export const messageChat: ChatFormat = {
  source: 'messages',
  program: 'lists of messages',
  beside: ['folders'],
  silent: ['tools', 'functions'],
  recognises: (value) => listIn(value) !== null,
  read(value, context) {
    const messages = listIn(value) ?? []
    const { problems, fileName, place } = context
    countTools(value, context)
    const told = instructions.map((key) => at(value, key)).find(saysAnything)
    const system = isRecord(told) ? told.parts : told
    const isSaid =
      typeof system === 'string' && messages.some((message) => textAt(message, 'content') === system)
    const isAdded = system !== undefined && !isSaid
    const isTree = isAdded && !entriesOf(messages, new Problems()).isFlat
    const isFirst = isAdded && !isTree
    const all = isFirst ? [{ role: 'system', content: system }, ...messages] : messages
    const own = idOf(value.id) ?? idOf(value._id) ?? idOf(value.uuid) ?? idOf(value.conversation_id)
    const facts = {
      id: own ?? madeId('messages', fileName, place, opening(all)),
      isNamedByFile: own === null,
      title: textIn(value, ['title', 'name', 'userTitle', 'chatTitle', 'topic']),
      tags: folderOf(value, context.beside),
      createdAt: dateIn(problems, value.createdAt ?? value.created_at ?? value.create_time),
      updatedAt: dateIn(problems, value.updatedAt ?? value.updated_at),
      instructions: isTree ? wordsOf(system, context) : null,
    }
    return readList(all, facts, context, textIn(value, ['model', 'model.id', 'model.name', 'config.model']))
  },
}

/** The name of the folder that a chat lies in, which the file lists beside its chats. */
function folderOf(value: JsonRecord, beside: JsonRecord): string[] {
  const id = idOf(value.folderId) ?? idOf(value.folder)
  const folders = isRecord(beside.folders) ? Object.entries(beside.folders) : []
  const listed = Array.isArray(beside.folders) ? beside.folders : []
  const found =
    listed.find((folder) => isRecord(folder) && idOf(folder.id) === id) ??
    folders.find(([key]) => key === id)?.[1]
  return id === null ? [] : [textAt(found, 'name') ?? id]
}

/** A system prompt of blocks as one text. */
const wordsOf = (system: Json, context: ChatContext): string =>
  readBlocks(system, context, 'system')
    .parts.flatMap((part) => (part.type === 'text' ? part.text : []))
    .join('\n\n')

const saysAnything = (system: Json) =>
  typeof system === 'string'
    ? system.trim() !== ''
    : (Array.isArray(system) && system.length > 0) || (isRecord(system) && Array.isArray(system.parts))

/** A file that is the list itself, or has a message in each line. */
export const messageList = linesFormat({
  source: 'messages',
  program: 'lists of messages',
  recognises: isMessage,
  read(messages, context) {
    const facts = { id: madeId('messages', context.fileName, opening(messages)), isNamedByFile: true }
    return [readList(messages, facts, context, null)]
  },
})

/** The beginning of a chat, which names it as long as it grows. */
const opening = (messages: readonly Json[]) => jsonText(messages.slice(0, 1)).slice(0, 100_000)

function readList(
  given: readonly Json[],
  facts: ChatFacts,
  context: ChatContext,
  model: string | null,
): ForeignChat {
  const { entries, skipped, isFlat } = entriesOf(given, context.problems, {
    made: (message, parentId) =>
      chainId(parentId, plainRole(message) ?? '', message.parts ?? message.content ?? message),
  })
  const nodes = entries.flatMap(({ id, parentId, message }) =>
    readPlainMessage(message, { id, parentId, context }),
  )
  for (const node of nodes) if (node.role === 'assistant') node.model ??= model
  sayWeights(given, context)
  const current = isFlat ? (entries.at(-1)?.id ?? null) : null
  return chatOf(facts, nodes, context.problems, { current, skipped })
}

/** Lines for fine-tuning mark replies that a model is not to be trained on. */
function sayWeights(given: readonly Json[], { problems }: ChatContext): void {
  const count = given.filter((message) => isRecord(message) && message.weight === 0).length
  if (count > 0)
    problems.say(
      count === 1
        ? '1 reply is marked as none to be trained on (weight 0). It is brought without the mark.'
        : `${count.toLocaleString('en')} replies are marked as none to be trained on (weight 0). They are brought without the mark.`,
    )
}
