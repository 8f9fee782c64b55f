import { expect, test } from 'vitest'
import { RunOverError, type Step } from '@/lib/context'
import { newId } from '@/lib/events'
import { type GetStore, line, Story } from './story'

export function describeRuns(getStore: GetStore): void {
  const asked = async () => {
    const story = await Story.saying(getStore(), 'q1')
    const run = { runId: newId(), branchId: story.main, model: 'demo:demo' }
    const finish = (fence: number, status: 'completed' | 'stopped'): Step => ({
      kind: 'finish-run',
      runId: run.runId,
      fence,
      status,
    })
    const reply = (id: string, expectedHead: string): Step => ({
      kind: 'append',
      branchId: story.main,
      expectedHead,
      messages: [line(id, { runId: run.runId })],
    })
    return { story, run, finish, reply }
  }

  test('given a reply whose tools wait, when it is answered, then a run goes on from it, and keeps the answers for the process that writes it', async () => {
    const { story, run, finish, reply } = await asked()
    const { store, chatId, main } = story
    await story.say(main, 'q1', 'a1')
    const answers = [
      { approvalId: 'may run', approved: true },
      { approvalId: 'may not', approved: false, reason: 'Not "today"' },
    ]
    await story.commit([{ kind: 'queue-run', ...run, replyTo: 'a1', replyId: 'a2', answers }])

    const claimed = await store.runs.claim(chatId, run.runId, 1000)
    expect(claimed).toMatchObject({ replyTo: 'a1', replyId: 'a2', answers })
    await story.commit([reply('a2', 'a1'), finish(claimed?.fence ?? 0, 'completed')])
    expect(await story.chain('a2')).toEqual(['q1', 'a1', 'a2'])
    expect(await store.getMessage(chatId, 'a2')).toMatchObject({ runId: run.runId })
  })

  test('given a cut reply, when it is continued, then the run knows it, for the process that writes it', async () => {
    const { story, run } = await asked()
    const { store, chatId, main } = story
    await story.say(main, 'q1', 'a1')
    await story.commit([
      { kind: 'open-branch', branchId: 'beside', after: 'main', at: 'q1', activate: true },
      { kind: 'queue-run', ...run, branchId: 'beside', replyTo: 'q1', replyId: 'a2', continues: 'a1' },
    ])
    const claimed = await store.runs.claim(chatId, run.runId, 1000)
    expect(claimed).toMatchObject({ replyTo: 'q1', replyId: 'a2', continues: 'a1', answers: null })
  })

  test('given a run that is over, when its late reply arrives with it, then no message is kept', async () => {
    const { story, run, finish, reply } = await asked()
    await story.commit([{ kind: 'queue-run', ...run, replyTo: 'q1', replyId: 'a1', leaseMs: 30_000 }])
    await story.commit([finish(1, 'stopped')])

    await story.refuses(() => story.commit([reply('a1', 'q1'), finish(1, 'completed')]), RunOverError)
    expect((await story.store.getEvents(story.chatId)).at(-1)).toMatchObject({
      type: 'ReplyStopped',
      streamId: story.main,
      payload: { run_id: run.runId, reply_to: 'q1' },
    })
  })
}
