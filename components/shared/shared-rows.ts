import { type JoinedMessage, joinedMessages } from '@/components/session/joined-messages'
import type { SharedMessage, SharedView } from '@/lib/protocol'

/**
 * The messages of a part, whose calls of tools have their answers. A call that the cut divides from its answer stands with it in
 * both parts: a link to either message finds it.
 */
export function sharedRows({
  messages,
  beside: { above, below },
}: Pick<SharedView, 'messages' | 'beside'>): JoinedMessage<SharedMessage>[] {
  const first = above.length
  return joinedMessages([...above, ...messages, ...below]).filter(
    ({ at, answeredIn }) => at + answeredIn.length >= first && at < first + messages.length,
  )
}
