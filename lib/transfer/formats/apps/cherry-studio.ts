import {
  idOf,
  isRecord,
  type Json,
  type JsonRecord,
  listAt,
  maybeJson,
  recordAt,
  textAt,
} from '../../json/values'
import { type Entry, entriesOf, noLinks } from '../../tree/entries'
import type { ChatContext } from '../format'
import { tableFormat } from '../table'
import { cherryParts } from './cherry-studio-blocks'

/**
 * The `data.json` in a backup of Cherry Studio. Topics have the messages, `message_blocks` their content, and the
 * settings in `localStorage` the names of topics and the prompts of assistants. Replies of several models to one
 * question are branches.
 */
export const cherryStudio = tableFormat({
  source: 'cherry-studio',
  program: 'Cherry Studio',
  silent: [
    'localStorage',
    'settings',
    'metrics',
    'usage',
    'mentions',
    'model',
    'path',
    'ext',
    'rawMcpToolResponse.tool',
    'providerMetadata',
  ],
  recognises: (value) => Array.isArray(recordAt(value, 'indexedDB').topics),
  chats: chatsIn,
  id: 'id',
  title: 'name',
  instructions: 'prompt',
  createdAt: 'createdAt',
  updatedAt: 'updatedAt',
  isPinned: 'pinned',
  tags: 'tags',
  messages: 'messages',
  entries: entriesIn,
  message: {
    role: 'role',
    createdAt: 'createdAt',
    model: ({ role, model, modelId }) =>
      role === 'user' ? undefined : isRecord(model) ? (model.id ?? modelId) : modelId,
    parts: cherryParts,
  },
})

function chatsIn(value: JsonRecord): readonly Json[] {
  const { topics, message_blocks: blocks } = recordAt(value, 'indexedDB')
  const about = new Map<string | null, JsonRecord>()
  for (const assistant of assistantsIn(value).filter(isRecord))
    for (const topic of listAt(assistant, 'topics'))
      if (isRecord(topic)) {
        const name = textAt(assistant, 'name')
        about.set(idOf(topic.id), {
          ...topic,
          prompt: topic.prompt || assistant.prompt,
          tags: name === null ? [] : [name],
        })
      }
  const blocksOf = Map.groupBy(Array.isArray(blocks) ? blocks : [], (block) => textAt(block, 'messageId'))
  return (Array.isArray(topics) ? topics : []).filter(isRecord).map((topic) => ({
    ...about.get(idOf(topic.id)),
    ...topic,
    messages: listAt(topic, 'messages').map((message) =>
      isRecord(message)
        ? { ...message, blocks: inOrder(message, blocksOf.get(idOf(message.id)) ?? []) }
        : message,
    ),
  }))
}

/** The settings are JSON in JSON in JSON. */
function assistantsIn(value: JsonRecord): Json[] {
  const settings = maybeJson(recordAt(value, 'localStorage')['persist:cherry-studio'])
  const store = isRecord(settings) ? maybeJson(settings.assistants) : undefined
  return [...listAt(store, 'assistants'), recordAt(store, 'defaultAssistant')]
}

function inOrder(message: JsonRecord, blocks: readonly Json[]): Json[] {
  const order = new Map(listAt(message, 'blocks').map((id, index) => [idOf(id), index]))
  const placeOf = (block: Json) => order.get(textAt(block, 'id')) ?? order.size
  return blocks.toSorted((one, other) => placeOf(one) - placeOf(other))
}

function entriesIn(topic: JsonRecord, { problems }: ChatContext) {
  const { entries: given, skipped } = entriesOf(topic.messages, problems, noLinks)
  const entries: Entry[] = []
  const known = new Set<string>()
  let before: string | null = null
  /**
   * the question whose replies stand beside each other; true once it has a chosen reply, after which the chat goes on
   */
  let [asked, isChosen] = [null as string | null, false]
  let cleared = 0
  for (const { id, message } of given) {
    const question = message.role === 'assistant' ? idOf(message.askId) : null
    const isBeside = question !== null && known.has(question) && question === asked
    if (message.type === 'clear') cleared += 1
    entries.push({
      id,
      parentId: isBeside ? question : before,
      message: message.type === 'clear' ? { ...message, role: 'system' } : message,
    })
    known.add(id)
    const chosen = message.foldSelected === true || message.useful === true
    if (!isBeside || chosen || !isChosen) before = id
    isChosen = (isBeside && isChosen) || chosen
    asked = question ?? (message.role === 'user' ? id : asked)
  }
  if (cleared > 0)
    problems.say(
      'Where the context was cleared, its models were not sent what stands before. Here the chat goes on.',
    )
  return { entries, skipped, current: before }
}
