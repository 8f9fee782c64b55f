import { isRecord, type Json, type JsonRecord } from '../json/values'

const kind = /^(?:[a-z]+_)+call(?:_output)?$/

/** True: a value is an item of OpenAI's Responses API that is no message: thoughts, a call, or the answer to one. */
export const isResponseItem = (value: Json): boolean =>
  isRecord(value) &&
  typeof value.type === 'string' &&
  !('role' in value) &&
  (value.type === 'reasoning' || kind.test(value.type))

export const isAnswerItem = ({ type }: JsonRecord): boolean => String(type).endsWith('_call_output')

/** A call, or its answer, of a tool that has an item of its own, as a block that is known. */
export function itemBlock(item: JsonRecord): JsonRecord | null {
  const type = String(item.type)
  if (!kind.test(type) || type === 'tool_call') return null
  if (type.endsWith('_output')) return { ...item, type: 'function_call_output' }
  if (type === 'image_generation_call' && typeof item.result === 'string')
    return { type: 'image', source: { data: item.result } }
  const { action, code, queries } = item
  const given = item.arguments ?? item.input ?? action
  const isDone = item.status === 'completed' && item.call_id === undefined
  const answer = item.output ?? item.outputs ?? item.results ?? item.error
  return {
    type: 'tool_use',
    call_id: item.call_id ?? item.id,
    name: item.name ?? type.replace(/_call$/, ''),
    input: given ?? (code === undefined ? { queries } : { code }),
    // a tool that its provider runs may say only that it is done
    output: answer ?? (isDone ? '' : undefined),
    isError: item.error !== undefined && item.error !== null,
  }
}
