import { setTimeout as pause } from 'node:timers/promises'
import { streamFrom } from '@/lib/ai'
import type { PushResult, RefUpdate, RemoteServer } from '@/lib/conversations/exchange/remote-server'
import type { ChatId, MessageId } from '@/lib/events'
import { chatRefs, pushResult } from '@/lib/protocol/remotes/exchange'
import { type RemoteApi, RemoteRefusal } from './remote-api'

/** Times that a pack is gone on with after a cut, in a row without a line and in all, and the first wait before it, in ms. */
const TRIES = 4
const ALL_TRIES = 50
const PAUSE = 500
/** Characters of a line and of a pack. */
const LONGEST_LINE = 64_000_000
const LONGEST_PACK = 2_000_000_000

/** Refusals of a push that are its result: nothing was written. */
const results: ReadonlyMap<string, Exclude<PushResult['outcome'], 'updated'>> = new Map([
  ['not_fast_forward', 'not_fast_forward'],
  ['diverged_objects', 'diverged_objects'],
])

interface Bounds {
  tries?: number
  pause?: number
  line?: number
  pack?: number
}

/**
 * Another server over HTTP. Reading and sending are bounded, and a pack that breaks off is gone on with behind its last
 * whole line. Errors are `RemoteError`s, in words for the person.
 */
export class HttpRemote implements RemoteServer {
  constructor(
    private readonly api: RemoteApi,
    private readonly signal?: AbortSignal,
    private readonly bounds: Bounds = {},
  ) {}

  async refs(chatId: ChatId) {
    try {
      const found = await this.api.json(`${at(chatId)}/refs`, chatRefs, { signal: this.signal })
      return {
        chatId: found.chat_id,
        origin: found.origin,
        title: found.title,
        branches: found.branches.map(({ name, head_message_id: headMessageId }) => ({ name, headMessageId })),
        checkpoints: found.checkpoints.map(({ name, message_id: messageId }) => ({ name, messageId })),
        seq: found.seq,
      }
    } catch (error) {
      if (error instanceof RemoteRefusal && error.said === 'not_found') {
        // an older server has no such address either
        await this.api.about(this.signal)
        return null
      }
      throw error
    }
  }

  async *fetch(
    chatId: ChatId,
    { want, have, after = 0 }: { want: readonly MessageId[]; have: readonly MessageId[]; after?: number },
  ): AsyncGenerator<string> {
    let read = after
    let left = this.bounds.pack ?? LONGEST_PACK
    for (let failed = 0, all = 0; ; ) {
      let broke: unknown
      try {
        for await (const line of this.#lines(chatId, { want, have, after: read })) {
          left -= line.length
          if (left < 0) throw this.api.notRamify('sent a pack that is too large')
          read += 1
          failed = 0
          yield line
        }
        return
      } catch (error) {
        this.signal?.throwIfAborted()
        if (!(error instanceof CutOff)) throw error
        broke = error.cause
      }
      failed += 1
      all += 1
      if (failed > (this.bounds.tries ?? TRIES) || all > ALL_TRIES) throw this.api.unreachable(broke)
      const wait = (this.bounds.pause ?? PAUSE) * 2 ** (failed - 1)
      await pause(wait, undefined, { signal: this.signal })
    }
  }

  async push(
    chatId: ChatId,
    lines: AsyncIterable<string>,
    updates: readonly RefUpdate[],
  ): Promise<PushResult> {
    try {
      const done = await this.api.json(`${at(chatId)}/push`, pushResult, {
        method: 'POST',
        headers: { 'content-type': 'application/x-ndjson' },
        body: streamOf(lines, updates),
        signal: this.signal,
      })
      return {
        outcome: 'updated',
        updated: done.updated.map(({ branch, head_message_id: headMessageId }) => ({
          branch,
          headMessageId,
        })),
      }
    } catch (error) {
      const outcome = error instanceof RemoteRefusal ? results.get(error.said) : undefined
      if (outcome && error instanceof RemoteRefusal) return { outcome, reason: error.message }
      throw error
    }
  }

  /** The whole lines of one answer. @throws CutOff when it breaks off */
  async *#lines(chatId: ChatId, asked: object): AsyncGenerator<string> {
    const response = await this.api.send(`${at(chatId)}/fetch`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(asked),
      signal: this.signal,
    })
    const most = this.bounds.line ?? LONGEST_LINE
    const decoder = new TextDecoder()
    let open: string[] = []
    let length = 0
    for await (const part of this.#parts(response)) {
      const [first = '', ...others] = decoder.decode(part, { stream: true }).split('\n')
      open.push(first)
      length += first.length
      for (const next of others) {
        yield open.join('')
        open = [next]
        length = next.length
      }
      if (length > most) throw this.api.notRamify('sent a line that is too long')
    }
    // a line without its end was cut off, even when the connection reports no error
    if (length > 0) throw new CutOff(undefined)
  }

  async *#parts({ body }: Response): AsyncGenerator<Uint8Array> {
    if (body === null) return
    try {
      yield* body as unknown as AsyncIterable<Uint8Array>
    } catch (error) {
      throw new CutOff(error)
    }
  }
}

/** An answer broke off behind a whole line, or within one. */
class CutOff extends Error {
  constructor(cause: unknown) {
    super('The answer broke off', { cause })
  }
}

const at = (chatId: ChatId): string => `/api/chats/${encodeURIComponent(chatId)}`

/** The body of a push: the updates on its first line, and the pack. */
function streamOf(lines: AsyncIterable<string>, updates: readonly RefUpdate[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const bytes = async function* () {
    yield encoder.encode(`${JSON.stringify({ t: 'updates', updates })}\n`)
    for await (const line of lines) yield encoder.encode(`${line}\n`)
  }
  return streamFrom(bytes())
}
