// A person moves an agent: where its next call goes on, what the page is told of it, and how it is taken back.

import type { AssistantModelMessage, ModelMessage } from 'ai'
import { afterAll, expect, it } from 'vitest'
import { BuiltUponError, NotFoundError, planFork } from '@/lib/context'
import { InvalidRequestError, steerAgent, steerTo, stopSteering, undoMove } from '@/lib/conversations'
import { newId } from '@/lib/events'
import { answeredChain } from '@/lib/gateway/steered-call'
import { checkDatabase, rebuild } from '@/lib/store'
import {
  answering,
  assistant,
  calling,
  drawChat,
  drawn,
  replyOf,
  ScriptedAgent,
  user,
} from '@/testing/worlds/agent-world'
import { onOneDatabase } from '@/testing/worlds/open-stores'
import { givenWorld, isSound, takeTurn } from '@/testing/worlds/turn-world'

onOneDatabase('an agent that a person steers', ({ name }) => {
  const { services } = givenWorld(name)
  const agent = (over = {}) =>
    new ScriptedAgent(services.ports, { ownerId: 'ada', client: 'coder/2', ...over })
  const agentsOf = (chatId: string) => services.ports.reads.agents(chatId, 'ada')
  const steer = (over: Omit<Parameters<typeof steerTo>[1], 'ownerId'>) =>
    steerTo(services.ports, { ownerId: 'ada', ...over })
  const said = (messages: ModelMessage[] | undefined) =>
    answeredChain(messages ?? []).map(({ role, content }) => [role, (content as { text: string }[])[0]?.text])

  /** An agent that has gone wrong after its first reply. */
  const gone = async (word: string) => {
    const ada = agent()
    const { chatId, messageId } = await ada.ask(user(`${word}: make a plan`), 'Plan A')
    const { branchId } = await ada.ask(user('Do it'), calling(`${word}1`))
    return { ada, chatId, messageId, branchId, back: { chatId, agentId: branchId, branchId, messageId } }
  }
  afterAll(async () => {
    await isSound(services)
    expect(await rebuild(services.database, { dry: true })).toMatchObject({ differences: 0, left: 0 })
  })

  it('goes on from an earlier message and what the person says there, on a branch that the page opens', async () => {
    const { ada, chatId, branchId, back } = await gone('words')
    const moved = await steer({ ...back, text: 'Take the train' })
    expect(moved.branchId).not.toBe(branchId)
    expect(moved.delta).toMatchObject({
      activeBranchId: moved.branchId,
      nodes: [{ preview: 'Take the train' }],
      agents: [{ branchId, client: 'coder/2', steering: { toId: moved.branchId, followedAt: null } }],
    })

    const before = moved.delta.seq
    ada.messages.push(answering('words1', 'Done'))
    const begun = await ada.begin()
    const place = await begun.end(replyOf('By train, then'))

    expect(place).toMatchObject({ chatId, branchId: moved.branchId })
    const told = [
      ['user', 'words: make a plan'],
      ['assistant', 'Plan A'],
      ['user', 'Take the train'],
      ['user', expect.stringContaining('This conversation was moved')],
    ]
    expect(said(begun.steered)).toEqual(told)
    const delta = await services.ports.reads.delta(chatId, 'ada', before)
    expect(delta?.agents).toMatchObject([
      { branchId, steering: { toId: moved.branchId, followedAt: expect.any(Number) } },
      { branchId: moved.branchId, messageId: place.messageId, steering: null },
    ])

    // and its calls after that begin there too
    ada.messages.push(assistant('By train, then'), user('Do that'))
    const after = await ada.begin()
    await after.end(replyOf('Done'))
    expect(said(after.steered)).toEqual([...told, ['assistant', 'By train, then'], ['user', 'Do that']])
    expect((await drawChat(services.ports, chatId)).replace(/This conversation .*/, 'Moved')).toBe(
      drawn(`
        user: words: make a plan
          assistant: Plan A
            user: Do it
              assistant: words1? *
            user: Take the train
              user: Moved
                assistant: By train, then
                  user: Do that
                    assistant: Done *
      `),
    )
  })

  it('goes on after what a person has written on its own branch', async () => {
    const { ada, chatId, branchId } = await gone('own')
    await takeTurn(services, { chatId, branch: branchId, text: 'Stop that' })
    const { state } = await services.ports.reads.branchState(chatId, 'ada', branchId)
    const moved = await steer({ chatId, agentId: branchId, branchId, messageId: state?.headId ?? '' })
    ada.messages.push(answering('own1', 'Done'))
    const begun = await ada.begin()
    const place = await begun.end(replyOf('Stopped'))

    expect(moved.branchId).toBe(branchId)
    expect(place.branchId).toBe(branchId)
    const words = said(begun.steered).map(([, text]) => text)
    expect(words).toContain('Stop that')
    // the call without an answer would be refused by providers
    expect(JSON.stringify(answeredChain(begun.steered ?? []))).not.toContain('own1')
  })

  it('has the thoughts of its own model back, with what its provider wants back with them', async () => {
    const thinking = (text: string, providerOptions: object) => ({ type: 'reasoning', text, providerOptions })
    const signed = [
      thinking('Hm.', { anthropic: { signature: 's' } }),
      thinking('', { anthropic: { redactedData: 'x' } }),
      // its id may name what its provider does not keep
      thinking('', { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'e' } }),
    ]
    const said = { type: 'text', text: 'Plan A' }
    const ada = agent()
    const { chatId, messageId } = await ada.ask(user('thoughts: make a plan'), {
      role: 'assistant',
      content: [...signed, said],
    } as AssistantModelMessage)
    const { branchId } = await ada.ask(user('Do it'), 'Done')
    await steer({ chatId, agentId: branchId, branchId, messageId })
    ada.messages.push(user('Next'))

    const sealed = thinking('', { openai: { reasoningEncryptedContent: 'e' } })
    const { steered, fail } = await ada.begin()
    await fail('for this test')
    expect(steered?.[1]?.content).toEqual([...signed.slice(0, 2), sealed, said])
    const other = new ScriptedAgent(services.ports, { ownerId: 'ada', call: { model: 'other' } })
    other.messages = ada.messages
    expect((await other.begin()).steered?.[1]?.content).toEqual([said])
  })

  it('goes on where it was when the move is undone, or stopped', async () => {
    const { ada, chatId, branchId, back } = await gone('undone')
    const moved = await steer(back)
    const undone = await undoMove(services.ports, { ownerId: 'ada', chatId })
    expect(undone.entry).toMatchObject({ move: 'steer', fromId: branchId })
    expect(await agentsOf(chatId)).toMatchObject([{ steering: { toId: null } }])
    expect((await services.store.getBranch(chatId, moved.branchId))?.archivedAt).not.toBeNull()

    await steer(back)
    await stopSteering(services.ports, { ownerId: 'ada', chatId, branchId })
    expect(await ada.ask(answering('undone1', 'Done'), 'As before')).toMatchObject({ branchId })
  })

  it('is not taken back once it has gone on', async () => {
    const { ada, chatId, back } = await gone('late')
    await steer(back)
    await ada.ask(answering('late1', 'Done'), 'On it')
    await expect(undoMove(services.ports, { ownerId: 'ada', chatId })).rejects.toThrow(BuiltUponError)
  })

  it('is found again after its call that was under way', async () => {
    const { ada, branchId, back } = await gone('way')
    ada.messages.push(answering('way1', 'Done'))
    const under = await ada.begin()
    const moved = await steer(back)
    expect(await under.end(replyOf('Still the old way'))).toMatchObject({ branchId })
    ada.messages.push(assistant('Still the old way'))
    expect(await ada.ask(user('Next'), 'The new way')).toMatchObject({ branchId: moved.branchId })
  })

  it('is where the log says after a rebuild', async () => {
    const { ada, chatId, back } = await gone('ruin')
    await steer(back)
    await ada.ask(answering('ruin1', 'Done'), 'On it')
    const before = await agentsOf(chatId)
    for (const table of ['agent_branches', 'agent_steers'])
      await services.database.query(`delete from ${table} where chat_id = $1`, [chatId])
    const broken = await checkDatabase(services.database, { chatId })
    expect(new Set(broken.map(({ invariant }) => invariant))).toEqual(new Set(['follows-log']))

    expect(await rebuild(services.database, { chatId })).toMatchObject({ differences: 3, left: 0 })
    // what the agent calls itself is in no event
    const known = before.map(({ branchId, messageId, steering }) => ({ branchId, messageId, steering }))
    const after = await agentsOf(chatId)
    expect(after).toHaveLength(2)
    expect(after).toEqual(expect.arrayContaining(known.map((one) => expect.objectContaining(one))))
  })

  it('is steered by its owner alone, where it writes, and not to where it is', async () => {
    const { chatId, branchId, back: here } = await gone('whose')
    await expect(steerTo(services.ports, { ...here, ownerId: 'bob' })).rejects.toThrow(NotFoundError)
    await expect(steer({ ...here, messageId: 'nowhere' })).rejects.toThrow(NotFoundError)
    const [last] = await agentsOf(chatId)
    await expect(steer({ ...here, messageId: last?.messageId ?? '' })).rejects.toThrow(InvalidRequestError)
    const { branchId: elsewhere } = await steer(here)
    await expect(steer({ ...here, agentId: elsewhere })).rejects.toThrow('No agent writes on this branch')
    const byName = { ownerId: 'ada', chatId, branch: branchId, to: elsewhere }
    for (const [over, refusal] of [
      [{ branch: elsewhere, to: branchId }, 'No agent writes on this branch'],
      [{ to: branchId }, InvalidRequestError],
      [{ ownerId: 'bob' }, NotFoundError],
      [{ to: 'nowhere' }, NotFoundError],
      [{ branch: 'nowhere' }, NotFoundError],
    ] as const) {
      await expect(steerAgent(services.ports, { ...byName, ...over })).rejects.toThrow(refusal)
    }
    // a branch beside it that ends with its last message is another place
    const { steps, branchId: beside } = planFork({ after: 'main', messageId: last?.messageId ?? '', newId })
    await services.ports.store.commit({ chatId, at: Date.now(), steps })
    await steerAgent(services.ports, { ...byName, to: beside })
    expect(await agentsOf(chatId)).toMatchObject([{ steering: { toId: beside } }])
    await steerAgent(services.ports, { ...byName, to: null })
    expect(await agentsOf(chatId)).toMatchObject([{ steering: { toId: null } }])
  })
})
