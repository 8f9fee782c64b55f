import { isRecord, type Json, type JsonRecord, listAt, maybeJson, textAt } from '../../json/values'
import { fileIn } from '../../parts/files'
import { callPart, type ReadParts, readBlocks } from '../../parts/read-blocks'
import { entriesOf, noLinks } from '../../tree/entries'
import type { ChatContext } from '../format'
import { countTools } from '../plain-message'
import { tableFormat } from '../table'

const speakers = { chatgpt: 'assistant', bard: 'assistant', bing: 'assistant', claude: 'assistant' } as const
const tools = { function_call: 'assistant', observation: 'tool', function_response: 'tool' } as const

/** ShareGPT and formats like it: `conversations` of messages with `from` and `value`. */
export const sharegpt = tableFormat({
  source: 'sharegpt',
  program: 'ShareGPT',
  silent: ['tools', 'source', 'task', 'category'],
  recognises: (value) => turnsIn(value).some((turn) => isRecord(turn) && 'from' in turn && 'value' in turn),
  id: 'id',
  title: 'title',
  instructions: ['system', 'system_prompt'],
  model: 'model',
  messages: 'conversations',
  entries: (value, context) => {
    countTools(value, context)
    return entriesOf(turnsIn(value), context.problems, { ...noLinks, id: [] })
  },
  message: { role: 'from', roles: { ...speakers, ...tools }, model: 'model', parts: partsOf },
})

function turnsIn(value: JsonRecord): Json[] {
  const turns = [
    ...listAt(value, 'conversations'),
    ...listAt(value, 'conversation'),
    ...listAt(value, 'items'),
  ]
  // pictures stand beside the turns, which say where by `<image>`
  const pictures = ['images', 'image', 'videos', 'audios'].flatMap((key) => {
    const given = value[key]
    return Array.isArray(given) ? given : typeof given === 'string' ? [given] : []
  })
  if (pictures.length === 0) return turns
  const first = turns.findIndex((turn) => ['human', 'user'].includes(textAt(turn, 'from') ?? ''))
  return turns.map((turn, index) => (index === first && isRecord(turn) ? { ...turn, pictures } : turn))
}

function partsOf(message: JsonRecord, context: ChatContext, id: string): ReadParts {
  const files = listAt(message, 'pictures').flatMap((picture) => fileIn(picture, context, 'Picture'))
  if (message.from === 'function_call') {
    const given = maybeJson(message.value)
    const calls = (Array.isArray(given) ? given : [given]).filter(isRecord)
    const parts = calls.map((call, index) =>
      callPart({
        id: null,
        name: textAt(call, 'name'),
        input: call.arguments ?? call.parameters,
        place: `${id}-${index}`,
      }),
    )
    return parts.length > 0 ? { parts, answers: [] } : readBlocks(message.value, context, id)
  }
  if (message.from === 'observation' || message.from === 'function_response' || message.from === 'tool') {
    const output = maybeJson(message.value)
    return { parts: [], answers: [{ callId: null, toolName: null, output, failed: false, files: [] }] }
  }
  const read = readBlocks(message.value, context, id)
  return { ...read, parts: [...files, ...read.parts] }
}
