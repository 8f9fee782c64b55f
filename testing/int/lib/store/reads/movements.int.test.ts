import { expect, it } from 'vitest'
import { type ChatRefs, foldRefs, type LoggedEvent, newId, noRefs } from '@/lib/events'
import { indexGraph, packHistory, Timeline, unpackHistory } from '@/lib/graph'
import type { Graph } from '@/lib/protocol'
import { ChatReads } from '@/lib/store/reads/chat-reads'
import { Story } from '@/testing/contracts/store/story'
import { type Dice, dice } from '@/testing/worlds/dice'
import { onServedDatabase, openedStore } from '@/testing/worlds/open-stores'

onServedDatabase('what moved in a chat', ({ name, open }) => {
  const opened = openedStore(open)
  const reads = () => new ChatReads(opened.database)

  it.each(name === 'postgres' ? [1, 2, 3, 4] : [1])(
    'is at each event what the log says, and at the end what is stored (seed %i)',
    async (seed) => {
      // given a chat after many random moves
      const story = await Story.begin(opened.store)
      const { chatId, userId } = story
      await moveAbout(story, dice(seed))
      // when its history is read as it travels
      const [graph, history, events] = await Promise.all([
        reads().graph(chatId, userId),
        reads().history(chatId, userId),
        opened.store.getEvents(chatId),
      ])
      if (!graph || !history) throw new Error('the chat is gone')
      const { movements, seq } = unpackHistory(packHistory(history))
      const timeline = new Timeline(indexGraph(graph), movements)
      // then
      expect(seq).toBe(graph.seq)
      for (let at = 1; at <= timeline.length; at++) {
        expect(refsOf(timeline.graphAt(at)), `movement ${at}`).toEqual(refsLogged(events, at, movements))
        expect(timeline.graphAt(at).nodes.map(({ id }) => id)).toEqual(
          saidBy(events, movements[at - 1]?.seq ?? 0),
        )
      }
      const end = timeline.graphAt(timeline.length)
      expect(sorted(end)).toEqual(sorted(graph))
    },
  )

  it('can be read from any event on', async () => {
    const story = await Story.begin(opened.store)
    await moveAbout(story, dice(9))
    const all = await reads().history(story.chatId, story.userId)
    const { seq = 0, movements = [] } = all ?? {}
    for (const since of [1, Math.floor(seq / 2), seq]) {
      expect(await reads().history(story.chatId, story.userId, since)).toEqual({
        chatId: story.chatId,
        seq,
        movements: movements.filter((movement) => movement.seq > since),
      })
    }
  })
})

/** Forty moves of every kind, each of which is possible when it is made. */
async function moveAbout(story: Story, { roll }: Dice): Promise<void> {
  const { store, chatId } = story
  const pick = <T>(all: readonly T[]): T | undefined => all[roll(all.length || 1)]
  const flags = ['red', 'green', 'blue']
  let said = 0
  for (let move = 0; move < 40; move++) {
    const branches = await store.listBranches(chatId)
    const branch = pick(branches)
    const message = pick(await store.getMessages(chatId))?.id
    const flag = pick(await store.listCheckpoints(chatId))?.name
    if (!branch) throw new Error('a chat has a branch')
    const save = { kind: 'save-checkpoint', checkpointId: newId() } as const
    const moves = [
      () => message && story.fork(message, { after: branch.name, activate: roll(2) === 0 }),
      () => story.commit([{ kind: 'switch-branch', branchId: branch.id }]),
      () => story.commit([{ kind: 'rename-branch', branchId: branch.id, name: `name-${move}` }]),
      () => branch.isActive || story.commit([{ kind: 'archive-branch', branchId: branch.id }]),
      () => story.commit([{ kind: 'unarchive-branch', branchId: branch.id }]),
      () => message && story.commit([{ ...save, name: pick(flags) ?? 'red', messageId: message }]),
      () => flag && story.commit([{ kind: 'remove-checkpoint', name: flag }]),
    ]
    const say = () => story.say(branch.id, branch.headMessageId, `q${++said}`, `a${said}`)
    await (moves[roll(9)] ?? say)()
  }
}

type Movements = readonly { seq: number }[]

/** The refs until the next movement: a branch's first event and the one that says where it forked are one of ours. */
function refsLogged(events: LoggedEvent[], at: number, movements: Movements) {
  const until = movements[at]?.seq ?? Number.POSITIVE_INFINITY
  const first = events[0]
  if (!first) throw new Error('a chat has an event')
  const refs: ChatRefs = foldRefs(
    noRefs(first.chatId),
    events.filter(({ seq }) => seq < until),
  )
  return {
    active: refs.activeThreadId,
    branches: [...refs.threads.values()].map(
      ({ id, name, title, headMessageId, parentThreadId, createdAt, archivedAt }) => ({
        id,
        name,
        title,
        headId: headMessageId,
        parentBranchId: parentThreadId,
        createdAt,
        archivedAt,
      }),
    ),
    checkpoints: [...refs.checkpoints.values()].map(({ id, name, messageId, savedAt }) => ({
      id,
      name,
      messageId,
      createdAt: savedAt,
    })),
  }
}

const refsOf = ({ activeBranchId, branches, checkpoints }: Graph) => ({
  active: activeBranchId,
  branches,
  checkpoints,
})

const saidBy = (events: LoggedEvent[], until: number): string[] =>
  events.flatMap((event) => {
    if (event.seq > until) return []
    if (event.type === 'UserMessageAdded') return [event.payload.message_id]
    return event.type === 'LLMResponseGenerated' ? [event.payload.ai_message_id] : []
  })

/** Told in an order of its own, and without what the past does not know. */
const sorted = (graph: Graph) => ({
  ...graph,
  seq: 0,
  nodes: graph.nodes.toSorted((a, b) => a.lane - b.lane || a.depth - b.depth),
  lanes: graph.lanes.toSorted((a, b) => a.lane - b.lane),
  branches: graph.branches
    // the log tells of contexts, not of what they hold
    .map(({ failure: _failure, model: _model, leftOut: _leftOut, ...branch }) => branch)
    .toSorted((a, b) => a.id.localeCompare(b.id)),
  checkpoints: graph.checkpoints.toSorted((a, b) => a.name.localeCompare(b.name)),
})
