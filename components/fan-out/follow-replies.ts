import { readUIMessageStream, type UIMessageChunk } from 'ai'
import type { RunId } from '@/lib/events'
import type { ChatMessage, GraphDelta, TurnData, Waiting } from '@/lib/protocol'

/** The part of a reply that has been written so far. */
export interface ReplyWords {
  message: ChatMessage | null
  /** why it does not begin yet */
  waiting: Waiting | null
}

interface RepliesReader {
  onWords(runId: RunId, words: ReplyWords): void
  /** the reply is stored, or failed without a word */
  onStored(delta: GraphDelta, message: ChatMessage | null): void
  /** the stream is over, or broke off */
  onEnd(): void
}

/**
 * Reads all live replies to a message from one stream until the returned function is called: a browser keeps six connections
 * to a server, fewer than a fan-out has replies.
 */
export function openReplies(url: string, { onWords, onStored, onEnd }: RepliesReader): () => void {
  const source = new EventSource(url)
  const readings = new Map<RunId, Reading>()

  /** Reads a reply from its first part on; when another process takes it over, reading begins anew. */
  const begin = (runId: RunId, { waiting }: TurnData['run']) => {
    readings.get(runId)?.drop()
    onWords(runId, { message: null, waiting: waiting ?? null })
    const reading = readReply({
      onMessage: (message) => onWords(runId, { message, waiting: null }),
      onStored,
    })
    readings.set(runId, reading)
  }

  source.addEventListener('part', ({ data }) => {
    const { runId, part } = JSON.parse(data) as { runId: RunId; part: UIMessageChunk }
    if (part.type === 'data-run') begin(runId, part.data as TurnData['run'])
    else if (part.type === 'data-graph') readings.get(runId)?.end(part.data as GraphDelta)
    else readings.get(runId)?.take(part)
  })
  const close = () => {
    source.close()
    for (const reading of readings.values()) reading.drop()
  }
  source.addEventListener('error', () => {
    // an event source by itself would read everything once more
    close()
    onEnd()
  })
  return close
}

interface Reading {
  take(part: UIMessageChunk): void
  /** no part follows, and this is what storing the reply has changed */
  end(delta: GraphDelta): void
  drop(): void
}

function readReply(to: {
  onMessage(message: ChatMessage): void
  onStored: RepliesReader['onStored']
}): Reading {
  let parts: ReadableStreamDefaultController<UIMessageChunk> | undefined
  let result: GraphDelta | undefined
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      parts = controller
    },
  })
  const stop = () => {
    parts?.close()
    parts = undefined
  }
  const read = async () => {
    let message: ChatMessage | null = null
    for await (const next of readUIMessageStream<ChatMessage>({ stream })) {
      message = next
      if (parts || result) to.onMessage(next)
    }
    if (result) to.onStored(result, message)
  }
  // a part out of place costs the words until the reply is stored, and nothing else
  read().catch(stop)
  return {
    take(part) {
      // the stored reply tells how it ended
      if (part.type !== 'error' && part.type !== 'abort') parts?.enqueue(part)
    },
    end(delta) {
      result = delta
      stop()
    },
    drop: stop,
  }
}
