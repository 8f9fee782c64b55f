import {
  cleanText,
  idOf,
  isRecord,
  type Json,
  type JsonRecord,
  listAt,
  maybeJson,
  recordAt,
  textAt,
} from '../../json/values'
import { fileAt, filesAt, type ReadContext } from '../../parts/files'
import {
  callPart,
  errorPart,
  type ReadParts,
  reasoningPart,
  sourceParts,
  textPart,
} from '../../parts/read-blocks'
import { entriesOf } from '../../tree/entries'
import { tableFormat } from '../table'

/** The export of Grok: each value is a `conversation` with its `responses`, each in a record of its own. */
export const grok = tableFormat({
  source: 'grok',
  program: 'Grok',
  silent: ['metadata', 'share_link', 'system_prompt_name', 'tag_order'],
  recognises: (value) => isRecord(value.conversation) && Array.isArray(value.responses),
  id: ['conversation.id', 'conversation._id'],
  title: 'conversation.title',
  createdAt: 'conversation.create_time',
  updatedAt: 'conversation.modify_time',
  current: 'conversation.leaf_response_id',
  isPinned: 'conversation.starred',
  messages: 'responses',
  entries: (value, { problems }) =>
    entriesOf(
      listAt(value, 'responses').map((item) =>
        isRecord(item) && isRecord(item.response) ? item.response : item,
      ),
      problems,
    ),
  message: {
    role: 'sender',
    createdAt: 'create_time',
    model: ({ sender, ...message }) =>
      isPerson(sender)
        ? undefined
        : (message.model ?? recordAt(recordAt(message, 'metadata'), 'request_metadata').resolved_model),
    files: (message, context) => filesAt(message, ['file_attachments'], context),
    parts: partsOf,
  },
})

const isPerson = (sender: Json) => typeof sender === 'string' && /^(?:human|user)$/i.test(sender)

function partsOf(message: JsonRecord, context: ReadContext, id: string): ReadParts {
  const read: ReadParts = { parts: [], answers: [] }
  const thoughts = new Set<string>()
  for (const [index, step] of listAt(message, 'steps').entries())
    if (isRecord(step)) readStep(step, `${id}-${index}`, read, thoughts)
  const traces = [message, ...listAt(message, 'agent_thinking_traces')].flatMap(
    (from) => textAt(from, 'thinking_trace') ?? [],
  )
  const inSteps = [...thoughts].join('')
  for (const trace of new Set(traces))
    if (trace.replace(/\s/g, '') !== inSteps.replace(/\s/g, '')) read.parts.unshift(...reasoningPart(trace))
  const cards = new Map(listAt(message, 'card_attachments_json').flatMap(cardIn))
  const words = (textAt(message, 'message') ?? textAt(message, 'query') ?? '').replace(
    /<grok:render\b[^<>]{0,300}?\bcard_id="([^"<>]{1,100})"[^<>]{0,300}>.{0,500}?<\/grok:render>/gs,
    (_mark, card: string) => pictureOf(cards.get(card)),
  )
  read.parts.push(
    ...textPart(words.trim()),
    ...listAt(message, 'generated_image_urls').flatMap((url) =>
      typeof url === 'string' && !words.includes(url) ? [fileAt(context, url, { kind: 'Picture' })] : [],
    ),
    ...errorPart(textAt(message, 'error')),
    ...sourceParts(
      [
        ...listAt(message, 'cited_web_search_results'),
        ...listAt(message, 'web_search_results'),
        ...[...cards.values()].filter(({ cardType }) => cardType === 'citation_card'),
      ],
      id,
    ),
  )
  return read
}

/** A step of its thoughts: texts by their kind, one of which is the card of a tool. */
function readStep(step: JsonRecord, place: string, read: ReadParts, thoughts: Set<string>): void {
  for (const [kind, text] of Object.entries(recordAt(step, 'tagged_text'))) {
    if (typeof text !== 'string' || text.trim() === '') continue
    if (kind === 'tool_usage_card') read.parts.push(...callsIn(text, place))
    else {
      thoughts.add(text)
      read.parts.push(...reasoningPart(text))
    }
  }
  for (const result of listAt(step, 'tool_usage_results')) {
    const callId = isRecord(result) ? idOf(result.tool_usage_card_id) : null
    read.answers.push({ callId, toolName: null, output: result, failed: false, files: [] })
  }
  const posts = listAt(step, 'x_posts_ids').flatMap((post) => idOf(post) ?? [])
  read.parts.push(
    ...sourceParts(
      [...listAt(step, 'web_search_results'), ...posts.map((post) => `https://x.com/i/status/${post}`)],
      place,
    ),
  )
}

function callsIn(text: string, place: string) {
  return text
    .split('<xai:tool_usage_card>')
    .slice(1)
    .map((card, index) => {
      const field = (name: string) => {
        const from = card.indexOf(`<xai:${name}>`)
        const to = card.indexOf(`</xai:${name}>`, from)
        return from === -1 || to === -1 ? null : card.slice(from + name.length + '<xai:>'.length, to).trim()
      }
      const given = field('tool_args') ?? ''
      const input = given.startsWith('<![CDATA[') ? given.slice('<![CDATA['.length, -']]>'.length) : given
      return callPart({
        id: field('tool_usage_card_id'),
        name: field('tool_name'),
        input: maybeJson(input),
        place: `${place}-${index}`,
      })
    })
}

/** A card of a reply by its id: a page that it cites, or a picture. */
function cardIn(given: Json): [string, JsonRecord][] {
  const card = maybeJson(given)
  const id = isRecord(card) ? idOf(card.id) : null
  return isRecord(card) && id !== null ? [[id, card]] : []
}

function pictureOf(card: JsonRecord | undefined): string {
  const { original, thumbnail, imageUrl } = { ...recordAt(card, 'image'), ...recordAt(card, 'image_chunk') }
  const url = [original, thumbnail, imageUrl].find((address) => typeof address === 'string')
  const name = textAt(card, 'caption') ?? textAt(recordAt(card, 'image'), 'title') ?? 'Picture'
  return url ? cleanText(`![${name.replace(/[[\]]/g, '')}](${url})`) : ''
}
