import { isRecord, type Json, type JsonRecord, listAt, recordAt, textAt } from '../json/values'
import { filePart, type ReadContext } from '../parts/files'
import {
  callPart,
  codeFence,
  type ReadParts,
  readBlocks,
  reasoningPart,
  textPart,
} from '../parts/read-blocks'
import type { Entry } from '../tree/entries'
import { type ChatFormat, linesFormat } from './format'
import { type ChatTable, chatByTable } from './table'

const table: ChatTable & { source: string } = {
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

/** Sets, appends to or deletes what stands at the keys of a line. False: there is nothing at them. */
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
    around[last] = [...(typeof i === 'number' ? list.slice(0, i) : list), ...(Array.isArray(v) ? v : [])]
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

/** Pieces that only say how far it is, or that VS Code draws by itself. */
const status: ReadonlySet<Json> = new Set([
  ...['undoStop', 'progressMessage', 'progressTask', 'progressTaskSerialized', 'mcpServersStarting'],
  ...['prepareToolInvocation', 'codeblockUri', 'confirmation', 'command', 'elicitation', 'notebookEditGroup'],
])

function replyIn(request: JsonRecord, context: ReadContext, id: string): ReadParts {
  const read: ReadParts = { parts: [], answers: [] }
  const response = listAt(request, 'response')
  const { toolCallRounds, toolCallResults } = recordAt(recordAt(request, 'result'), 'metadata')
  const calls = (Array.isArray(toolCallRounds) ? toolCallRounds : []).flatMap((round) =>
    listAt(round, 'toolCalls'),
  )
  const tools = response.filter((piece) => isRecord(piece) && piece.kind === 'toolInvocationSerialized')
  let words = ''
  const endText = () => {
    read.parts.push(...textPart(words))
    words = ''
  }
  for (const [index, piece] of response.entries()) {
    const place = `${id}-${index}`
    const text = isRecord(piece) ? markdownIn(piece) : typeof piece === 'string' ? piece : null
    const kind = isRecord(piece) ? piece.kind : undefined
    if (text !== null && kind !== 'thinking' && !status.has(kind)) words += text
    else if (isRecord(piece) && !status.has(kind)) {
      endText()
      if (kind === 'thinking') {
        const thought = Array.isArray(piece.value) ? piece.value.join('') : piece.value
        read.parts.push(...reasoningPart(typeof thought === 'string' ? thought : ''))
      } else if (kind === 'toolInvocationSerialized') {
        // what a tool was told and said stands elsewhere, in the same order
        const call = calls.length === tools.length ? calls[tools.indexOf(piece)] : undefined
        readTool(piece, call, recordAt(toolCallResults, textAt(call, 'id') ?? ''), place, read)
      } else if (kind === 'textEditGroup') read.parts.push(...textPart(editIn(piece)))
      else read.parts.push(...readBlocks([piece], context, place).parts)
    }
  }
  endText()
  const error = textAt(recordAt(recordAt(request, 'result'), 'errorDetails'), 'message')
  read.parts.push(...textPart(error === null ? '' : `Error: ${error}`))
  return read
}

/** The words of a piece; null: it has none. */
function markdownIn(piece: JsonRecord): string | null {
  if (piece.kind === 'inlineReference') {
    const { inlineReference: to } = piece
    const path = textAt(piece, 'name') ?? textAt(to, 'name') ?? pathOf(to)
    return path === null ? '' : `\`${path}\``
  }
  const { value, content } = piece
  const text = isRecord(content) ? content.value : typeof content === 'string' ? content : value
  return typeof text === 'string' ? text : null
}

const pathOf = (uri: Json): string | null =>
  textAt(uri, 'path') ?? textAt(recordAt(uri, 'uri'), 'path') ?? textAt(uri, 'fsPath')

function readTool(
  piece: JsonRecord,
  call: Json,
  result: JsonRecord,
  place: string,
  { parts, answers }: ReadParts,
): void {
  const id = textAt(piece, 'toolCallId') ?? place
  const name = textAt(call, 'name') ?? textAt(piece, 'toolId')
  const details = recordAt(piece, 'resultDetails')
  const specific = recordAt(piece, 'toolSpecificData')
  const [said, done] = ['invocationMessage', 'pastTenseMessage'].map((key) =>
    typeof piece[key] === 'string' ? piece[key] : textAt(piece[key], 'value'),
  )
  const given =
    recordAt({ call }, 'call').arguments ?? details.input ?? specific.rawInput ?? specific.commandLine
  parts.push(callPart({ id, name, input: given ?? { message: said }, place }))
  const texts = listAt(result, 'content').flatMap((block) => textAt(block, 'value') ?? [])
  const shown = details.output ?? (Array.isArray(piece.resultDetails) ? piece.resultDetails : undefined)
  const output = texts.length > 0 ? texts.join('\n') : (shown ?? done ?? '')
  answers.push({ callId: id, toolName: name, output, failed: details.isError === true, files: [] })
}

/** An edit of a file: its path, and what was written. */
function editIn(piece: JsonRecord): string {
  const texts = listAt(piece, 'edits')
    .flat()
    .flatMap((edit) => textAt(edit, 'text') ?? [])
  return `${pathOf(piece.uri) ?? ''}\n\n${codeFence(texts.join('\n'))}`.trim()
}
