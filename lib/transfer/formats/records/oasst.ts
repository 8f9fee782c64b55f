import { isRecord, type JsonRecord, textAt } from '../../json/values'
import { entriesOf } from '../../tree/entries'
import { type ChatContext, linesFormat } from '../format'
import { chatsByTable, type SourceTable, tableFormat } from '../table'

const silent = ['labels', 'emojis', 'events', 'detoxify']

const table = {
  source: 'oasst',
  id: 'message_tree_id',
  messages: 'messages',
  entries: entriesIn,
  message: {
    role: 'role',
    content: 'text',
    createdAt: 'created_date',
    model: 'model_name',
    isHidden: 'deleted',
  },
} satisfies SourceTable

/** Trees of Open-Assistant: a prompt with its replies in each other. */
export const oasstTrees = tableFormat({
  ...table,
  program: 'Open-Assistant',
  silent,
  recognises: ({ message_tree_id, prompt }) =>
    message_tree_id !== undefined && isRecord(prompt) && Array.isArray(prompt.replies),
  entries: ({ prompt }, context) => entriesIn({ messages: [prompt] }, context),
})

/** Messages of Open-Assistant, one a line, of many trees. */
export const oasstMessages = linesFormat({
  source: table.source,
  program: oasstTrees.program,
  silent,
  recognises: (first) =>
    isRecord(first) && 'message_tree_id' in first && 'text' in first && 'message_id' in first,
  read(values, context) {
    const trees = Map.groupBy(values, (message) => textAt(message, 'message_tree_id'))
    return chatsByTable(
      [...trees].map(([id, messages]) => ({ message_tree_id: id, messages })),
      table,
      context,
    )
  },
})

/** The chat is read where people ranked each reply best. */
function entriesIn(tree: JsonRecord, { problems }: ChatContext) {
  const { entries, skipped } = entriesOf(tree.messages, problems)
  const children = Map.groupBy(entries, ({ parentId }) => parentId)
  const rankOf = (message: JsonRecord) =>
    typeof message.rank === 'number' ? message.rank : Number.POSITIVE_INFINITY
  let current: string | null = null
  const seen = new Set<string | null>()
  while (!seen.has(current)) {
    seen.add(current)
    const next: { id: string; message: JsonRecord }[] = children.get(current) ?? []
    const [best] = next.toSorted((one, other) => Math.sign(rankOf(one.message) - rankOf(other.message)) || 0)
    current = best?.id ?? current
  }
  return { entries, skipped, current }
}
