import { isRecord, type Json, type JsonRecord, listAt, recordAt, textAt } from '../../json/values'
import { fileAt, filePart, textFile } from '../../parts/files'
import {
  answerOf,
  callPart,
  errorPart,
  type ReadParts,
  readBlocks,
  reasoningPart,
  sourceParts,
  textPart,
} from '../../parts/read-blocks'
import { noLinks } from '../../tree/entries'
import type { ChatContext, ChatFormat } from '../format'
import { tableFormat } from '../table'

const table = tableFormat({
  source: 'big-agi',
  program: 'big-AGI',
  silent: ['generator', 'avatar', 'sender', 'purposeId', 'tokenCount', 'metrics', 'vdt', 'userSymbol'],
  beside: ['folders'],
  recognises: (value) => listAt(value, 'messages').some(isMessage),
  id: 'id',
  title: ['userTitle', 'autoTitle'],
  createdAt: 'created',
  updatedAt: 'updated',
  isArchived: 'isArchived',
  tags: 'tags',
  messages: 'messages',
  tree: noLinks,
  message: {
    role: 'role',
    createdAt: 'created',
    model: ['generator.aix.mId', 'generator.name', 'originLLM'],
    isHidden: ({ userFlags }) => Array.isArray(userFlags) && userFlags.includes('aix.skip'),
    parts: (message, context, id) => {
      const read: ReadParts = { parts: textPart(textAt(message, 'text') ?? ''), answers: [] }
      for (const [index, fragment] of listAt(message, 'fragments').entries())
        if (isRecord(fragment)) readFragment(fragment, context, `${id}-${index}`, read)
      return read
    },
  },
})

/** big-AGI: conversations with messages made of fragments (`.agi.json`), or of one text as its first version wrote them. */
export const bigAgi: ChatFormat = {
  ...table,
  read: (value, context) => table.read({ ...value, tags: foldersOf(value, context.beside) }, context),
}

/** The names of the folders that a conversation lies in. */
const foldersOf = ({ id }: JsonRecord, beside: JsonRecord): string[] =>
  listAt(beside.folders, 'folders')
    .filter((folder) => listAt(folder, 'conversationIds').includes(id))
    .flatMap((folder) => textAt(folder, 'title') ?? [])

const isMessage = (message: Json): boolean =>
  isRecord(message) &&
  (Array.isArray(message.fragments) ||
    (typeof message.text === 'string' &&
      'sender' in message &&
      ('originLLM' in message || 'created' in message)))

function readFragment(fragment: JsonRecord, context: ChatContext, place: string, read: ReadParts): void {
  const { parts } = read
  const part = recordAt(fragment, 'part')
  const name = textAt(fragment, 'title') ?? textAt(part, 'l1Title')
  const data = recordAt(part, 'data')
  if (part.pt === 'text') {
    const text = textAt(part, 'text') ?? ''
    parts.push(...(fragment.ft === 'attachment' ? [textFile(text, name)] : textPart(text)))
  } else if (part.pt === 'ma') parts.push(...reasoningPart(textAt(part, 'aText') ?? ''))
  else if (part.pt === 'error') parts.push(...errorPart(textAt(part, 'error') ?? 'unknown'))
  else if (part.pt === 'doc') parts.push(textFile(textAt(data, 'text') ?? '', textAt(part, 'ref') ?? name))
  else if (part.pt === 'annotations') parts.push(...sourceParts(part.annotations, place))
  else if (part.pt === 'image_ref' || part.pt === 'reference') parts.push(pictureOf(part, context))
  else if (part.pt === 'tool_invocation') {
    const call = recordAt(part, 'invocation')
    const input = call.type === 'code_execution' ? { language: call.language, code: call.code } : call.args
    parts.push(callPart({ id: textAt(part, 'id'), name: nameOf(call), input, place }))
  } else if (part.pt === 'tool_response') {
    const answer = recordAt(part, 'response')
    const failed = part.error !== undefined && part.error !== false && part.error !== null
    const output =
      failed && typeof part.error === 'string'
        ? [part.error, answer.result].filter(Boolean).join('\n')
        : answer.result
    read.answers.push({
      callId: textAt(part, 'id'),
      toolName: nameOf(answer),
      failed,
      ...answerOf(output, context, place),
    })
  } else if (part.pt !== 'ph' && part.pt !== '_pt_sentinel') {
    const { parts: unknown } = readBlocks([{ kind: part.pt, ...part }], context, place)
    parts.push(...unknown)
  }
}

const nameOf = (call: JsonRecord): string | null =>
  textAt(call, 'name') ?? (call.type === 'code_execution' ? 'code_execution' : null)

/** A picture stands in a store of the browser, which the file does not hold, or is an address. */
function pictureOf(part: JsonRecord, context: ChatContext) {
  const inner = isRecord(part._legacyImageRefPart) ? part._legacyImageRefPart : part
  const ref = recordAt(inner, 'dataRef')
  const url = textAt(ref, 'url')
  const name = textAt(inner, 'altText') ?? textAt(part, 'zRefSummary')
  if (url) return fileAt(context, url, { name, kind: 'Picture' })
  return filePart(context, {
    ids: [textAt(ref, 'dblobAssetId')],
    name,
    mediaType: textAt(ref, 'mimeType'),
    kind: 'Picture',
  })
}
