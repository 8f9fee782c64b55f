import { isRecord, type Json, type JsonRecord, listAt, maybeJson, recordAt, textAt } from '../../json/values'
import { filesAt } from '../../parts/files'
import { callPart, type ReadParts, reasoningPart, sourceParts, textPart } from '../../parts/read-blocks'
import type { Entry } from '../../tree/entries'
import { type ChatFormat, linesFormat } from '../format'
import { at, chatByTable, type SourceTable } from '../table'

const question = ['query', 'query_str', 'question'] as const
const date = ['timestamp', 'created_at', 'updated_datetime', 'entry_updated_datetime', 'date'] as const

const table: SourceTable = {
  source: 'perplexity',
  id: ['thread_id', 'entries.0.context_uuid', 'id'],
  title: ['thread_title', 'title'],
  origin: 'origin',
  messages: 'entries',
  entries: ({ entries: list }, { problems }) => {
    const found = Array.isArray(list) ? list : []
    const entries: Entry[] = []
    for (const [index, entry] of found.entries()) {
      if (!isRecord(entry)) continue
      const id = textAt(entry, 'uuid') ?? textAt(entry, 'backend_uuid') ?? String(index)
      const createdAt = at(entry, date)
      const model = at(entry, ['model', 'display_model', 'user_selected_model'])
      const asked = { role: 'user', createdAt, entry }
      entries.push({ id, parentId: entries.at(-1)?.id ?? null, message: asked })
      entries.push({
        id: `${id}-answer`,
        parentId: id,
        message: { role: 'assistant', createdAt, model, entry },
      })
    }
    const skipped = found.filter((entry) => !isRecord(entry)).length
    if (skipped > 0) problems.count('no message', skipped)
    return { entries, skipped, current: entries.at(-1)?.id ?? null }
  },
  message: {
    role: 'role',
    createdAt: 'createdAt',
    model: 'model',
    files: ({ role, entry }, context) => (role === 'user' ? filesAt(entry, ['attachments'], context) : []),
    parts: ({ role, entry }, _context, id) => {
      const record = isRecord(entry) ? entry : {}
      const asked = at(record, question)
      if (role === 'user') return { parts: textPart(typeof asked === 'string' ? asked : ''), answers: [] }
      return answerIn(record, id)
    },
  },
}

const silent = [
  ...['related_queries', 'related_query_items', 'classifier_results', 'answer_modes', 'author_username'],
  ...['chunks', 'meta_data', 'snippet', 'media_block', 'image_mode_block', 'video_mode_block', 'widget_data'],
  ...['thread_url_slug', 'read_write_token', 's3_social_preview_url', 'mode', 'search_focus', 'text'],
]

const isEntry = (value: Json) =>
  isRecord(value) &&
  typeof at(value, question) === 'string' &&
  ('answer' in value || 'blocks' in value || 'text' in value)

/** The export of one Perplexity thread: questions with their answers, and the thread beside them. */
export const perplexityEntries = linesFormat({
  source: table.source,
  program: 'Perplexity',
  silent,
  beside: ['metadata'],
  recognises: isEntry,
  read: (entries, context) => [
    chatByTable({ ...recordAt(context.beside, 'metadata'), entries }, table, context),
  ],
})

/** A thread of Perplexity as its page loads it, which the tools that export whole libraries keep. */
export const perplexityThread: ChatFormat = {
  source: table.source,
  program: 'Perplexity',
  silent,
  recognises: (value) => listAt(value, 'entries').some(isEntry),
  read(value, context) {
    const [first] = listAt(value, 'entries')
    const { context_uuid: thread_id, thread_title, thread_url_slug: slug } = isRecord(first) ? first : {}
    const origin = typeof slug === 'string' ? `https://www.perplexity.ai/search/${slug}` : null
    return chatByTable({ thread_id, thread_title, origin, ...value }, table, context)
  },
}

function answerIn(entry: JsonRecord, id: string): ReadParts {
  const read: ReadParts = { parts: [], answers: [] }
  const pages: Json[] = ['sources', 'web_results', 'citations', 'search_results'].flatMap((key) =>
    listAt(entry, key),
  )
  let words = textAt(entry, 'answer')
  for (const [index, block] of listAt(entry, 'blocks').entries()) {
    words ??= textAt(recordAt(block, 'markdown_block'), 'answer')
    const plan = { ...recordAt(block, 'plan_block'), ...recordAt(block, 'reasoning_plan_block') }
    const goals = listAt(plan, 'goals').flatMap((goal) => textAt(goal, 'description') ?? [])
    read.parts.push(...reasoningPart(goals.join('\n\n')))
    readSteps(listAt(plan, 'steps'), `${id}-${index}`, read)
    for (const key of ['sources_mode_block', 'web_result_block']) {
      const found = recordAt(block, key)
      pages.push(
        ...listAt(found, 'web_results'),
        ...listAt(found, 'rows').map((row) => recordAt(row, 'web_result')),
      )
    }
  }
  // an older thread has all of its steps as JSON in a text
  const steps = maybeJson(entry.text)
  if (Array.isArray(steps)) {
    readSteps(steps, id, read)
    const final = steps.find((step) => textAt(step, 'step_type') === 'FINAL')
    const answer = maybeJson(recordAt(final, 'content').answer)
    words ??= typeof answer === 'string' ? answer : textAt(answer, 'answer')
    pages.push(...listAt(answer, 'web_results'))
  } else if (typeof entry.text === 'string') words ??= entry.text
  read.parts.push(...textPart(words ?? ''), ...sourceParts(pages, id))
  return read
}

/** The searches on the way to an answer, each with the pages that it found. */
function readSteps(steps: readonly Json[], place: string, { parts, answers }: ReadParts): void {
  for (const [index, step] of steps.entries()) {
    const content = { ...recordAt(step, 'content'), ...recordAt(step, 'search_web_content') }
    const queries = listAt(content, 'queries').flatMap(
      (query) => textAt({ query }, 'query') ?? textAt(query, 'query') ?? [],
    )
    if (queries.length === 0) continue
    const call = { id: `${place}-${index}`, name: 'web_search', input: { queries }, place }
    parts.push(callPart(call))
    const found = recordAt(steps[index + 1], 'web_results_content')
    const output = listAt(found, 'web_results').flatMap((page) => textAt(page, 'url') ?? [])
    answers.push({ callId: call.id, toolName: call.name, output, failed: false, files: [] })
  }
}
