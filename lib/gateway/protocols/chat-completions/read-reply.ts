import type { AgentReply } from '../../agent-call'
import { collector } from '../shared/collector'
import { errorWords, reasonOf, usageOf } from '../shared/openai'
import { ReplyBuilder } from '../shared/reply-builder'
import { type Fields, fieldsOf, given, listOf, numberOf, textOf } from '../shared/values'

/** A whole answer of chat completions; of several choices, the first. */
export function readReply(body: unknown): AgentReply {
  const answer = fieldsOf(body)
  const builder = new ReplyBuilder()
  const [choice, ...others] = listOf(answer.choices)
  if (answer.error !== undefined) builder.note({ brokenOff: errorWords(answer.error) })
  noteAnswer(builder, answer)
  if (choice !== undefined) {
    takeMessage(builder, fieldsOf(fieldsOf(choice).message))
    noteEnd(builder, fieldsOf(choice))
    for (const other of others) passOver(builder, fieldsOf(fieldsOf(other).message))
    builder.close()
  }
  return builder.reply()
}

/** An answer of chat completions as an event stream. */
export const collect = () =>
  collector((builder, data) => {
    const answer = fieldsOf(data)
    if (answer.error !== undefined && answer.error !== null)
      builder.note({ brokenOff: errorWords(answer.error) })
    noteAnswer(builder, answer)
    for (const choice of listOf(answer.choices).map(fieldsOf)) {
      if ((numberOf(choice.index) ?? 0) === 0) {
        takeMessage(builder, fieldsOf(choice.delta))
        noteEnd(builder, choice)
      } else passOver(builder, fieldsOf(choice.delta))
    }
  })

/** Of several choices one is kept; the others are paid as well. */
function passOver(builder: ReplyBuilder, said: Fields): void {
  const other = new ReplyBuilder()
  takeMessage(other, said)
  builder.besides(JSON.stringify(other.reply().message.content))
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

/** A message, or what a chunk adds to it. */
function takeMessage(builder: ReplyBuilder, said: Fields): void {
  const thought = textOf(said.reasoning_content) ?? textOf(said.reasoning)
  if (thought) builder.add('reasoning', 'reasoning', thought)
  for (const name of ['content', 'refusal'] as const) {
    const text = textOf(said[name])
    if (text) builder.add('text', 'text', text)
  }
  for (const [at, made] of listOf(said.tool_calls).entries()) takeCall(builder, fieldsOf(made), at)
  const old = fieldsOf(said.function_call)
  if (said.function_call) takeCall(builder, { index: 0, id: textOf(old.name), function: old }, 0)
}

function takeCall(builder: ReplyBuilder, made: Fields, at: number): void {
  const called = fieldsOf(made.function ?? made.custom)
  const input = called.arguments ?? called.input
  builder.call(
    `call ${numberOf(made.index) ?? at}`,
    given({
      ...{ id: textOf(made.id), name: textOf(called.name) },
      input: textOf(input) ?? (input === undefined ? undefined : JSON.stringify(input)),
    }),
  )
}
