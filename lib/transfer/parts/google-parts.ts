import { isRecord, type JsonRecord, textAt } from '../json/values'

/** A part of Google's API, whose one key is its type. It comes back as a block with a field `type`. */
export function googleBlock(part: JsonRecord): JsonRecord | null {
  if (part.thought === true && typeof part.text === 'string') return { type: 'thinking', thinking: part.text }
  for (const [key, translate] of Object.entries(kinds)) {
    const value = part[key] ?? part[snakeCase(key)]
    if (isRecord(value)) return translate(value)
  }
  return null
}

const snakeCase = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The tool that stands for code which the model runs by itself. */
const code = 'code_execution'

const kinds: Readonly<Record<string, (value: JsonRecord) => JsonRecord>> = {
  inlineData: (value) => {
    const mediaType = textAt(value, 'mimeType') ?? textAt(value, 'mime_type')
    const type = mediaType?.startsWith('image/') ? 'image' : 'file'
    return { type, name: value.displayName, source: { data: value.data, media_type: mediaType } }
  },
  fileData: (value) => ({
    type: 'file',
    file: {
      url: value.fileUri ?? value.file_uri,
      name: value.displayName,
      mediaType: value.mimeType ?? value.mime_type,
    },
  }),
  functionCall: ({ id, name, args }) => ({ type: 'tool_use', id, name, input: args }),
  functionResponse: ({ id, name, response }) => ({
    type: 'tool_result',
    tool_use_id: id,
    name,
    content: response,
  }),
  executableCode: (value) => ({ type: 'tool_use', name: code, input: value }),
  codeExecutionResult: ({ outcome, output }) => ({
    type: 'tool_result',
    name: code,
    content: output ?? '',
    is_error: outcome !== undefined && outcome !== 'OUTCOME_OK',
  }),
}
