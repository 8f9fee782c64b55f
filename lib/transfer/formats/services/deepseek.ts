import { idOf, isRecord, type JsonRecord, listAt, recordAt, textAt } from '../../json/values'
import { filesAt } from '../../parts/files'
import { type ReadParts, readBlocks, reasoningPart, sourceParts, textPart } from '../../parts/read-blocks'
import type { Entry } from '../../tree/entries'
import { webChat } from '../format'
import { tableFormat } from '../table'

/** Kinds of fragments: thoughts, and words. */
const thoughts: ReadonlySet<string> = new Set(['THINK'])
const words: ReadonlySet<string> = new Set(['REQUEST', 'RESPONSE', 'TEMPLATE_RESPONSE'])

/** DeepSeek's `conversations.json`. It has the mapping of ChatGPT's, with messages of its own: texts are `fragments`, or `content`. */
export const deepseek = tableFormat({
  source: 'deepseek',
  program: 'DeepSeek',
  recognises: (value) =>
    isRecord(value.mapping) &&
    Object.values(value.mapping).some((node) => {
      const message = recordAt(node, 'message')
      return (
        !('author' in message) && (Array.isArray(message.fragments) || typeof message.content === 'string')
      )
    }),
  id: 'id',
  origin: (value) => webChat('https://chat.deepseek.com/a/chat/s/', idOf(value.id)),
  title: 'title',
  createdAt: 'inserted_at',
  updatedAt: 'updated_at',
  messages: 'mapping',
  entries: (value, { problems }) => {
    const entries: Entry[] = []
    let skipped = 0
    for (const [id, node] of Object.entries(recordAt(value, 'mapping'))) {
      const message = recordAt(node, 'message')
      const parent = textAt(node, 'parent')
      const isRoot = isRecord(node) && !isRecord(node.message)
      if (!isRecord(node)) {
        problems.count('no message')
        skipped += 1
      } else if (!isRoot)
        entries.push({
          id,
          parentId: hasMessage(value, parent) ? parent : null,
          message: withRole(message, entries, parent),
        })
    }
    return { entries, skipped }
  },
  message: {
    role: 'role',
    createdAt: 'inserted_at',
    model: 'model',
    files: (message, context) => filesAt(message, ['files'], context),
    parts: (message, context, id) => partsOf(message, context, id),
  },
})

const hasMessage = (value: JsonRecord, id: string | null): boolean =>
  id !== null && isRecord(recordAt(recordAt(value, 'mapping'), id).message)

/** A message says by its fragments who speaks; an older one does not, and speakers take turns. */
function withRole(message: JsonRecord, before: readonly Entry[], parent: string | null): JsonRecord {
  const kinds = listAt(message, 'fragments').map((fragment) => textAt(fragment, 'type'))
  const above = before.find(({ id }) => id === parent)?.message.role
  const isReply = kinds.length > 0 ? !kinds.includes('REQUEST') : above === 'user'
  const role = textAt(message, 'role') ?? (isReply ? 'assistant' : 'user')
  return { ...message, role, ...(role === 'user' && { model: null }) }
}

function partsOf(message: JsonRecord, context: Parameters<typeof readBlocks>[1], id: string): ReadParts {
  const read = readBlocks(message.content, context, id)
  const said = listAt(message, 'fragments').map((fragment, index): ReadParts => {
    const [kind, text] = [textAt(fragment, 'type') ?? '', textAt(fragment, 'content') ?? '']
    if (thoughts.has(kind)) return { parts: reasoningPart(text), answers: [] }
    if (words.has(kind)) return { parts: textPart(text), answers: [] }
    const pages = sourceParts(listAt(fragment, 'results'), `${id}-${index}`)
    return pages.length > 0
      ? { parts: pages, answers: [] }
      : readBlocks([fragment], context, `${id}-${index}`)
  })
  return {
    parts: [
      ...reasoningPart(textAt(message, 'reasoning_content') ?? ''),
      ...read.parts,
      ...said.flatMap(({ parts }) => parts),
      ...sourceParts(message.search_results, id),
    ],
    answers: [...read.answers, ...said.flatMap(({ answers }) => answers)],
  }
}
