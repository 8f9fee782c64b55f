import { describe, expect, test } from 'vitest'
import {
  HeadConflictError,
  NotFoundError,
  type QueueRun,
  ReplyInProgressError,
  RunOverError,
} from '@/lib/context'
import { newId } from '@/lib/events'
import { type GetStore, line, Story } from './story'

export function describeRuns(getStore: GetStore): void {
  const asked = async () => {
    const story = await Story.begin(getStore())
    await story.say(story.main, null, 'q1')
    const queue = (over: Partial<QueueRun> = {}) => {
      const runId = newId()
      const base = { runId, branchId: story.main, replyTo: 'q1', replyId: 'a1', model: 'demo:demo' }
      return { runId, done: story.commit([{ kind: 'queue-run', ...base, ...over }]) }
    }
    return { story, queue }
  }
  const finish = (story: Story, runId: string, status: 'completed' | 'stopped', fence = 1) =>
    story.commit([{ kind: 'finish-run', runId, fence, status }])

  describe('runs', () => {
    test('given a live run, when a second one is queued, then its branch alone refuses', async () => {
      const { story, queue } = await asked()
      const other = await story.fork('q1')
      await queue().done

      await story.refuses(() => queue().done, ReplyInProgressError)
      await story.refuses(() => queue({ leaseMs: 1000 }).done, ReplyInProgressError)
      await queue({ branchId: other }).done
      await story.refuses(() => queue({ branchId: newId() }).done, NotFoundError)
    })

    test('given a branch that has moved on, when a reply to an older message is queued, then it is refused', async () => {
      const { story, queue } = await asked()
      await story.say(story.main, 'q1', 'q2')

      await story.refuses(() => queue().done, HeadConflictError)
      await story.refuses(() => queue({ replyTo: 'nothing' }).done, HeadConflictError)
      await queue({ replyTo: 'q2' }).done
    })

    test('given a reply whose tools wait, when it is answered, then a run goes on from it, and keeps the answers for the process that writes it', async () => {
      const { story, queue } = await asked()
      await story.say(story.main, 'q1', 'a1')
      const answers = [
        { approvalId: 'may run', approved: true },
        { approvalId: 'may not', approved: false, reason: 'Not "today"' },
      ]
      const { runId, done } = queue({ replyTo: 'a1', replyId: 'a2', answers })
      await done

      const claimed = await story.store.runs.claim(story.chatId, runId, 1000)
      expect(claimed).toMatchObject({ replyTo: 'a1', replyId: 'a2', answers })
      const reply = {
        kind: 'append' as const,
        branchId: story.main,
        expectedHead: 'a1',
        messages: [line('a2', { runId })],
      }
      await story.commit([
        reply,
        { kind: 'finish-run', runId, fence: claimed?.fence ?? 0, status: 'completed' },
      ])
      expect(await story.chain('a2')).toEqual(['q1', 'a1', 'a2'])
    })

    test('given a claimed run, when it has ended, then it never ends again and the branch is free', async () => {
      const { story, queue } = await asked()
      const { runId, done } = queue({ leaseMs: 30_000 })
      await done

      await story.refuses(() => finish(story, runId, 'completed', 2), RunOverError)
      await finish(story, runId, 'completed')

      await story.refuses(() => finish(story, runId, 'stopped'), RunOverError)
      await story.refuses(() => finish(story, newId(), 'stopped'), RunOverError)
      await queue().done
    })

    test('given a queued run that was never claimed, when it would be finished, then it is refused', async () => {
      const { story, queue } = await asked()
      const { runId, done } = queue()
      await done

      await story.refuses(() => finish(story, runId, 'stopped', 0), RunOverError)
    })

    test('given a run that is over, when its late reply arrives with it, then no message is kept', async () => {
      const { story, queue } = await asked()
      const { runId, done } = queue({ leaseMs: 30_000 })
      await done
      await finish(story, runId, 'stopped')

      await story.refuses(
        () =>
          story.commit([
            { kind: 'append', branchId: story.main, expectedHead: 'q1', messages: [line('a1')] },
            { kind: 'finish-run', runId, fence: 1, status: 'completed' },
          ]),
        RunOverError,
      )
      expect((await story.store.getEvents(story.chatId)).at(-1)).toMatchObject({
        type: 'ReplyStopped',
        streamId: story.main,
        payload: { run_id: runId, reply_to: 'q1' },
      })
    })

    test('given a run, when its reply is stored, then the message names the run', async () => {
      const { story, queue } = await asked()
      const { runId, done } = queue({ leaseMs: 30_000 })
      await done

      await story.commit([
        { kind: 'append', branchId: story.main, expectedHead: 'q1', messages: [line('a1', { runId })] },
        { kind: 'finish-run', runId, fence: 1, status: 'completed' },
      ])

      expect(await story.store.getMessage(story.chatId, 'a1')).toMatchObject({ runId })
    })
  })
}
