import { idOf, isRecord, type Json, type JsonRecord, listAt, textAt } from '../../json/values'
import { answerOf, callPart, type ReadParts, readBlocks, reasoningPart } from '../../parts/read-blocks'
import type { SourceNode } from '../../tree/source-node'
import type { ChatContext } from '../format'

export const SUMMARY_ENCRYPTED =
  'A summary of what was said before is encrypted. It is left out; the messages are all here.'

/** An item of the Responses API that is no message, as a rollout keeps it. Null: it says nothing. */
export function readItem(
  item: JsonRecord,
  context: ChatContext,
  place: string,
): (ReadParts & { role: SourceNode['role'] }) | null {
  const type = String(item.type)
  if (type === 'reasoning') {
    const texts = ['summary', 'content'].flatMap((key) =>
      listAt(item, key).map((part) => textAt(part, 'text') ?? ''),
    )
    return { role: 'assistant', parts: reasoningPart(texts.join('\n\n')), answers: [] }
  }
  if (calls.has(type)) return readCall(item, type, place)
  if (outputs.has(type)) {
    const output = item.output ?? item.tools
    const whole = isRecord(output) && 'content' in output ? output.content : output
    const failed = isRecord(output) && output.success === false
    const blocks = Array.isArray(whole) ? whole.map(asBlock) : whole
    const answer = { callId: idOf(item.call_id), toolName: null, failed, ...answerOf(blocks, context, place) }
    return { role: 'tool', parts: [], answers: [answer] }
  }
  if (summaries.has(type)) {
    context.problems.say(SUMMARY_ENCRYPTED)
    return null
  }
  if (silent.has(type)) return null
  return { role: 'assistant', ...readBlocks([item], context, place) }
}

const calls: ReadonlySet<string> = new Set([
  ...['function_call', 'custom_tool_call', 'local_shell_call'],
  ...['web_search_call', 'tool_search_call', 'image_generation_call'],
])
const outputs: ReadonlySet<string> = new Set([
  ...['function_call_output', 'custom_tool_call_output', 'tool_search_output', 'local_shell_call_output'],
])
const summaries: ReadonlySet<string> = new Set(['compaction', 'compaction_summary', 'context_compaction'])
/** Definitions of tools, and the state of the folder. */
const silent: ReadonlySet<string> = new Set(['additional_tools', 'ghost_snapshot', 'other'])

function readCall(item: JsonRecord, type: string, place: string): ReadParts & { role: 'assistant' } {
  const callId = idOf(item.call_id) ?? idOf(item.id)
  const toolName = textAt(item, 'name') ?? type.replace(/_call$/, '')
  // the input of a custom tool is a text, whatever it looks like
  const input =
    type === 'custom_tool_call' ? { input: item.input } : (item.arguments ?? item.input ?? item.action)
  // the provider carries these out: no answer follows
  const isDone = item.status === 'completed' && !('call_id' in item)
  return {
    role: 'assistant',
    parts: [callPart({ id: callId, name: toolName, input, place })],
    answers: isDone
      ? [{ callId, toolName, output: item.result ?? 'completed', failed: false, files: [] }]
      : [],
  }
}

/** A block of an output, under the name that other programs have for it. */
const asBlock = (block: Json): Json =>
  isRecord(block) && /^(?:input|output)_text$/.test(String(block.type))
    ? { type: 'text', text: block.text }
    : block
