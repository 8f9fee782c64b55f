import { idOf, isRecord, type JsonRecord, listAt, textAt } from '../../json/values'
import { filePart, type ReadContext, textFile } from '../../parts/files'
import { readBlocks, textPart } from '../../parts/read-blocks'
import { dateIn, type SourceNode } from '../../tree/source-node'
import { type ChatFormat, chatOf, madeId, webChat } from '../format'

/** The parent id of a chat's first messages. */
const noParent = /^0{8}-0{4}-[04]0{3}-[08]0{3}-0{12}$/

/**
 * Claude's `conversations.json`: `parent_message_uuid` is the tree. Older exports have no parents; there each message follows
 * the one before it.
 */
export const claude: ChatFormat = {
  source: 'claude',
  program: 'Claude',
  recognises: (value) => Array.isArray(value.chat_messages),
  read(value, context) {
    const { problems } = context
    const given = listAt(value, 'chat_messages')
    const messages = given.filter(isRecord)
    if (messages.length < given.length) problems.count('no message', given.length - messages.length)
    const id = idOf(value.uuid) ?? madeId('claude', textAt(value, 'name'), textAt(value, 'created_at'))
    const isFlat = messages.every((message) => idOf(message.parent_message_uuid) === null)
    let before: string | null = null
    const nodes = messages.map((message, index) => {
      const own = idOf(message.uuid) ?? `${id}:${index}`
      const named = idOf(message.parent_message_uuid)
      if (!isFlat && named === null && index > 0) problems.count('missing order')
      const parentId = named === null ? before : noParent.test(named) ? null : named
      before = own
      return readMessage(message, own, parentId, context)
    })
    const facts = {
      id,
      origin: webChat('https://claude.ai/chat/', idOf(value.uuid)),
      title: textAt(value, 'name'),
      createdAt: dateIn(problems, value.created_at),
      updatedAt: dateIn(problems, value.updated_at),
      isPinned: value.is_starred === true,
    }
    const model = textAt(value, 'model')
    for (const node of nodes) if (node.role === 'assistant') node.model ??= model
    const current = idOf(value.current_leaf_message_uuid) ?? (isFlat ? before : null)
    return chatOf(facts, nodes, problems, { current, skipped: given.length - messages.length })
  },
}

function readMessage(
  message: JsonRecord,
  id: string,
  parentId: string | null,
  context: ReadContext,
): SourceNode {
  const sender = textAt(message, 'sender') ?? textAt(message, 'role')
  const isPerson = sender === 'human' || sender === 'user'
  if (!isPerson && sender !== 'assistant') context.problems.count('unknown role')
  const blocks = readBlocks(listAt(message, 'content'), context, id)
  const said =
    blocks.parts.length + blocks.answers.length > 0 ? blocks.parts : textPart(textAt(message, 'text') ?? '')
  return {
    id,
    parentId,
    role: isPerson ? 'user' : 'assistant',
    parts: [...filesOf(message, context), ...said],
    answers: blocks.answers,
    createdAt: dateIn(context.problems, message.created_at),
    model: textAt(message, 'model'),
  }
}

/**
 * Attachments come with the text that was read out of them; files have only the name, unless the archive has them.
 */
function filesOf(message: JsonRecord, context: ReadContext) {
  const attachments = listAt(message, 'attachments').map((attachment) => {
    const [name, text] = [textAt(attachment, 'file_name'), textAt(attachment, 'extracted_content')]
    if (text) return textFile(text, name)
    return filePart(context, { ids: [], name, mediaType: textAt(attachment, 'file_type') })
  })
  const files = [...listAt(message, 'files'), ...listAt(message, 'files_v2')].filter(isRecord)
  const seen = new Set<string>()
  return [
    ...attachments,
    ...files.flatMap((file) => {
      const [id, name] = [idOf(file.file_uuid) ?? idOf(file.uuid), textAt(file, 'file_name')]
      const key = id ?? name ?? ''
      if (seen.has(key)) return []
      seen.add(key)
      const isPicture = file.file_kind === 'image'
      return [filePart(context, { ids: [id], name, mediaType: null, kind: isPicture ? 'Picture' : 'File' })]
    }),
  ]
}
