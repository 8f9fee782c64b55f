import { expect, it } from 'vitest'
import type { Step } from '@/lib/context'
import { newId } from '@/lib/events'
import { applyDelta, type Graph, type GraphDelta } from '@/lib/protocol'
import { ChatReads } from '@/lib/store/reads/chat-reads'
import { Story } from '@/testing/contracts/store/story'
import { onEachDatabase, openedStore } from '@/testing/worlds/open-stores'

onEachDatabase('what a page has missed', ({ open }) => {
  const opened = openedStore(open)
  const reads = () => new ChatReads(opened.database)

  const sorted = (graph: Graph) => ({
    ...graph,
    nodes: graph.nodes.toSorted((a, b) => a.lane - b.lane || a.depth - b.depth),
    lanes: graph.lanes.toSorted((a, b) => a.lane - b.lane),
    branches: graph.branches.toSorted((a, b) => a.id.localeCompare(b.id)),
    checkpoints: graph.checkpoints.toSorted((a, b) => a.name.localeCompare(b.name)),
    runs: graph.runs.toSorted((a, b) => a.runId.localeCompare(b.runId)),
  })

  /** A reply to `q2`. */
  const run = (runId: string, branchId: string): Step => ({
    kind: 'queue-run',
    runId,
    branchId,
    replyTo: 'q2',
    replyId: 'a-q2',
    model: 'demo:demo',
    leaseMs: 30_000,
  })

  it('since any moment, laid over what it knew then, is the chat as it is now', async () => {
    // given a chat with everything that can happen to a graph, and how it looked after each step
    const story = await Story.begin(opened.store)
    const { chatId, userId, main } = story
    const seen: Graph[] = []
    const look = async (): Promise<Graph> => {
      const graph = await reads().graph(chatId, userId)
      if (!graph) throw new Error('the chat is gone')
      seen.push(graph)
      return graph
    }
    const [first, second] = [newId(), newId()]
    await look()
    await story.say(main, null, 'q1', 'a1', 'q2')
    await look()
    await story.commit([run(first, main)])
    await look()
    const fork = await story.fork('a1', { name: 'fork', activate: true })
    await story.say(fork, 'a1', 'q3', 'a3')
    await look()
    await story.commit([{ kind: 'finish-run', runId: first, fence: 1, status: 'failed' }])
    await look()
    await story.commit([run(second, main)])
    await look()
    await story.commit([{ kind: 'save-checkpoint', checkpointId: newId(), name: 'good', messageId: 'a1' }])
    await look()
    await story.commit([{ kind: 'remove-checkpoint', name: 'good' }])
    await story.commit([{ kind: 'rename-branch', branchId: fork, name: 'renamed' }])
    const now = sorted(await look())
    expect(now.runs.map(({ runId }) => runId)).toEqual([second])
    // then
    for (const before of seen) {
      const delta = (await reads().delta(chatId, userId, before.seq)) as GraphDelta
      expect(sorted(applyDelta(before, delta)), `since ${before.seq}`).toEqual(now)
    }
  })

  it('costs what is new, not what there is', async () => {
    const story = await Story.begin(opened.store)
    await story.say(story.main, null, 'q1', 'a1')
    for (let n = 0; n < 5; n++) await story.say(await story.fork('a1'), 'a1', `q-${n}`)
    const { seq = 0 } = (await reads().graph(story.chatId, story.userId)) ?? {}
    await story.say(await story.fork('a1'), 'a1', 'last')
    const delta = await reads().delta(story.chatId, story.userId, seq)
    expect(delta?.nodes?.map(({ id }) => id)).toEqual(['last'])
    expect(delta?.lanes?.map(({ lane }) => lane)).toEqual([5])
  })

  it('given servers whose clocks differ, when a run ends, then who comes back hears of it', async () => {
    const story = await Story.begin(opened.store)
    const { chatId, userId, main } = story
    const runId = newId()
    await story.say(main, null, 'q2')
    await story.commit([run(runId, main)])
    // given one of them an hour ahead
    const at = Date.now() + 3_600_000
    const { seq } = await story.commit([{ kind: 'update-chat', title: 'Rome' }], { at })
    // when
    await story.commit([{ kind: 'finish-run', runId, fence: 1, status: 'failed' }])
    // then
    const missed = await reads().delta(chatId, userId, seq)
    expect(missed?.endedRuns).toEqual([runId])
  })
})
