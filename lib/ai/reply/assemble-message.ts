import { readUIMessageStream, type UIMessage, type UIMessageChunk } from 'ai'
import { streamFrom } from '../stream-from'
import { settleMessage } from './settle-message'

/** The message that logged parts of a reply make, as `streamReply` would have left it had it been cut off there. */
export async function assembleMessage(parts: readonly UIMessageChunk[], replyId: string): Promise<UIMessage> {
  let message: UIMessage = { id: replyId, role: 'assistant', parts: [] }
  const stream = streamFrom(
    (async function* () {
      yield* parts
    })(),
  )
  for await (const state of readUIMessageStream({ message, stream, terminateOnError: false })) message = state
  return settleMessage({ ...message, id: replyId }, true)
}
