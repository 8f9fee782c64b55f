import type { UIMessage } from 'ai'
import { type Change, messagePreview, type RunRecord } from '@/lib/context'
import type { Explanation, MessageMetadata } from '@/lib/protocol'
import type { Ports } from '../ports'

interface RunEnding {
  status: 'completed' | 'stopped' | 'failed'
  createdAt: number
  /** what was said, if anything, with what is shown beside it */
  message?: UIMessage
  metadata?: MessageMetadata
  usage?: MessageMetadata['usage']
  error?: Explanation
  /** what it has cost, said or not */
  spent: NonNullable<Change['spent']>
}

/** The one write that ends a run: its reply, where one was made, and its terminal state. */
export function endingOf(ports: Ports, run: RunRecord, ending: RunEnding): Change {
  const { status, createdAt, message, metadata, usage, error, spent } = ending
  return {
    chatId: run.chatId,
    at: createdAt,
    spent,
    steps: [
      ...(message
        ? [
            {
              kind: 'append' as const,
              branchId: run.branchId,
              expectedHead: run.replyTo,
              orBranchId: ports.newId(),
              // what the reply was made in is what goes on from it: another than the branch's, after a retry in another
              ...(run.contextId ? { contextId: run.contextId } : {}),
              messages: [
                {
                  id: run.replyId,
                  name: 'assistant',
                  type: 'message',
                  data: { ...message, id: run.replyId, metadata },
                  preview: messagePreview(message),
                  ...(status === 'completed' ? {} : { status }),
                  runId: run.runId,
                  createdAt,
                  reply: { model: run.model, usage: usage ?? null },
                },
              ],
            },
          ]
        : []),
      {
        kind: 'finish-run',
        runId: run.runId,
        fence: run.fence,
        status,
        ...(error ? { error } : {}),
      },
    ],
  }
}
