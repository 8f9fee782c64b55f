import type { AgentReply } from '../../agent-call'
import { collector, type TakeEvent } from '../shared/collector'
import { errorWords, reasonOf, usageOf } from '../shared/openai'
import { isFailure } from '../shared/reasons'
import { ReplyBuilder } from '../shared/reply-builder'
import { type Fields, fieldsOf, given, listOf, numberOf, textOf } from '../shared/values'
import { CallReader, callsIn } from './call-reader'
import { audioItem } from './read-call'

/** A whole answer of chat completions: its first choice, with the others beside it. */
export function readReply(body: unknown): AgentReply {
  const answer = fieldsOf(body)
  const builder = new ReplyBuilder()
  const [choice, ...others] = listOf(answer.choices)
  if (answer.error !== undefined) builder.note({ brokenOff: errorWords(answer.error) })
  noteAnswer(builder, answer)
  if (choice !== undefined) {
    takeWhole(builder, fieldsOf(choice))
    builder.note(given({ others: others.length > 0 ? others.map(wholeChoice) : undefined }))
  }
  return builder.reply()
}

function wholeChoice(choice: unknown): AgentReply {
  const builder = new ReplyBuilder()
  takeWhole(builder, fieldsOf(choice))
  return builder.reply()
}

/** An answer of chat completions as an event stream. */
export const collect = () => {
  const calls = new CallReader()
  /** those beside the first choice, by their index */
  const others = new Map<number, { builder: ReplyBuilder; calls: CallReader }>()
  const otherAt = (index: number) => {
    const other = others.get(index) ?? { builder: new ReplyBuilder(), calls: new CallReader() }
    others.set(index, other)
    return other
  }
  const take: TakeEvent = (builder, data, event) => {
    const answer = fieldsOf(data)
    if (isFailure(answer, event, listOf(answer.choices).length > 0))
      builder.note({ brokenOff: errorWords(answer) })
    noteAnswer(builder, answer)
    for (const choice of listOf(answer.choices).map(fieldsOf)) {
      const index = numberOf(choice.index) ?? 0
      const of = index === 0 ? { builder, calls } : otherAt(index)
      takeMessage(of.builder, fieldsOf(choice.delta), of.calls)
      noteEnd(of.builder, choice)
    }
  }
  return collector(take, (builder) => {
    addCalls(builder, calls.end())
    for (const other of others.values()) addCalls(other.builder, other.calls.end())
    if (others.size > 0) builder.note({ others: [...others.values()].map((other) => other.builder.reply()) })
  })
}

function noteAnswer(builder: ReplyBuilder, { id, model, usage }: Fields): void {
  builder.note(
    given({ responseId: textOf(id) || undefined, model: textOf(model) || undefined, usage: usageOf(usage) }),
  )
}

function noteEnd(builder: ReplyBuilder, { finish_reason }: Fields): void {
  const finishReason = reasonOf(textOf(finish_reason))
  if (finishReason === undefined) return
  builder.note({ finishReason })
  // some servers send no [DONE]
  builder.close()
}

function takeWhole(builder: ReplyBuilder, choice: Fields): void {
  const calls = new CallReader()
  takeMessage(builder, fieldsOf(choice.message), calls)
  addCalls(builder, calls.end())
  noteEnd(builder, choice)
  builder.close()
}

/** A message, or what a chunk adds to it. */
function takeMessage(builder: ReplyBuilder, said: Fields, calls: CallReader): void {
  const thought = textOf(said.reasoning_content) || textOf(said.reasoning)
  if (thought) builder.add('reasoning', 'reasoning', thought)
  for (const name of ['content', 'refusal'] as const) {
    const text = textOf(said[name])
    if (text) builder.add('text', 'text', text)
  }
  if (textOf(fieldsOf(said.audio).id)) builder.item('audio', 'chat-completions', audioItem(said.audio))
  for (const call of callsIn(said)) addCalls(builder, calls.take(call))
}

function addCalls(builder: ReplyBuilder, pieces: ReturnType<CallReader['take']>): void {
  for (const { index, id, function: called } of pieces)
    builder.call(`call ${index}`, given({ id, name: called.name, input: called.arguments }))
}
