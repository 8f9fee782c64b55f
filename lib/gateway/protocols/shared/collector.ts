import type { AgentReply } from '../../agent-call'
import type { ReplyCollector } from '../protocol'
import { ReplyBuilder } from './reply-builder'
import { type SseEvent, SseReader } from './sse'
import { parsed } from './values'

/** Takes one event of a stream: its name, and its data as a value. */
export type TakeEvent = (builder: ReplyBuilder, data: unknown, event: string | undefined) => void

/** Reads a reply from an event stream. Data that is no JSON is left out, and the reply counts as broken off. */
export function collector(take: TakeEvent): ReplyCollector {
  const reader = new SseReader()
  const builder = new ReplyBuilder()
  const takeAll = (events: SseEvent[]) => {
    for (const { event, data } of events) {
      if (data === '[DONE]') builder.close()
      else {
        const value = parsed(data)
        if (value === undefined) builder.note({ brokenOff: UNREADABLE })
        else take(builder, value, event)
      }
    }
  }
  return {
    push: (bytes) => takeAll(reader.push(bytes)),
    end(brokenOff): AgentReply {
      takeAll(reader.end())
      // what ends a connection after the last word takes nothing from the reply
      return builder.reply(builder.isWhole ? undefined : brokenOff)
    },
  }
}

const UNREADABLE = 'A part of the answer of the provider could not be read.'
