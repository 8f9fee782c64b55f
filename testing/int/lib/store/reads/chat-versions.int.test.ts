import { expect, it } from 'vitest'
import { newId } from '@/lib/events'
import { chatVersions } from '@/lib/store/reads/graph'
import { Story } from '@/testing/contracts/store/story'
import { onEachDatabase, openedStore } from '@/testing/worlds/open-stores'

onEachDatabase('the version of a chat', ({ open }) => {
  const opened = openedStore(open)

  const versionsOf = (...chatIds: string[]) => chatVersions(opened.database, chatIds)

  it('is another after every event, and after a reply that begins or ends without one', async () => {
    const story = await Story.begin(opened.store)
    const seen: (string | undefined)[] = []
    const look = async () => seen.push((await versionsOf(story.chatId)).get(story.chatId))
    await look()
    await story.say(story.main, null, 'q1')
    await look()
    const runId = newId()
    const run = { runId, branchId: story.main, replyTo: 'q1', replyId: 'a1', model: 'demo:demo' }
    await story.commit([{ kind: 'queue-run', ...run, leaseMs: 30_000 }])
    await look()
    await story.commit([{ kind: 'finish-run', runId, fence: 1, status: 'failed' }])
    await look()
    expect(seen).not.toContain(undefined)
    expect(new Set(seen).size).toBe(4)
    await look()
    expect(seen.at(-1)).toBe(seen.at(-2))
  })

  it('is asked for many at once; a chat that does not exist has none', async () => {
    const [one, other] = [await Story.begin(opened.store), await Story.begin(opened.store)]
    const versions = await versionsOf(one.chatId, 'nowhere', other.chatId)
    expect([...versions.keys()].sort()).toEqual([one.chatId, other.chatId].sort())
    await opened.store.deleteChat(one.chatId)
    expect((await versionsOf(one.chatId)).size).toBe(0)
    expect((await versionsOf()).size).toBe(0)
  })
})
