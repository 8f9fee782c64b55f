import { describe, expect, test } from 'vitest'
import { InvalidDataError, NotFoundError } from '@/lib/context'
import { fold, type MessageId, newId, noChat } from '@/lib/events'
import { type GetStore, Story } from './story'

/** q1, a1, q2 on main, a fork of it at a1 that went on with q3, and a fork of that one that has said nothing. */
async function plant(story: Story): Promise<{ fork: string; silent: string }> {
  await story.say(story.main, null, 'q1', 'a1', 'q2')
  const fork = await story.fork('a1')
  await story.say(fork, 'a1', 'q3')
  const silent = await story.fork('q3')
  return { fork, silent }
}

/** Opens a thread after an event of another one, at a message. */
async function forkAt(story: Story, threadId: string, eventNumber: number, at: MessageId | null) {
  const branchId = newId()
  const fork = { threadId, eventNumber }
  await story.commit([{ kind: 'open-branch', branchId, after: 'main', at, fork, activate: false }])
  return branchId
}

export function describeForks(getStore: GetStore): void {
  describe('forks after an event', () => {
    test('given threads forked from each other, when one forks after any of their events, then it begins where that thread stood', async () => {
      const story = await Story.begin(getStore())
      const { fork, silent } = await plant(story)
      // main: 1 ThreadCreated, 2 q1, 3 a1 and 4 its checkpoint, 5 q2
      const main = [null, 'q1', 'a1', 'a1', 'q2']
      // what the fork inherits, 4 ThreadCreated, 5 ThreadForked, 6 q3
      const forked = [null, 'q1', 'a1', 'a1', 'a1', 'q3']
      // silent: what it inherits, 7 ThreadCreated, 8 ThreadForked
      const heads = { [story.main]: main, [fork]: forked, [silent]: [...forked, 'q3', 'q3'] }

      for (const [threadId, expected] of Object.entries(heads)) {
        for (const [index, at] of expected.entries()) {
          const opened = await forkAt(story, threadId, index + 1, at)
          expect(await story.store.getBranch(story.chatId, opened)).toMatchObject({
            ...{ parentBranchId: threadId, fromEventNumber: index + 1, headMessageId: at },
          })
          expect(await story.store.getEvents(story.chatId, { streamId: opened })).toMatchObject([
            { eventNumber: index + 2, type: 'ThreadCreated', payload: { head_message_id: at } },
            { eventNumber: index + 3, type: 'ThreadForked', payload: { parent_thread_id: threadId } },
          ])
        }
      }
    })

    test('given a thread, when a fork names an event it has not, another thread or another place, then it is refused', async () => {
      const story = await Story.begin(getStore())
      await plant(story)
      const attempt = (threadId: string, eventNumber: number, at: MessageId | null) => () =>
        forkAt(story, threadId, eventNumber, at)

      await story.refuses(attempt(story.main, 6, 'q2'), NotFoundError)
      await story.refuses(attempt(newId(), 1, null), NotFoundError)
      await story.refuses(attempt(story.chatId, 1, null), NotFoundError)
      for (const number of [0, -1, 1.5, 2 ** 31, Number.NaN]) {
        await story.refuses(attempt(story.main, number, null), InvalidDataError)
      }
      // the thread stood at q1 then
      await story.refuses(attempt(story.main, 2, 'a1'), Error)
      await story.refuses(attempt(story.main, 2, null), Error)
    })

    test('given a thread of another chat, when a fork names it, then it is not found', async () => {
      const [story, other] = [await Story.begin(getStore()), await Story.begin(getStore())]
      await story.refuses(() => forkAt(story, other.main, 1, null), NotFoundError)
    })

    test('given a fork of a fork made after events, when its log is folded, then it tells the same refs', async () => {
      const story = await Story.begin(getStore())
      const { fork } = await plant(story)
      const first = await forkAt(story, fork, 2, 'q1')
      await story.say(first, 'q1', 'a4', 'q4')
      const second = await forkAt(story, first, 5, 'a4')

      const state = fold(noChat(story.chatId), await story.store.getEvents(story.chatId))

      for (const branch of await story.store.listBranches(story.chatId)) {
        expect(state.threads.get(branch.id)).toMatchObject({
          ...{ name: branch.name, headMessageId: branch.headMessageId, contextId: branch.contextId },
          ...{ parentThreadId: branch.parentBranchId, fromEventNumber: branch.fromEventNumber },
        })
      }
      expect(await story.chain('a4')).toEqual(['q1', 'a4'])
      expect(state.threads.get(second)).toMatchObject({ headMessageId: 'a4', number: 7 })
    })
  })
}
