import { isRecord, type Json, type JsonRecord, listAt, recordAt, textAt } from '../../json/values'
import { type Entry, entriesOf, noLinks } from '../../tree/entries'
import type { ChatContext } from '../format'
import { plainParts } from '../plain-message'
import { tableFormat } from '../table'

const tree = { ...noLinks, id: ['uuid', 'id'] }

/** TypingMind: its backup with chats in `data`, or a list of chats. Replies of several models stand beside each other. */
export const typingmind = tableFormat({
  source: 'typingmind',
  program: 'TypingMind',
  silent: [
    'modelInfo',
    'preview',
    'tokenUsage',
    'usage',
    'keywords',
    'folders',
    'modelConfigs',
    'linkedPlugins',
  ],
  recognises: (value) => chatsIn(value).some(isChat),
  chats: (value) =>
    chatsIn(value)
      .filter(isRecord)
      .map((chat) => ({ ...chat, folder: folderOf(chat, listAt(value.data, 'folders')) })),
  id: ['chatID', 'id'],
  title: ['chatTitle', 'title'],
  createdAt: 'createdAt',
  updatedAt: ['updatedAt', 'syncedAt'],
  instructions: ['chatParams.systemMessage', 'character.instruction', 'systemMessage'],
  model: ['model', 'modelInfo.id'],
  isPinned: ({ pinned, isPinned, pinnedAt }) =>
    pinned === true || isPinned === true || typeof pinnedAt === 'string',
  isArchived: ({ archived, archivedAt }) => archived === true || typeof archivedAt === 'string',
  tags: ({ folder, character, tags }) => [
    ...(Array.isArray(tags) ? tags : []),
    ...[folder, textAt(character, 'title')].filter(Boolean),
  ],
  messages: 'messages',
  entries: entriesIn,
  message: { role: 'role', createdAt: 'createdAt', model: ['model', 'modelId'], parts: plainParts },
})

function chatsIn(value: JsonRecord): readonly Json[] {
  const { data, chats } = value
  if (isRecord(data)) return listAt(data, 'chats')
  return Array.isArray(chats) ? chats : [value]
}

const isChat = (value: Json): boolean =>
  isRecord(value) && Array.isArray(value.messages) && ('chatID' in value || 'chatTitle' in value)

const folderOf = (chat: JsonRecord, folders: readonly Json[]): string | null => {
  const id = textAt(chat, 'folderID') ?? textAt(chat, 'folderId')
  return id === null
    ? null
    : textAt(
        folders.find((folder) => textAt(folder, 'id') === id),
        'title',
      )
}

function entriesIn(chat: JsonRecord, { problems }: ChatContext) {
  const entries: Entry[] = []
  const { entries: given, skipped } = entriesOf(chat.messages, problems, tree)
  const selected = recordAt(chat, 'selectedMultimodelResponses')
  let before: string | null = null
  for (const { id, message } of given) {
    const responses = listAt(message, 'responses').filter(isRecord)
    const chains = responses.map((response) => {
      const { entries: chain } = entriesOf(response.messages, problems, tree)
      const model = response.model ?? response.modelId
      for (const entry of chain)
        entries.push({
          id: entry.id,
          parentId: entry.parentId ?? before,
          message: { model, ...entry.message },
        })
      return {
        isSelected: response.selected === true || textAt(selected, id) === model,
        last: chain.at(-1)?.id,
      }
    })
    const chosen = (chains.find(({ isSelected }) => isSelected) ?? chains[0])?.last
    if (responses.length === 0) entries.push({ id, parentId: before, message })
    before = chosen ?? id
  }
  return { entries, skipped, current: before }
}
