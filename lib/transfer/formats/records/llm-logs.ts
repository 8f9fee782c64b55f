import { idOf, isRecord, type Json, type JsonRecord, listAt, textAt } from '../../json/values'
import { filesAt, textFile } from '../../parts/files'
import { answerOf, callPart, type ReadParts, readBlocks, reasoningPart } from '../../parts/read-blocks'
import type { Entry } from '../../tree/entries'
import { type ChatContext, linesFormat } from '../format'
import { chatsByTable, type SourceTable, textIn } from '../table'

const table: SourceTable = {
  source: 'llm',
  id: 'id',
  title: 'title',
  instructions: 'system',
  messages: 'responses',
  entries: entriesIn,
  message: {
    role: 'speaks',
    createdAt: 'datetime_utc',
    model: ({ speaks, model }) => (speaks === 'user' ? undefined : model),
    files: filesOf,
    parts: partsOf,
  },
}

/** The output of `llm logs --json`: responses with their prompts, of many conversations. */
export const llmLogs = linesFormat({
  source: table.source,
  program: 'llm',
  silent: [
    'prompt_json',
    'response_json',
    'options_json',
    'conversation_name',
    'tools',
    'schema_json',
    'token_details',
  ],
  recognises: (first) =>
    isRecord(first) &&
    'response' in first &&
    'prompt' in first &&
    ['conversation_id', 'datetime_utc'].some((key) => key in first),
  read(responses, context) {
    const chats = Map.groupBy(responses, (response) =>
      isRecord(response) ? (idOf(response.conversation_id) ?? idOf(response.id)) : null,
    )
    const values = [...chats].map(([id, own]) => {
      const timeOf = (response: Json) => textAt(response, 'datetime_utc') ?? ''
      // newest first is how it lists them without a limit
      const ordered = own.toSorted((one, other) =>
        timeOf(one) < timeOf(other) ? -1 : timeOf(one) > timeOf(other) ? 1 : 0,
      )
      const [first] = ordered.filter(isRecord)
      const title = first ? textIn(first, ['conversation_name']) : null
      const system = [...new Set(ordered.flatMap(systemOf))].join('\n\n')
      return { id, title, system, responses: ordered }
    })
    return chatsByTable(values, table, context)
  },
})

const systemOf = (response: Json): string[] => [
  ...[textAt(response, 'system')].filter((text) => text !== null),
  ...listAt(response, 'system_fragments').flatMap((fragment) => fragmentText(fragment) ?? []),
]

const fragmentText = (fragment: Json): string | null =>
  typeof fragment === 'string' ? fragment : textAt(fragment, 'content')

function entriesIn(chat: JsonRecord, { problems }: ChatContext) {
  const entries: Entry[] = []
  let [before, skipped] = [null as string | null, 0]
  for (const response of listAt(chat, 'responses')) {
    if (!isRecord(response)) {
      problems.count('no message')
      skipped += 1
      continue
    }
    const id: string = idOf(response.id) ?? `${entries.length}`
    const asks = ['prompt', 'prompt_fragments', 'attachments'].some((key) => {
      const given = response[key]
      return typeof given === 'string' ? given.trim() !== '' : Array.isArray(given) && given.length > 0
    })
    if (listAt(response, 'tool_results').length > 0) {
      entries.push({ id: `${id}-results`, parentId: before, message: { ...response, speaks: 'tool' } })
      before = `${id}-results`
    }
    if (asks) {
      entries.push({ id: `${id}-prompt`, parentId: before, message: { ...response, speaks: 'user' } })
      before = `${id}-prompt`
    }
    entries.push({ id, parentId: before, message: { ...response, speaks: 'assistant' } })
    before = id
  }
  return { entries, skipped, current: before }
}

function filesOf(message: JsonRecord, context: ChatContext) {
  if (message.speaks !== 'user') return []
  const fragments = listAt(message, 'prompt_fragments').flatMap((fragment) => {
    const text = fragmentText(fragment)
    return text === null ? [] : [textFile(text, textAt(fragment, 'source'))]
  })
  return [...fragments, ...filesAt(message, ['attachments'], context)]
}

function partsOf(message: JsonRecord, context: ChatContext, id: string): ReadParts {
  if (message.speaks === 'user') return readBlocks(message.prompt, context, id)
  if (message.speaks === 'tool')
    return {
      parts: [],
      answers: listAt(message, 'tool_results')
        .filter(isRecord)
        .map((result) => ({
          callId: idOf(result.tool_call_id),
          toolName: textAt(result, 'name'),
          failed: textAt(result, 'exception') !== null,
          ...answerOf(result.output, context, id),
        })),
    }
  const calls = listAt(message, 'tool_calls')
    .filter(isRecord)
    .map((call, index) =>
      callPart({
        id: idOf(call.tool_call_id) ?? idOf(call.id),
        name: textAt(call, 'name'),
        input: call.arguments,
        place: `${id}-${index}`,
      }),
    )
  const { parts } = readBlocks(message.response, context, id)
  return { parts: [...reasoningPart(textAt(message, 'reasoning') ?? ''), ...parts, ...calls], answers: [] }
}
