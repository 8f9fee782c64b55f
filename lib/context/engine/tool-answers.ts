import type { ToolAnswer } from '@/lib/events'
import { isPlainObject } from '../fragments/guards'

/** A part of a message that is a call of a tool, as the AI SDK stores it. */
interface ToolPart extends Record<string, unknown> {
  type: string
  toolCallId: string
  state: string
  approval?: { id: string; approved?: boolean; reason?: string }
}

/** The calls of a message that wait for a person. */
export const waitingCalls = (data: unknown): ToolPart[] =>
  partsOf(data).filter((part): part is ToolPart => isToolPart(part) && part.state === 'approval-requested')

/** The calls of a message without an answer in it: they wait for a person, or for the agent that made them. */
export const openCalls = (data: unknown): ToolPart[] => partsOf(data).filter(isOpen)

/** The answers at the beginning of a reply that continues after a person has answered its tools. */
export function answersIn(data: unknown): ToolAnswer[] {
  return partsOf(data).flatMap((part) => {
    if (!isToolPart(part) || part.approval?.approved === undefined) return []
    const { id, approved, reason } = part.approval
    return [{ approvalId: id, approved, ...(reason === undefined ? {} : { reason }) }]
  })
}

/**
 * A message with answers to its waiting calls: the model continues from here. A call that claims to be
 * answered waits as well: a message may come from anywhere.
 */
export function withAnswers<Data>(data: Data, answers: readonly ToolAnswer[]): Data {
  const byId = new Map(answers.map((answer) => [answer.approvalId, answer]))
  return withParts(data, (part) => {
    if (!isToolPart(part)) return [part]
    const isAnswered = part.state === 'approval-responded'
    if (!isAnswered && part.state !== 'approval-requested') return [part]
    const id = part.approval?.id ?? ''
    const answer = byId.get(id)
    if (!answer) return [isAnswered ? { ...part, state: 'approval-requested', approval: { id } } : part]
    const { approved, reason } = answer
    const approval = { ...part.approval, approved, ...(reason === undefined ? {} : { reason }) }
    return [{ ...part, state: 'approval-responded', approval }]
  })
}

/**
 * Messages as the model reads them: a call that a later message answers stands at its own place, with its
 * result. Such a call waited for a person, or for the agent that made it. The model then reads the same words
 * at the same places in every later prompt. When calls share an id, the first call gets the first answer
 * below it.
 */
export function joinAnswers(messages: readonly unknown[]): unknown[] {
  const pairs = answerPairs(messages)
  if (pairs.length === 0) return [...messages]
  const joined = new Map<unknown, Record<string, unknown>>()
  for (const { call, answer } of pairs) {
    joined.set(call, asSent(answer))
    // it stands with its call
    joined.set(answer, answer)
  }
  return messages.map((data) =>
    withParts(data, (part) => {
      const found = joined.get(part)
      if (!found) return [part]
      return isOpen(part) ? [found] : []
    }),
  )
}

/** A call that a later message answers, with the places of both messages. */
interface AnswerPair {
  call: ToolPart
  calledAt: number
  answer: ToolPart
  answeredAt: number
}

function answerPairs(messages: readonly unknown[]): AnswerPair[] {
  const open = messages.map((data) => partsOf(data).filter(isOpen))
  if (open.every((parts) => parts.length === 0)) return []
  const answers = new Map<string, { at: number; part: ToolPart }[]>()
  for (const [at, data] of messages.entries()) {
    for (const part of partsOf(data)) {
      if (!isToolPart(part) || isOpenState(part)) continue
      const known = answers.get(part.toolCallId)
      if (known) known.push({ at, part })
      else answers.set(part.toolCallId, [{ at, part }])
    }
  }
  const pairs: AnswerPair[] = []
  const taken = new Set<ToolPart>()
  for (const [calledAt, parts] of open.entries()) {
    for (const call of parts) {
      const known = answers.get(call.toolCallId) ?? []
      const found = known.find(({ at, part }) => at > calledAt && !taken.has(part))
      if (!found) continue
      taken.add(found.part)
      pairs.push({ call, calledAt, answer: found.part, answeredAt: found.at })
    }
  }
  return pairs
}

/**
 * Leaves messages out. A call and its answer belong together: when one of the two is left out, so is the
 * other.
 *
 * @param isLeftOut by the place of a message
 */
export function withoutMessages<Data>(
  messages: readonly Data[],
  isLeftOut: (at: number) => boolean,
): (Data | undefined)[] {
  const alone = new Set<unknown>()
  for (const { call, calledAt, answer, answeredAt } of answerPairs(messages)) {
    if (isLeftOut(calledAt) || isLeftOut(answeredAt)) alone.add(call).add(answer)
  }
  return messages.map((data, at) =>
    isLeftOut(at) ? undefined : withParts(data, (part) => (alone.has(part) ? [] : [part])),
  )
}

/** A call without an answer. */
const isOpen = (part: unknown): part is ToolPart => isToolPart(part) && isOpenState(part)

const isOpenState = ({ state }: ToolPart): boolean =>
  state === 'approval-requested' || state === 'input-available'

/** An answered call as providers know it: without the approval, and a denied one as failed. */
function asSent({ approval, ...part }: ToolPart): Record<string, unknown> {
  if (part.state !== 'output-denied') return part
  return { ...part, state: 'output-error', errorText: approval?.reason ?? 'Tool call execution denied.' }
}

/** Keeps only the answered calls of a reply that continues after them, as in the model's prompt. */
export const onlyAnswered = <Data>(data: Data): Data =>
  withParts(data, (part) => (isToolPart(part) && part.approval?.approved !== undefined ? [part] : []))

function withParts<Data>(data: Data, change: (part: unknown) => unknown[]): Data {
  if (partsOf(data).every((part) => !isToolPart(part))) return data
  return { ...data, parts: partsOf(data).flatMap(change) }
}

const partsOf = (data: unknown): readonly unknown[] =>
  isPlainObject(data) && data.role === 'assistant' && Array.isArray(data.parts) ? data.parts : []

const isToolPart = (part: unknown): part is ToolPart =>
  isPlainObject(part) && typeof part.toolCallId === 'string' && typeof part.state === 'string'
