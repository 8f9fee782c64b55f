import type { AgentReply } from '../../agent-call'
import type { ReplyEvent, ReplyFrame, ReplyWriter } from '../protocol'
import { openAIRefusal, wordOf } from '../shared/openai'
import { callsOf, reasoningOf, textsOf } from '../shared/reply-parts'
import { sseText } from '../shared/sse'
import { given } from '../shared/values'

/** A reply as an answer of chat completions. */
export function writeReply(reply: AgentReply, frame: ReplyFrame): object {
  const calls = callsOf(reply).map(({ id, name, input }) => ({
    id,
    type: 'function',
    function: { name, arguments: input },
  }))
  const text = textsOf(reply)
  const message = {
    role: 'assistant',
    content: text || null,
    refusal: null,
    ...given({ reasoning_content: reasoningOf(reply) || undefined, tool_calls: calls[0] && calls }),
  }
  const choice = { index: 0, message, logprobs: null, finish_reason: wordOf(reply.finishReason ?? 'stop') }
  return { ...headOf(frame, 'chat.completion'), choices: [choice], usage: usageOf(reply.usage) }
}

/** A reply as an event stream of chat completions. */
export function writeStream(frame: ReplyFrame): ReplyWriter {
  const head = headOf(frame, 'chat.completion.chunk')
  const chunk = (delta: object, finish_reason: string | null = null) =>
    sseText({ ...head, choices: [{ index: 0, delta, logprobs: null, finish_reason }] })
  const indexes = new Map<string, number>()
  let failed = false

  const write = (event: ReplyEvent): string => {
    switch (event.type) {
      case 'text':
        return chunk({ content: event.text })
      case 'reasoning':
        return chunk({ reasoning_content: event.text })
      case 'call': {
        const index = indexes.size
        indexes.set(event.id, index)
        const called = { name: event.name, arguments: '' }
        return chunk({ tool_calls: [{ index, id: event.id, type: 'function', function: called }] })
      }
      case 'input':
        return chunk({
          tool_calls: [{ index: indexes.get(event.id) ?? 0, function: { arguments: event.text } }],
        })
      case 'finish': {
        const usage = frame.includeUsage ? sseText({ ...head, choices: [], usage: usageOf(event.usage) }) : ''
        return chunk({}, wordOf(event.reason)) + usage
      }
      case 'error':
        failed = true
        return sseText(openAIRefusal(event.refusal))
    }
  }
  return {
    begin: () => chunk({ role: 'assistant', content: '' }),
    write,
    end: () => (failed ? '' : 'data: [DONE]\n\n'),
  }
}

const headOf = ({ id, model, created }: ReplyFrame, object: string) => ({
  id: `chatcmpl-${id}`,
  object,
  created,
  model,
})

const usageOf = ({ input = 0, output = 0, cached = 0, reasoning = 0 }: AgentReply['usage'] = {}) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  prompt_tokens_details: { cached_tokens: cached },
  completion_tokens_details: { reasoning_tokens: reasoning },
})
