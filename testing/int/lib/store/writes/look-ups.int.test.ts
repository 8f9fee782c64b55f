import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { planRewind, planUndo, type Step } from '@/lib/context'
import { openPostgres } from '@/lib/db/open-postgres'
import { newId } from '@/lib/events'
import { DrizzleContextStore } from '@/lib/store'
import { line, Story } from '@/testing/contracts/store/story'
import { onServedDatabase, openedStore } from '@/testing/worlds/open-stores'

/** The entries of indexes that one change may read; the chats below have ten times as many messages and branches. */
const FEW = 150

// In a database with little in it a join, or an EXISTS in a list of columns, looks cheaper to the planner as a hash of
// everything that a chat has, and sessions keep that plan while the chat grows.
onServedDatabase('what a change looks up', ({ open }) => {
  const opened = openedStore(open)
  let store: DrizzleContextStore
  beforeAll(async () => {
    // one session: its statistics are its own until they are flushed
    store = opened.url
      ? new DrizzleContextStore(await openPostgres({ url: opened.url, max: 1 }))
      : opened.store
    for (let n = 0; n < 40; n++) await openBranches(await longChat(10), 20, 'm5')
    await store.database.query('analyze')
  })
  afterAll(() => (opened.url ? store?.close() : undefined))

  /** A chat with so many messages in its line. */
  const longChat = async (length: number) => {
    const story = await Story.begin(store)
    const messages = Array.from({ length }, (_, n) => line(`m${n}`))
    await story.append(story.main, null, ...messages)
    return story
  }
  const openBranches = async (story: Story, count: number, at: string) => {
    await story.commit(
      Array.from({ length: count }, (_, n): Step => {
        const [branchId, name] = [newId(), `b${n}`]
        return { kind: 'open-branch', branchId, name, after: name, at, activate: false }
      }),
    )
  }
  const below = (story: Story, head: string, id: string, branchId = story.main): Step[] => [
    { kind: 'append', branchId, expectedHead: head, messages: [line(id)] },
  ]

  /** The entries of indexes that some work reads. */
  const readBy = async (work: () => Promise<unknown>): Promise<number> => {
    const { database } = store
    const total = async () => {
      await database.query('select pg_stat_force_next_flush()')
      const [row] = await database.query<{ read: number }>(
        `select sum(idx_tup_read)::int as read from pg_stat_user_indexes
        where relname in ('messages', 'branches', 'lanes', 'events', 'runs', 'checkpoints')`,
      )
      return row?.read ?? Number.NaN
    }
    const before = await total()
    await work()
    return (await total()) - before
  }

  describe('given a long chat among short ones', () => {
    let story: Story
    beforeAll(async () => {
      story = await longChat(1500)
    })
    const headOfMain = async () => (await store.getBranch(story.chatId, story.main))?.headMessageId ?? ''
    const save = (messageId: string) =>
      story.commit([{ kind: 'save-checkpoint', checkpointId: newId(), name: 'here', messageId }])
    const run = { runId: newId(), replyTo: 'question', replyId: 'answer', model: 'demo:demo' }

    it.each<[string, () => Promise<() => Promise<unknown>>]>([
      [
        'a message is appended',
        async () => {
          const head = await headOfMain()
          return () => story.commit(below(story, head, 'next'))
        },
      ],
      [
        'a turn is stored with its run, and the run ends',
        async () => {
          const [head, branchId] = [await headOfMain(), story.main]
          return async () => {
            await story.commit([
              ...below(story, head, 'question'),
              { kind: 'queue-run', ...run, branchId, leaseMs: 60_000 },
            ])
            await story.commit([
              ...below(story, 'question', 'answer'),
              { kind: 'finish-run', runId: run.runId, fence: 1, status: 'completed' },
            ])
          }
        },
      ],
      [
        'a checkpoint is saved, moved and removed',
        async () => async () => {
          await save('m700')
          await save('m900')
          await story.commit([{ kind: 'remove-checkpoint', name: 'here' }])
        },
      ],
      [
        'a branch in its middle gets its first message',
        async () => {
          const { steps, branchId } = planRewind({ after: 'main', messageId: 'm700', newId })
          await story.commit(steps)
          return () => story.commit(below(story, 'm700', 'other', branchId))
        },
      ],
    ])('when %s, then its look-ups are as few as in a short chat', async (_what, given) => {
      expect(await readBy(await given())).toBeLessThan(FEW)
    })
  })

  it('given a chat with 1,500 branches, when the last move is undone, then its look-ups are few', async () => {
    const story = await longChat(2)
    await openBranches(story, 1500, 'm1')
    await story.commit(planRewind({ after: 'main', messageId: 'm0', newId }).steps)
    const undo = async () => {
      const move = await story.store.getMove(story.chatId, { which: 'undo' })
      if (!move) throw new Error('no move to undo')
      await story.commit(planUndo(move, newId).steps, { expectedSeq: move.seq })
    }

    expect(await readBy(undo)).toBeLessThan(FEW)
  })

  // without a key for it a plan costs ten thousand millions on paper, and to compile it takes a second
  it('given a function whose plans are made on keys alone, then none of them is compiled', async () => {
    const settings = await store.database.query<{ name: string; compiles: boolean }>(
      `select proname as name, not 'jit=off' = any (proconfig) as compiles from pg_proc
      where 'enable_seqscan=off' = any (proconfig)`,
    )
    expect(settings.map(({ name }) => name)).toContain('append_changes')
    expect(settings.filter(({ compiles }) => compiles)).toEqual([])
  })
})
