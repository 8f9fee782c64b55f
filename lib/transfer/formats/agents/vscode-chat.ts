import { isRecord, type Json, type JsonRecord, listAt, recordAt, textAt } from '../../json/values'
import { filePart, type ReadContext } from '../../parts/files'
import { textPart } from '../../parts/read-blocks'
import type { Entry } from '../../tree/entries'
import { type ChatFormat, linesFormat } from '../format'
import { chatByTable, type SourceTable } from '../table'
import { replyIn } from './vscode-response'

const table: SourceTable = {
  source: 'vscode-chat',
  id: 'sessionId',
  title: 'customTitle',
  createdAt: 'creationDate',
  updatedAt: 'lastMessageDate',
  messages: 'requests',
  entries: (value, { problems }) => {
    const requests = listAt(value, 'requests')
    const known = requests.filter(isRecord)
    const skipped = requests.length - known.length
    if (skipped > 0) problems.count('no message', skipped)
    const entries: Entry[] = []
    for (const [index, request] of known.entries()) {
      const id = textAt(request, 'requestId') ?? `request-${index}`
      const parentId = entries.at(-1)?.id ?? null
      entries.push({ id, parentId, message: { ...request, role: 'user' } })
      const reply = {
        ...request,
        role: 'assistant',
        timestamp: request.responseTimestamp ?? request.timestamp,
      }
      const isAnswered = listAt(request, 'response').length > 0 || recordAt(request, 'result').errorDetails
      if (isAnswered)
        entries.push({ id: textAt(request, 'responseId') ?? `${id}-reply`, parentId: id, message: reply })
    }
    return { entries, skipped, current: entries.at(-1)?.id ?? null }
  },
  message: {
    role: 'role',
    createdAt: 'timestamp',
    model: ({ role, modelId }) => (role === 'user' ? undefined : modelId),
    isHidden: ({ isHidden, shouldBeRemovedOnSend }) => isHidden === true || isRecord(shouldBeRemovedOnSend),
    files: (request, context) =>
      request.role === 'user'
        ? listAt(request.variableData, 'variables').flatMap((variable) => attached(variable, context))
        : [],
    parts: (request, context, id) => {
      if (request.role === 'assistant') return replyIn(request, context, id)
      const { message } = request
      return {
        parts: textPart((isRecord(message) ? textAt(message, 'text') : String(message ?? '')) ?? ''),
        answers: [],
      }
    },
  },
}

const silent = [
  ...['followups', 'variableData', 'result', 'agent', 'slashCommand', 'contentReferences', 'codeCitations'],
  ...['message', 'inputState', 'usedContext', 'requesterUsername', 'responderUsername', 'k', 'codeblockUri'],
  ...[
    'confirmation',
    'timeSpentWaiting',
    'modelState',
    'editedFileEvents',
    'initialLocation',
    'uri',
    'range',
  ],
  ...[
    'generatedTitle',
    'invocationMessage',
    'originMessage',
    'pastTenseMessage',
    'toolSpecificData',
    'source',
  ],
  ...['inlineReference', 'responderAvatarIconUri', 'requesterAvatarIconUri', 'presentation', 'serverId'],
]

/** A chat of VS Code, exported or as VS Code keeps it: requests, each with its response. */
export const vscodeChat: ChatFormat = {
  source: table.source,
  program: 'VS Code Copilot',
  silent,
  recognises: (value) =>
    Array.isArray(value.requests) && ('responderUsername' in value || 'sessionId' in value),
  read: (value, context) => chatByTable(value, table, context),
}

/** Newer versions of VS Code keep a chat as the changes that it was made by. */
export const vscodeChatLines = linesFormat({
  source: table.source,
  program: vscodeChat.program,
  silent,
  recognises: (line) => isRecord(line) && line.kind === 0 && Array.isArray(recordAt(line, 'v').requests),
  read(lines, context) {
    let state: Json = {}
    for (const line of lines) {
      if (isRecord(line) && line.kind === 0) state = line.v
      else if (!isRecord(line) || !changed(state, line)) context.problems.count('no message')
    }
    return [chatByTable(isRecord(state) ? state : {}, table, context)]
  },
})

/** Sets, appends to or deletes the value at the keys of a line. False: there is nothing at them. */
function changed(state: Json, { kind, k, v, i }: JsonRecord): boolean {
  const keys = Array.isArray(k) ? k.map(String) : []
  const last = keys.pop()
  let at: Json = state
  for (const key of keys) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return false
    at = (at as JsonRecord)[key]
  }
  if (typeof at !== 'object' || at === null || last === undefined || last === '__proto__') return false
  const around = at as JsonRecord
  if (kind === 1) around[last] = v
  else if (kind === 2) {
    const list = Array.isArray(around[last]) ? around[last] : []
    if (typeof i === 'number' && i < list.length) list.length = Math.max(0, Math.floor(i))
    for (const item of Array.isArray(v) ? v : []) list.push(item)
    around[last] = list
  } else if (kind === 3) delete around[last]
  else return false
  return true
}

/** A file or selection that a question refers to: the chat has its name only. */
function attached(variable: Json, context: ReadContext) {
  const name = textAt(variable, 'name')
  const kind = isRecord(variable) && variable.kind === 'image' ? 'Picture' : 'File'
  return name === null ? [] : [filePart(context, { ids: [], name, mediaType: null, kind })]
}
