import type { Tool, ToolExecutionOptions } from 'ai'

/** Limits of a tool's time, in ms, and of its answer, in characters. */
const TOOL_MS = 60_000
const MOST = 256 * 1024

/** Within which a tool answers. */
export interface ToolBounds {
  ms?: number | undefined
  most?: number | undefined
  /** characters that are left to all tools of a reply together; goes down with each answer */
  room?: { left: number } | undefined
}

/**
 * A tool that ends: a call without an answer fails after a minute, and a longer answer than 256 KB is cut, with words that
 * say so.
 */
export function boundedTool(tool: Tool, { ms = TOOL_MS, most = MOST, room }: ToolBounds = {}): Tool {
  const { execute } = tool
  if (!execute) return tool
  return {
    ...tool,
    execute: async (input: unknown, options: ToolExecutionOptions<Record<string, unknown>>) => {
      const late = AbortSignal.timeout(ms)
      const signal = options.abortSignal ? AbortSignal.any([options.abortSignal, late]) : late
      const ended = Promise.withResolvers<never>()
      const end = () => ended.reject(signal.reason)
      if (signal.aborted) end()
      else signal.addEventListener('abort', end, { once: true })
      try {
        const answer = await Promise.race([
          execute(input, { ...options, abortSignal: signal }),
          ended.promise,
        ])
        return cut(answer, most, room)
      } catch (error) {
        throw late.aborted && signal.aborted ? new ToolFailure(lateWords(ms)) : failureOf(error)
      } finally {
        signal.removeEventListener('abort', end)
      }
    },
  } as Tool
}

/** A tool's error as the AI SDK writes it down: only its words, without the name of its class. */
class ToolFailure extends Error {
  override readonly name = 'ToolFailure'

  override toString(): string {
    return this.message
  }
}

/** An abort stays what it is: the reply was stopped. */
function failureOf(error: unknown): unknown {
  if (!(error instanceof Error) || error.name === 'AbortError') return error
  return new ToolFailure(error.message, { cause: error })
}

const lateWords = (ms: number): string =>
  `The tool did not answer within ${ms < 2000 ? 'a second' : `${Math.round(ms / 1000)} seconds`}.`

/** A value as a reply keeps it; a value that is too long becomes the beginning of its text. */
function cut(value: unknown, longest: number, room: { left: number } = { left: longest }): unknown {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  const most = Math.min(longest, room.left)
  room.left = Math.max(0, room.left - text.length)
  if (text.length <= most) return value
  const [all, kept] = [text.length.toLocaleString('en'), most.toLocaleString('en')]
  return `${text.slice(0, most).toWellFormed()}\n\n[Cut here: the answer had ${all} characters, of which the first ${kept} are kept.]`
}
