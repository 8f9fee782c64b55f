import type { AgentReply } from '../../agent-call'
import type { ReplyCollector } from '../protocol'
import { ReplyBuilder } from './reply-builder'
import { type SseEvent, SseReader } from './sse'
import { parsed } from './values'

/** Takes one event of a stream: its name, and its data as a value. */
export type TakeEvent = (builder: ReplyBuilder, data: unknown, event: string | undefined) => void

const DONE = /^"?\[done\]"?$/i

/**
 * Reads a reply from an event stream. Data that is no JSON is left out; if it was meant to be JSON, the reply counts
 * as broken off.
 *
 * @param finish adds the held back parts, when no more comes
 */
export function collector(take: TakeEvent, finish?: (builder: ReplyBuilder) => void): ReplyCollector {
  const reader = new SseReader()
  const builder = new ReplyBuilder()
  const takeAll = (events: SseEvent[]) => {
    for (const { event, data } of events) {
      if (builder.isOver) return
      if (DONE.test(data.trim())) builder.end()
      else {
        const value = parsed(data)
        if (value !== undefined) take(builder, value, event)
        else if (data.trimStart().startsWith('{')) builder.note({ brokenOff: UNREADABLE })
      }
    }
  }
  return {
    push: (bytes) => takeAll(reader.push(bytes)),
    get isOver() {
      return builder.isOver
    },
    end(brokenOff): AgentReply {
      takeAll(reader.end())
      finish?.(builder)
      // a connection that breaks after the last word takes nothing from the reply
      return builder.reply(builder.isWhole ? undefined : brokenOff)
    },
  }
}

const UNREADABLE = 'A part of the answer of the provider could not be read.'
