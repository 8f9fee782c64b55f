import { madeId, type TextFormat } from '../format'
import { chatsByTable, type SourceTable } from '../table'

const begin = /^# aider chat started at (.+)$/m
const table: SourceTable = {
  source: 'aider',
  id: 'id',
  title: 'title',
  createdAt: 'createdAt',
  model: 'model',
  messages: 'messages',
  message: { role: 'role', content: 'content' },
}

/**
 * The `.aider.chat.history.md` of a folder: sessions, each with its date. A person's words have `####` before each
 * line, lines that aider itself prints have `>`, and the rest is of the model.
 */
export const aider: TextFormat = {
  source: table.source,
  program: 'aider',
  recognises: (head) => begin.test(head.slice(0, 10_000)),
  readText(text, context) {
    const [before = '', ...pieces] = text.split(new RegExp(begin, 'gm'))
    if (before.trim() !== '') context.problems.say('What stands before the first session is left out.')
    const sessions: readonly string[][] = pieces.flatMap((date, index) =>
      index % 2 === 0 ? [[date, pieces[index + 1] ?? '']] : [],
    )
    const values = sessions.flatMap(([date = '', body = '']) => {
      const { messages, model } = sessionIn(body)
      const [first] = messages
      const createdAt = date.trim()
      const title = first?.content.split('\n')[0]?.slice(0, 100)
      // the file grows at its end, so a session is known by its beginning
      const id = madeId(table.source, createdAt, first?.content ?? null)
      return first ? [{ id, title, createdAt, model, messages }] : []
    })
    return chatsByTable(values, table, context).map((chat) => ({ ...chat, isNamedByFile: true }))
  },
}

interface Said {
  role: 'user' | 'assistant'
  content: string
}

/**
 * The messages of a session and the model that aider says it uses. Lines that aider prints before the first question
 * belong to no message.
 */
function sessionIn(body: string): { messages: Said[]; model: string | null } {
  const messages: Said[] = []
  const model = /^> (?:Main model|Model|Models): (\S+)/m.exec(body)?.[1] ?? null
  let fence: string | null = null
  for (const line of body.split('\n')) {
    // code of a reply may have such lines too
    const mark: string | undefined = /^(`{3,}|~{3,})/.exec(line)?.[1]
    if (mark && (fence === null || mark === fence)) fence = fence === null ? mark : null
    const isAsked = fence === null && /^####(?: |$)/.test(line)
    const last = messages.at(-1)
    const content = isAsked ? line.slice(5) : line
    if (isAsked !== (last?.role === 'user') || !last) {
      const isEmpty = content.trim() === '' && !isAsked
      if (isEmpty || (!last && !isAsked)) continue
      messages.push({ role: isAsked ? 'user' : 'assistant', content })
    } else last.content += `\n${content}`
  }
  // two trailing blanks are its line breaks
  const trimmed = messages.map(({ role, content }) => ({
    role,
    content: content.replace(/ {2}$/gm, '').trim(),
  }))
  return { messages: trimmed.filter(({ content }) => content !== ''), model }
}
