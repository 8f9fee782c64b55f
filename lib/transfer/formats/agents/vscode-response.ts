import { isRecord, type Json, type JsonRecord, listAt, recordAt, textAt } from '../../json/values'
import type { ReadContext } from '../../parts/files'
import {
  callPart,
  codeFence,
  errorPart,
  type ReadParts,
  readBlocks,
  reasoningPart,
  textPart,
} from '../../parts/read-blocks'

/** Pieces that only say how far it is, or that VS Code draws by itself. */
const status: ReadonlySet<Json> = new Set([
  ...['undoStop', 'progressMessage', 'progressTask', 'progressTaskSerialized', 'mcpServersStarting'],
  ...['prepareToolInvocation', 'codeblockUri', 'confirmation', 'command', 'elicitation', 'notebookEditGroup'],
])

/** A reply as VS Code shows it: pieces of text, and of its agent's work. */
export function replyIn(request: JsonRecord, context: ReadContext, id: string): ReadParts {
  const read: ReadParts = { parts: [], answers: [] }
  const response = listAt(request, 'response')
  const { toolCallRounds, toolCallResults } = recordAt(recordAt(request, 'result'), 'metadata')
  const calls = (Array.isArray(toolCallRounds) ? toolCallRounds : []).flatMap((round) =>
    listAt(round, 'toolCalls'),
  )
  const tools = response.filter((piece) => isRecord(piece) && piece.kind === 'toolInvocationSerialized')
  let [words, told] = ['', 0]
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
        // a tool's input and output stand elsewhere, in the same order
        const call = calls.length === tools.length ? calls[told] : undefined
        told += 1
        readTool(piece, call, recordAt(toolCallResults, textAt(call, 'id') ?? ''), place, read)
      } else if (kind === 'textEditGroup') read.parts.push(...textPart(editIn(piece)))
      else read.parts.push(...readBlocks([piece], context, place).parts)
    }
  }
  endText()
  read.parts.push(...errorPart(textAt(recordAt(recordAt(request, 'result'), 'errorDetails'), 'message')))
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

/** An edit of a file: its path, and the written text. */
function editIn(piece: JsonRecord): string {
  const texts = listAt(piece, 'edits')
    .flat()
    .flatMap((edit) => textAt(edit, 'text') ?? [])
  return `${pathOf(piece.uri) ?? ''}\n\n${codeFence(texts.join('\n'))}`.trim()
}
