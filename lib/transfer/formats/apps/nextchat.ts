import { isRecord, type Json, type JsonRecord, listAt, recordAt, textAt } from '../../json/values'
import { callsFirst, textPart } from '../../parts/read-blocks'
import { entriesOf, noLinks } from '../../tree/entries'
import type { ChatContext } from '../format'
import { plainParts } from '../plain-message'
import { tableFormat } from '../table'

const store = 'chat-next-web-store'

/** A backup of NextChat: sessions, each with a mask that has the messages sent before them. */
export const nextchat = tableFormat({
  source: 'nextchat',
  program: 'NextChat',
  silent: ['access-control', 'app-config', 'modelConfig', 'stat', 'date', 'avatar', 'sync', 'app-version'],
  recognises: (value) => Array.isArray(recordAt(value, store).sessions),
  chats: (value) => listAt(value[store], 'sessions'),
  id: 'id',
  title: 'topic',
  updatedAt: 'lastUpdate',
  model: 'mask.modelConfig.model',
  messages: 'messages',
  entries: entriesIn,
  message: {
    role: 'role',
    createdAt: ({ date }) => (typeof date === 'string' ? dateOfPlace(date) : date),
    model: 'model',
    parts: (message, context, id) => {
      const { tools, ...said } = message
      const calls = listAt(message, 'tools').map((tool) =>
        isRecord(tool)
          ? { ...tool, result: tool.content ?? tool.errorMsg, isError: tool.isError === true }
          : tool,
      )
      const read = plainParts({ ...said, tool_calls: calls }, context, id)
      const sound = textAt(message, 'audio_url')
      return {
        ...read,
        parts: [...callsFirst(read.parts), ...textPart(sound === null ? '' : `[Sound](${sound})`)],
      }
    },
  },
})

function entriesIn(session: JsonRecord, { problems }: ChatContext) {
  const before = listAt(recordAt(session, 'mask'), 'context')
  const { entries, skipped } = entriesOf([...before, ...listAt(session, 'messages')], problems, noLinks)
  const cleared = session.clearContextIndex
  if (typeof cleared === 'number' && cleared > 0)
    problems.say(
      'Where the context was cleared, its models were not sent what stands before. Here the chat goes on.',
    )
  return { entries, skipped, current: entries.at(-1)?.id ?? null }
}

const clock = String.raw`,? (\d{1,2}):(\d\d)(?::(\d\d))?(?: ?([AP])M)?$`
const american = new RegExp(String.raw`^(\d{1,2})\/(\d{1,2})\/(\d{4})${clock}`, 'i')
const yearFirst = new RegExp(String.raw`^(\d{4})[/-](\d{1,2})[/-](\d{1,2})${clock}`, 'i')

/** A time as a browser writes it, where the order of day and month is certain: with AM or PM, or with the year first. */
function dateOfPlace(text: string): Json {
  const plain = text.replace(/\s/g, ' ')
  const [found, first] = [american.exec(plain), yearFirst.exec(plain)]
  const [, year, month, day] = first ?? (found?.[7] ? [null, found[3], found[1], found[2]] : [])
  const [hour, minute, second, half] = (first ?? found ?? []).slice(4)
  if (year === undefined) return text
  const two = (value: unknown) => String(value ?? 0).padStart(2, '0')
  const full = half ? (Number(hour) % 12) + (half.toUpperCase() === 'P' ? 12 : 0) : hour
  return `${year}-${two(month)}-${two(day)}T${two(full)}:${two(minute)}:${two(second)}Z`
}
