import { isRecord, type Json, type JsonRecord, listAt, recordAt, textAt } from '../../json/values'
import { fileIn, type ReadContext } from '../../parts/files'
import { googleBlock } from '../../parts/google-parts'
import {
  errorPart,
  type ReadParts,
  readBlocks,
  reasoningPart,
  sourceParts,
  textPart,
} from '../../parts/read-blocks'
import type { Entry } from '../../tree/entries'
import { chainId } from '../../tree/source-node'
import type { ChatFormat } from '../format'
import { chatByTable, type SourceTable } from '../table'

const table: SourceTable = {
  source: 'ai-studio',
  title: 'title',
  instructions: ({ systemInstruction }) =>
    textAt(systemInstruction, 'text') ??
    listAt(systemInstruction, 'parts')
      .flatMap((part) => textAt(part, 'text') ?? [])
      .join('\n\n'),
  model: (value) => textAt(recordAt(value, 'runSettings'), 'model')?.replace(/^models\//, ''),
  messages: 'chunkedPrompt.chunks',
  entries: (value, { problems }) => {
    const chunks = listAt(value.chunkedPrompt, 'chunks')
    const known = chunks.filter(isRecord)
    const skipped = chunks.length - known.length
    if (skipped > 0) problems.count('no message', skipped)
    return { entries: turnsOf(known), skipped }
  },
  message: {
    role: 'role',
    createdAt: 'createTime',
    parts: (message, context, id) => {
      const read: ReadParts = { parts: [], answers: [] }
      for (const [index, chunk] of listAt(message, 'chunks').entries())
        if (isRecord(chunk)) readChunk(chunk, context, `${id}-${index}`, read)
      return read
    },
  },
}

/** A prompt of Google AI Studio, as it lies in the folder of that name on Drive. A file has no ending, and its name is the title. */
export const aiStudio: ChatFormat = {
  source: table.source,
  program: 'Google AI Studio',
  silent: ['runSettings', 'pendingInputs', 'safetyRatings', 'finishReason', 'branchParent', 'branchChildren'],
  recognises: (value) => Array.isArray(recordAt(value, 'chunkedPrompt').chunks),
  read(value, context) {
    const { problems } = context
    const drafts = listAt(value.chunkedPrompt, 'pendingInputs').filter((draft) => textAt(draft, 'text'))
    if (drafts.length > 0) problems.say('A message that was written but not sent is left out.')
    const parent = listAt(value.chunkedPrompt, 'chunks').flatMap(
      (chunk) => textAt(recordAt(chunk, 'branchParent'), 'displayName') ?? [],
    )[0]
    if (parent) problems.say(`It is a branch of “${parent}”, which has a file of its own.`)
    return chatByTable({ ...value, title: context.fileName }, table, context)
  },
}

/** Each thought, file and text is a chunk of its own: the chunks of one speaker in a row are a message. */
function turnsOf(chunks: readonly JsonRecord[]): Entry[] {
  const turns: JsonRecord[][] = []
  for (const chunk of chunks) {
    const turn = turns.at(-1)
    if (turn && turn[0]?.role === chunk.role) turn.push(chunk)
    else turns.push([chunk])
  }
  let parentId: string | null = null
  return turns.map((turn) => {
    const { role, createTime } = turn[0] ?? {}
    const said = turn.map(({ text, parts }) => text ?? parts ?? null)
    const entry: Entry = {
      id: chainId(parentId, String(role), said),
      parentId,
      message: { role, createTime, chunks: turn },
    }
    parentId = entry.id
    return entry
  })
}

function readChunk(chunk: JsonRecord, context: ReadContext, place: string, read: ReadParts): void {
  const blocks: Json[] = []
  for (const [key, value] of Object.entries(chunk)) {
    if (!isRecord(value)) continue
    const kind = key === 'driveImage' ? 'Picture' : undefined
    if (key.startsWith('drive')) read.parts.push(...fileIn(value, context, kind))
    else if (key === 'youtubeVideo')
      read.parts.push(...textPart(`[Video](https://www.youtube.com/watch?v=${textAt(value, 'id') ?? ''})`))
    else {
      const block = googleBlock({ [key.startsWith('inline') ? 'inlineData' : key]: value })
      if (block !== null) blocks.push(block)
    }
  }
  const text = textAt(chunk, 'text')
  if (text === null) blocks.push(...listAt(chunk, 'parts'))
  else read.parts.push(...(chunk.isThought === true ? reasoningPart(text) : textPart(text)))
  readBlocks(blocks, context, place, read)
  const grounding = recordAt(chunk, 'grounding')
  read.parts.push(
    ...errorPart(textAt(chunk, 'errorMessage')),
    ...sourceParts(
      ['groundingSources', 'groundingChunks', 'corpusSegments', 'sources'].flatMap((key) =>
        listAt(grounding, key),
      ),
      place,
    ),
  )
}
