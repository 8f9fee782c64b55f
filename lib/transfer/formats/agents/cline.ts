import { isRecord, type Json, type JsonRecord, listAt, maybeJson, recordAt, textAt } from '../../json/values'
import { filesAt } from '../../parts/files'
import { callPart, type ReadParts, reasoningPart, textPart } from '../../parts/read-blocks'
import { noLinks } from '../../tree/entries'
import { type ChatContext, linesFormat, madeId } from '../format'
import { chatByTable, type SourceTable } from '../table'

/** Kinds of messages that a person says, and that the program keeps for itself. */
const ofPerson: ReadonlySet<string> = new Set(['task', 'user_feedback', 'user_feedback_diff'])
const ofProgram: ReadonlySet<string> = new Set([
  ...['api_req_started', 'api_req_finished', 'api_req_retried', 'checkpoint_created', 'checkpoint_saved'],
  ...[
    'resume_task',
    'resume_completed_task',
    'api_req_failed',
    'condense_context',
    'mcp_server_request_started',
  ],
])
/** Kinds whose text is a tool with its arguments, or the tool's words. */
const calls: ReadonlySet<string> = new Set([
  'tool',
  'command',
  'use_mcp_server',
  'browser_action_launch',
  'browser_action',
])
const answers: ReadonlySet<string> = new Set([
  'command_output',
  'mcp_server_response',
  'browser_action_result',
])

const kindOf = (message: JsonRecord): string => textAt(message, 'say') ?? textAt(message, 'ask') ?? ''

const table: SourceTable = {
  source: 'cline',
  id: 'id',
  title: 'title',
  messages: 'messages',
  tree: { ...noLinks, id: [] },
  message: {
    role: (message) => {
      const kind = kindOf(message)
      return ofPerson.has(kind) || message.isFirst === true
        ? 'user'
        : answers.has(kind)
          ? 'tool'
          : 'assistant'
    },
    createdAt: 'ts',
    readsOn: (message) => !ofPerson.has(kindOf(message)) && message.isFirst !== true,
    files: (message, context) => [
      ...filesAt(message, ['images'], context, 'Picture'),
      ...filesAt(message, ['files'], context),
    ],
    parts: partsOf,
  },
}

/** The `ui_messages.json` of a task of Cline or Roo Code: the entries of its page, one for each step. */
export const clineTask = linesFormat({
  source: table.source,
  program: 'Cline',
  silent: ['api_req_started', 'conversationHistoryDeletedRange', 'lastCheckpointHash', 'modelInfo'],
  recognises: (first) =>
    isRecord(first) &&
    typeof first.ts === 'number' &&
    (first.type === 'say' || first.type === 'ask') &&
    kindOf(first) !== '',
  read(values, context) {
    const isKept = (value: Json) => !isRecord(value) || !ofProgram.has(kindOf(value))
    const kept = values.filter(isKept)
    if (kept.length < values.length)
      context.problems.say(
        'Requests to the model and checkpoints are left out. What the model was sent stands in api_conversation_history.json.',
      )
    const messages = kept.map((value, index) =>
      index === 0 && isRecord(value) ? { ...value, isFirst: true } : value,
    )
    const [first] = messages
    const title = textAt(first, 'text')?.split('\n')[0]?.slice(0, 100)
    const id = madeId(table.source, isRecord(first) ? Number(first.ts) : null)
    return [chatByTable({ id, title, messages }, table, context)]
  },
})

function partsOf(message: JsonRecord, _context: ChatContext, id: string): ReadParts {
  const kind = kindOf(message)
  const text = textAt(message, 'text') ?? ''
  if (kind === 'reasoning')
    return { parts: reasoningPart(text || (textAt(message, 'reasoning') ?? '')), answers: [] }
  if (answers.has(kind))
    return { parts: [], answers: [{ callId: null, toolName: null, output: text, failed: false, files: [] }] }
  if (calls.has(kind)) return callOf(kind, text, id)
  const asked = recordAt({ asked: maybeJson(text) }, 'asked')
  const question = textAt(asked, 'question') ?? textAt(asked, 'response')
  const options = listAt(asked, 'options').filter((option) => typeof option === 'string')
  const said = question === null ? text : [question, ...options.map((option) => `- ${option}`)].join('\n')
  const isError = kind === 'error' || kind.endsWith('_error')
  return {
    parts: [
      ...reasoningPart(textAt(message, 'reasoning') ?? ''),
      ...textPart(isError ? `Error: ${said}` : said),
    ],
    answers: [],
  }
}

/** A tool's step has its arguments and, of a file that was read, its content. */
function callOf(kind: string, text: string, place: string): ReadParts {
  const given = maybeJson(text)
  const { tool, content, ...rest } = isRecord(given)
    ? given
    : { tool: null, content: undefined, command: text }
  const name = typeof tool === 'string' ? tool : kind
  const isAnswer = typeof content === 'string' && !('diff' in rest) && !/edit|new|create/i.test(name)
  const input = isAnswer || content === undefined ? rest : { ...rest, content }
  const answer = { callId: place, toolName: name, output: content, failed: false, files: [] }
  return { parts: [callPart({ id: place, name, input, place })], answers: isAnswer ? [answer] : [] }
}
