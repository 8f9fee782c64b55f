import 'server-only'
import type { AgentReply } from '@/lib/gateway/agent-call'
import type { Answer } from './answer'

/** An answer on its way to an agent. */
interface Passing {
  /** the bytes for the agent, read from the provider when the agent reads */
  bytes: ReadableStream<Uint8Array>
  /** the reply, when the provider has said its last word; it rejects never */
  reply: Promise<AgentReply>
}

/**
 * Passes the bytes of an answer on and reads the reply out of them. When the agent leaves, or never reads, the rest is read
 * without it: the reply is whole all the same.
 *
 * @param left aborted when the agent has left
 */
export function passOn({ read, collector, told, shown }: Answer, left: AbortSignal): Passing {
  const { promise: reply, resolve } = Promise.withResolvers<AgentReply>()
  let draining = false
  let isOver = false

  const over = (brokenOff?: string) => resolve({ ...collector.end(brokenOff), ...told?.() })
  /** The next bytes; undefined after the last. Rejects when the provider's connection breaks. */
  const next = async (): Promise<Uint8Array | undefined> => {
    // the provider may keep its connection open after its last word
    if (isOver) return undefined
    try {
      const part = await read()
      if (part) collector.push(part)
      isOver = part === undefined || (collector.isOver ?? false)
      if (isOver) over()
      return part
    } catch (error) {
      over(CUT)
      throw error
    }
  }
  const drain = async () => {
    if (draining) return
    draining = true
    try {
      while (await next());
    } catch {
      // the reply says that it was cut
    }
  }
  const bytes = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          // the agent has left, and the rest is read without it
          if (draining) return controller.close()
          const part = await next()
          const seen = shown ? shown(part) : part
          if (seen && seen.length > 0) controller.enqueue(seen)
          if (!part) return controller.close()
          if (seen && seen.length > 0) return
        }
      },
      cancel: () => void drain(),
    },
    { highWaterMark: 0 },
  )
  if (left.aborted) void drain()
  else left.addEventListener('abort', () => void drain(), { once: true })
  return { bytes, reply }
}

const CUT = 'The connection to the provider was cut before the answer was complete.'
