import { expect, it } from 'vitest'
import { newId } from '@/lib/events'
import { aboveLane, commonPlace } from '@/lib/graph/graph-tables'
import type { StoredSide } from '@/lib/store/reads/branch-comparison'
import { ChatReads } from '@/lib/store/reads/chat-reads'
import { line, Story } from '@/testing/contracts/store/story'
import { dice } from '@/testing/worlds/dice'
import { onServedDatabase, openedStore } from '@/testing/worlds/open-stores'

onServedDatabase('two branches from where they part', ({ open }) => {
  const opened = openedStore(open)
  const reads = () => new ChatReads(opened.database)

  const compare = (story: Story, left?: string, right?: string, limit = 50) =>
    reads().comparison(story.chatId, story.userId, {
      ...(left === undefined ? {} : { left }),
      ...(right === undefined ? {} : { right }),
      limit,
    })
  /** `name: message@depth …`, and how many there are altogether. */
  const drawn = (side: StoredSide | null | undefined) =>
    side &&
    `${side.name}: ${side.messages.map(({ id, depth }) => `${id}@${depth}`).join(' ')} of ${side.length}`

  //  q1 ─ a1 ─ q2 ─ a2          main
  //             └── a3 ─ q3     second
  //                  └── q4     third
  //  q9                         other, a root of its own
  const forked = async () => {
    const story = await Story.begin(opened.store)
    await story.say(story.main, null, 'q1', 'a1', 'q2', 'a2')
    const second = await story.fork('q2', { name: 'second' })
    await story.say(second, 'q2', 'a3', 'q3')
    const third = await story.fork('a3', { name: 'third', after: 'second' })
    await story.say(third, 'a3', 'q4')
    const other = await story.fork(null, { name: 'other' })
    await story.say(other, null, 'q9')
    return { story, second, third }
  }

  it.each([
    ['main', 'second', 3, 'main: a2@3 of 1', 'second: a3@3 q3@4 of 2'],
    ['second', 'main', 3, 'second: a3@3 q3@4 of 2', 'main: a2@3 of 1'],
    ['second', 'third', 4, 'second: q3@4 of 1', 'third: q4@4 of 1'],
    ['main', 'third', 3, 'main: a2@3 of 1', 'third: a3@3 q4@4 of 2'],
    ['main', 'other', 0, 'main: q1@0 a1@1 q2@2 a2@3 of 4', 'other: q9@0 of 1'],
    ['third', 'third', 5, 'third:  of 0', 'third:  of 0'],
  ])('given %s and %s, then they share %i messages', async (left, right, common, one, other) => {
    const { story } = await forked()
    const found = await compare(story, left, right)
    expect([found?.common, drawn(found?.left), drawn(found?.right)]).toEqual([common, one, other])
  })

  it('given ids instead of names, an archived branch, or one that another is called after, then it is found', async () => {
    const { story, second, third } = await forked()
    await story.commit([{ kind: 'archive-branch', branchId: third }])

    const found = await compare(story, second, third)

    expect([found?.left.name, found?.right?.name]).toEqual(['second', 'third'])
    expect(found?.branches.map(({ name, archivedAt }) => [name, archivedAt !== null])).toEqual([
      ['main', false],
      ['second', false],
      ['third', true],
      ['other', false],
    ])
  })

  it('given no names, then it is the active branch beside its parent, its child, or the latest used', async () => {
    const { story, second } = await forked()
    const names = async (left?: string) => {
      const found = await compare(story, left)
      return [found?.left.name, found?.right?.name]
    }

    expect(await names()).toEqual(['main', 'second'])
    expect(await names('third')).toEqual(['third', 'second'])
    expect(await names(second)).toEqual(['second', 'main'])
    expect(await names('other')).toEqual(['other', 'third'])
  })

  it('given a single branch, or one without a message, then there is nothing on the other side', async () => {
    const story = await Story.begin(opened.store)
    const alone = await compare(story)
    expect([alone?.common, drawn(alone?.left), alone?.right]).toEqual([0, 'main:  of 0', null])

    await story.say(story.main, null, 'q1')
    await story.fork(null, { name: 'empty' })
    const found = await compare(story, 'main', 'empty')
    const sides = [drawn(found?.left), drawn(found?.right)]
    expect([found?.common, ...sides]).toEqual([0, 'main: q1@0 of 1', 'empty:  of 0'])
  })

  it('given another person, an unknown chat, or a branch that is unknown or of another chat, then there is nothing', async () => {
    const { story } = await forked()
    const ask = (chatId: string, ownerId: string, left: string, right?: string) =>
      reads().comparison(chatId, ownerId, { left, ...(right === undefined ? {} : { right }), limit: 5 })

    expect(await ask(story.chatId, newId(), 'main', 'second')).toBeUndefined()
    expect(await ask(newId(), story.userId, 'main', 'second')).toBeUndefined()
    expect(await ask(story.chatId, story.userId, 'nowhere', 'second')).toBeUndefined()
    expect(await ask(story.chatId, story.userId, 'main', 'nowhere')).toBeUndefined()
    expect(await ask(story.chatId, story.userId, '\0', 'main')).toBeUndefined()
    const elsewhere = await Story.begin(opened.store, story.userId)
    expect(await compare(story, 'main', elsewhere.main)).toBeUndefined()
  })

  it('given a limit, then each side opens with its first messages, in whatever lanes those are', async () => {
    const { story } = await forked()
    const found = await compare(story, 'other', 'third', 4)
    expect([drawn(found?.left), drawn(found?.right)]).toEqual([
      'other: q9@0 of 1',
      'third: q1@0 a1@1 q2@2 a3@3 of 5',
    ])
  })

  it('given replies with and without known tokens, then each side has the sum of its own', async () => {
    const story = await Story.begin(opened.store)
    const reply = (id: string, usage: { inputTokens?: number; outputTokens?: number } | null) =>
      line(id, { reply: { model: 'demo:demo', usage } })
    const say = (branchId: string, head: string | null, ...messages: ReturnType<typeof line>[]) =>
      story.append(branchId, head, ...messages)
    await say(story.main, null, line('q1'), reply('a1', { inputTokens: 100, outputTokens: 100 }))
    const second = await story.fork('a1', { name: 'second' })
    await say(story.main, 'a1', line('q2'), reply('a2', null))
    await say(second, 'a1', line('q3'), reply('a3', { inputTokens: 5, outputTokens: 7 }))
    await say(second, 'a3', line('q4'), reply('a4', { inputTokens: 11, outputTokens: 13 }))

    const found = await compare(story, 'main', 'second')

    expect(found?.left.usage).toBeNull()
    expect(found?.right?.usage).toEqual({ inputTokens: 16, outputTokens: 20 })
  })

  it('given two long sides, then it opens on the first of each, with all that is known', async () => {
    const length = process.env.RAMIFY_TEST_LONG ? 10_000 : 500
    const story = await Story.begin(opened.store)
    await story.say(story.main, null, 'q')
    const second = await story.fork('q', { name: 'second' })
    for (const [branchId, name] of [
      [story.main, 'l'],
      [second, 'r'],
    ] as const) {
      let head = 'q'
      for (let at = 0; at < length; at += 500) {
        const ids = Array.from({ length: 500 }, (_, n) => `${name}${at + n}`)
        await story.say(branchId, head, ...ids)
        head = ids.at(-1) ?? head
      }
    }
    const start = performance.now()
    const found = await compare(story, 'main', 'second')

    expect(performance.now() - start).toBeLessThan(3000)
    expect([found?.common, found?.left.length, found?.right?.length]).toEqual([1, length, length])
    expect(found?.left.messages.map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, n) => `l${n}`))
    expect(found?.right?.messages.map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, n) => `r${n}`))
  })

  it('given any forest, then the place where two branches part is what arithmetic on lanes says', async () => {
    const story = await Story.begin(opened.store)
    const { roll } = dice(7)
    await story.say(story.main, null, 'm0')
    const names = ['main']
    for (let at = 1; at < 40; at++) {
      const from = roll(6) === 0 ? null : `m${roll(at)}`
      const branchId = await story.fork(from, { name: `b${at}` })
      await story.say(branchId, from, `m${at}`)
      names.push(`b${at}`)
    }
    const graph = await reads().graph(story.chatId, story.userId)
    const lanes = new Map(graph?.lanes.map((lane) => [lane.lane, lane]))
    const headOf = (name: string) => {
      const head = graph?.branches.find((branch) => branch.name === name)?.headId
      const node = graph?.nodes.find(({ id }) => id === head)
      if (!node) throw new Error(`${name} has no head`)
      return { lane: node.lane, top: node.depth }
    }
    for (let pair = 0; pair < 40; pair++) {
      const [left = '', right = ''] = [names[roll(names.length)], names[roll(names.length)]]
      const place = commonPlace(headOf(left), headOf(right), (lane) => aboveLane(lanes.get(lane)))
      const found = await compare(story, left, right)
      expect(found?.common, `${left} and ${right}`).toBe((place?.top ?? -1) + 1)
    }
  })
})
