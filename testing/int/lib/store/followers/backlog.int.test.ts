import { expect, it, vi } from 'vitest'
import { followSome, readBacklog } from '@/lib/store/followers/followers'
import { Story } from '@/testing/contracts/store/story'
import { onEachDatabase, openedStore } from '@/testing/worlds/open-stores'

onEachDatabase('what waits in a database', ({ open }) => {
  const opened = openedStore(open)

  /** Until there is no more: followers write events of their own. */
  const followAll = async () => {
    while ((await followSome(opened.database)).events > 0);
  }

  it('given an empty database, then nothing waits', async () => {
    expect(await readBacklog(opened.database)).toEqual({ queued: 0, unfollowed: 0 })
  })

  it('given events that no follower has taken in, then the age of the oldest is told, until they are', async () => {
    const { database } = opened.store
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 })
    const story = await Story.begin(opened.store).finally(() => vi.useRealTimers())
    await story.say(story.main, null, 'q1', 'a1')
    const { unfollowed } = await readBacklog(database)
    expect(unfollowed).toBeGreaterThan(3_500_000)
    await followAll()
    expect(await readBacklog(database)).toMatchObject({ unfollowed: 0 })
    await story.say(story.main, 'a1', 'q2')
    expect((await readBacklog(database)).unfollowed).toBeGreaterThan(3_500_000)
    await followAll()
    expect(await readBacklog(database)).toMatchObject({ unfollowed: 0 })
  })

  it('given a queued run, then how long it waits is told, until it is taken', async () => {
    const { database } = opened.store
    const story = await Story.begin(opened.store)
    await story.say(story.main, null, 'q1')
    await database.query(
      `insert into runs (chat_id, id, branch_id, reply_to, reply_id, model, status, created_at)
      values ($1, $2, $3, 'q1', 'r1', 'demo:demo', 'queued', clock_timestamp() - interval '45 s')`,
      [story.chatId, `run-${story.chatId}`, story.main],
    )
    const { queued } = await readBacklog(database)
    expect(queued).toBeGreaterThanOrEqual(45_000)
    expect(queued).toBeLessThan(60_000)
    await database.query(`update runs set status = 'running' where chat_id = $1`, [story.chatId])
    expect(await readBacklog(database)).toMatchObject({ queued: 0 })
  })
})
