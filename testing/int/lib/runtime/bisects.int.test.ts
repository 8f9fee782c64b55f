// Which turn made a reply say something: its question is asked again below shorter beginnings of its chain.

import { afterAll, beforeEach, expect, it } from 'vitest'
import { type BisectJudge, NotFoundError } from '@/lib/context'
import { driveDue, readBisects, startBisect, steerBisect, takeOverRuns } from '@/lib/conversations'
import { branchTitle, indexGraph } from '@/lib/graph'
import { type ChatRequest, openAIErrors, textOf } from '@/testing/machines/openai-server'
import { commandKey } from '@/testing/worlds/ada-threads'
import { onOneDatabase } from '@/testing/worlds/open-stores'
import { givenWorld, isSound, MODEL, openPage, seedChat } from '@/testing/worlds/turn-world'

onOneDatabase('a bisect', ({ name }) => {
  const { world, services: here } = givenWorld(name, {
    RAMIFY_DEFAULT_MODEL: MODEL,
    OPENAI_API_KEY: '',
    RAMIFY_LEASE_MS: '20000',
  })
  afterAll(() => isSound(here))
  beforeEach(() => {
    world.answer = saying('note 4')
  })

  /** A model that says "south" to a question as soon as its prompt holds one of these words. */
  const saying =
    (...words: string[]) =>
    (request: ChatRequest): string => {
      const asked = textOf(request.messages.at(-1) ?? { role: 'user' })
      if (!asked.startsWith('Where')) return `Noted: ${asked}.`
      const all = request.messages.map((message) => textOf(message)).join('\n')
      return words.some((word) => all.includes(word)) ? 'In the SOUTH of it.' : 'In the north of it.'
    }
  /** A chat of so many notes and the question where something is; and the reply to it. */
  async function talked(turns: number) {
    const notes = Array.from({ length: turns }, (_, at) => [`note ${at + 1}`, `Noted: note ${at + 1}.`])
    const { ids, ...chat } = await seedChat(here, [...notes.flat(), 'Where is Braga?', 'In the SOUTH of it.'])
    return { ...chat, ids, replyId: ids.at(-1) ?? '' }
  }
  const start = (
    of: { chatId: string; replyId: string },
    judge: BisectJudge = { kind: 'text', text: 'south' },
  ) => startBisect(here.ports, { ownerId: 'ada', chatId: of.chatId, messageId: of.replyId, judge })
  const work = async () => {
    await driveDue(here.ports)
    await (await takeOverRuns(here.ports)).ended
  }
  const only = async (chatId: string) => {
    const [bisect] = (await readBisects(here.ports, { ownerId: 'ada', chatId })).bisects
    if (!bisect) throw new Error('There is no bisect')
    return bisect
  }
  const endOf = async (chatId: string) => {
    const { status, found_message_id, confirmed } = await only(chatId)
    return [status, found_message_id, confirmed]
  }
  const openBranches = async (chatId: string) =>
    (await openPage(here, chatId)).graph.branches.filter(({ archivedAt }) => archivedAt === null)

  it.each([1, 4, 6])(
    'given six turns of which turn %i makes the difference, then it is found in log₂ runs, marked, and nothing else has moved',
    async (turn) => {
      world.answer = saying(`note ${turn}\n`, `note ${turn}.`)
      const { chatId, branchId, replyId, ids } = await talked(6)
      await start({ chatId, replyId })
      await work()
      const bisect = await only(chatId)
      expect(await endOf(chatId)).toEqual(['done', ids[2 * (turn - 1)], true])
      expect(bisect.runs).toBeLessThanOrEqual(Math.ceil(Math.log2(7)) + 1)
      const { graph } = await openPage(here, chatId)
      expect(graph.activeBranchId).toBe(branchId)
      expect((await openBranches(chatId)).map(({ name }) => name)).toEqual(['main'])
      expect(graph.checkpoints).toMatchObject([
        { name: `Bisect: turn ${turn}, “note ${turn}”`, messageId: bisect.found_message_id },
      ])
    },
  )

  it('given a bisect that has ended, then its branches are titled by the turns they were asked below', async () => {
    world.answer = saying('note 3\n', 'note 3.')
    const of = await talked(6)
    await start(of)
    await work()
    const index = indexGraph((await openPage(here, of.chatId)).graph)
    const titles = index.graph.branches.map(({ id }) => branchTitle(index, id))
    expect(titles).toEqual([
      'Main line',
      'Bisect: turns 1 to 2 of 6',
      'Bisect: turns 1 to 4 of 6',
      'Bisect: turns 1 to 3 of 6',
      'Bisect: without turn 3',
    ])
  })

  it('given two turns that each make the difference, then the first is found, and it says that others play a part', async () => {
    world.answer = saying('note 3', 'note 6')
    const { chatId, replyId, ids } = await talked(6)
    await start({ chatId, replyId })
    await work()
    expect(await only(chatId)).toMatchObject({ found_message_id: ids[4], confirmed: false })
    expect((await only(chatId)).reason).toContain('others play a part')
  })

  it('given a question that is answered so without any turn, then none is found', async () => {
    world.answer = saying('Where')
    const of = await talked(4)
    await start(of)
    await work()
    expect(await endOf(of.chatId)).toEqual(['done', null, null])
  })

  it('given a person who judges, then each run waits for their word', async () => {
    const of = await talked(6)
    const { bisect_id: bisectId } = await start(of, { kind: 'person' })
    for (let asked = 0; asked < 8; asked++) {
      await work()
      const { status, reply } = await only(of.chatId)
      if (status === 'done') break
      expect(status).toBe('waiting')
      const says = reply?.includes('SOUTH') ?? false
      await steerBisect(here.ports, { ownerId: 'ada', chatId: of.chatId, bisectId, says })
    }
    expect(await endOf(of.chatId)).toEqual(['done', of.ids[6], true])
  })

  it('given a pattern, or a model that judges, then the same turn is found', async () => {
    const of = await talked(5)
    await start(of, { kind: 'pattern', pattern: 's.uth' })
    await work()
    expect((await only(of.chatId)).found_message_id).toBe(of.ids[6])
    const answer = saying('note 4')
    world.answer = (request) => {
      const asked = textOf(request.messages.at(-1) ?? { role: 'user' })
      return asked.startsWith('Claim') ? (asked.includes('SOUTH') ? 'Yes.' : 'No.') : answer(request)
    }
    await start(of, { kind: 'model', what: 'claims that Braga is in the south' })
    await work()
    expect(await only(of.chatId)).toMatchObject({ status: 'done', found_message_id: of.ids[6] })
  })

  it('given a run that fails, then it pauses in words and the same run is done again', async () => {
    const of = await talked(5)
    world.answer = () => ({ error: openAIErrors.badKey() })
    const { bisect_id: bisectId } = await start(of)
    await work()
    expect(await only(of.chatId)).toMatchObject({ status: 'paused', runs: 1 })
    expect((await only(of.chatId)).reason).toContain('key')
    world.answer = saying('note 4')
    await steerBisect(here.ports, { ownerId: 'ada', chatId: of.chatId, bisectId, action: 'resume' })
    await work()
    expect((await only(of.chatId)).found_message_id).toBe(of.ids[6])
  })

  it('given a search that is stopped, then its branch is folded away', async () => {
    const of = await talked(5)
    const { bisect_id: bisectId } = await start(of)
    await steerBisect(here.ports, { ownerId: 'ada', chatId: of.chatId, bisectId, action: 'stop' })
    await work()
    expect(await only(of.chatId)).toMatchObject({ status: 'stopped', runs: 1, thread_id: null })
    expect(await openBranches(of.chatId)).toHaveLength(1)
  })

  it('given a key, when a search is asked for under it at once and again, then there is one; another search under it is refused', async () => {
    const of = await talked(3)
    world.answer = saying('note 1')
    const once = commandKey('south', 'start-bisect')
    const asked = {
      ownerId: 'ada',
      chatId: of.chatId,
      messageId: of.replyId,
      once,
      judge: { kind: 'text' as const, text: 'in' },
    }
    const first = await Promise.all([startBisect(here.ports, asked), startBisect(here.ports, asked)])
    await work()
    const again = await startBisect(here.ports, asked)

    expect(new Set([...first, again].map(({ bisect_id }) => bisect_id)).size).toBe(1)
    expect((await readBisects(here.ports, { ownerId: 'ada', chatId: of.chatId })).bisects).toHaveLength(1)
    const other = startBisect(here.ports, { ...asked, once: { ...once, bodyHash: 'another' } })
    await expect(other).rejects.toMatchObject({ name: 'IdempotencyMismatchError' })
  })

  it('given a reply that does not say it, a bad pattern, a question, or nothing above, then nothing is written', async () => {
    const of = await talked(3)
    world.answer = saying('note 1')
    const { seq } = (await openPage(here, of.chatId)).graph
    await expect(start(of, { kind: 'text', text: 'east' })).rejects.toThrow('does not say that')
    await expect(start(of, { kind: 'pattern', pattern: '(' })).rejects.toThrow('not a regular expression')
    await expect(start({ ...of, replyId: of.ids[0] ?? '' })).rejects.toThrow('Only a reply')
    await expect(start({ ...of, replyId: 'nowhere' })).rejects.toThrow(NotFoundError)
    await expect(start({ ...of, replyId: of.ids[1] ?? '' })).rejects.toThrow('Nothing stands above')
    expect((await openPage(here, of.chatId)).graph.seq).toBe(seq)
    const asEve = readBisects(here.ports, { ownerId: 'eve', chatId: of.chatId })
    await expect(asEve).rejects.toThrow(NotFoundError)
  })

  it('given a pattern that backtracks without end, then it is cut off', async () => {
    const { chatId, ids } = await seedChat(here, ['one', 'Noted.', 'two', `${'a'.repeat(5000)}!`])
    const begun = performance.now()
    const asked = start({ chatId, replyId: ids.at(-1) ?? '' }, { kind: 'pattern', pattern: '^(a+)+$' })
    await expect(asked).rejects.toThrow('takes too long')
    expect(performance.now() - begun).toBeLessThan(5000)
  })
})
